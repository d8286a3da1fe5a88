import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { texts } from '../page/texts.ts'
import { frameSandbox } from './frame-policy.ts'
import { foundWords } from '../search/found-words.ts'
import { foundClass, writeDocument } from './document.ts'
import { useInlinePictures } from './pictures.ts'

/**
 * A mail's HTML in a frame with an opaque origin and no scripts. Such a frame cannot be inspected, so its height is
 * measured in a hidden frame, also without scripts, which is removed at once.
 */
export function MailFrame({
  html,
  name,
  folded,
  cited,
  remote,
  onUnderlined,
}: {
  html: string
  name: string
  folded: boolean
  cited: readonly string[]
  /** Remote pictures by their number, once requested, as `data:` URLs. */
  remote: ReadonlyMap<number, string>
  /** Reports which of the quotes are underlined. */
  onUnderlined(quotes: readonly string[]): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const height = useSignal(120)
  /** Vertical positions of the search matches, in pixels. */
  const hits = useSignal<number[]>([])
  const found = foundWords.value
  const inline = useInlinePictures(html)
  const { text, underlined } = useMemo(
    () => writeDocument(html, { folded, cited, found, inline, remote }),
    [html, folded, cited.join('\n'), found?.key, inline, remote],
  )
  useLayoutEffect(() => onUnderlined(underlined), [underlined.join('\n')])
  useEffect(() => {
    let width = 0
    let running: AbortController | null = null
    const fit = (): void => {
      // The width of the frame itself: its container may have padding.
      const now = box.current?.querySelector('iframe')?.clientWidth ?? 0
      if (now === 0 || now === width) return
      width = now
      running?.abort()
      running = new AbortController()
      void measure(text, now, running.signal).then((measured) => {
        if (measured === null) return
        height.value = measured.height
        hits.value = measured.hits
      })
    }
    const resize = new ResizeObserver(fit)
    resize.observe(box.current!)
    fit()
    return () => {
      running?.abort()
      resize.disconnect()
    }
  }, [text])
  return (
    <div class="mail-frame" ref={box}>
      {/* A new frame for each document: changing that of a frame adds an entry to the browser's history. */}
      <iframe
        key={text}
        title={texts.message.frame(name)}
        sandbox={frameSandbox}
        referrerpolicy="no-referrer"
        style={{ height: `${height.value}px` }}
        srcdoc={text}
      />
      {hits.value.map((top, index) => (
        <i key={index} class="hit" style={{ top: `${top}px` }} />
      ))}
    </div>
  )
}

/** The height of the document at this width, and the positions of the search matches; null if aborted. */
async function measure(
  text: string,
  width: number,
  signal: AbortSignal,
): Promise<{ height: number; hits: number[] } | null> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.className = 'measure'
  frame.style.width = `${width}px`
  frame.srcdoc = text
  const loaded = new Promise<void>((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  document.body.append(frame)
  await loaded
  const root = frame.contentDocument?.documentElement
  const found = signal.aborted || !root ? null : { height: heightOf(root), hits: hitsIn(root) }
  frame.remove()
  return found
}

/** Folded matches have no height and are left out. */
function hitsIn(root: HTMLElement): number[] {
  const boxes = [...root.querySelectorAll(`.${foundClass}`)].map((mark) => mark.getBoundingClientRect())
  return boxes.filter(({ height }) => height > 0).map(({ top }) => top)
}

/** Room for a horizontal scroll bar, if something is still wider than the frame. */
const scrollBar = 18

function heightOf(root: HTMLElement): number {
  return root.scrollHeight + (root.scrollWidth > root.clientWidth ? scrollBar : 0)
}
