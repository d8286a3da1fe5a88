import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { urlOf } from '../page/api.ts'
import { texts } from '../page/texts.ts'
import { frameSandbox } from './frame-policy.ts'
import { examineHtml, isFluid, scaleDocument, writeDocument } from './document.ts'

/**
 * A mail's HTML in a frame with an opaque origin and no scripts. Such a frame cannot be inspected, so its height is
 * measured in a hidden frame, also without scripts, which is removed at once.
 */
export function MailFrame({
  html,
  name,
  folded,
  cited,
  pictureUrl,
  onUnderlined,
}: {
  html: string
  name: string
  folded: boolean
  cited: readonly string[]
  /** The URL of the mail with remote images, once requested. */
  pictureUrl: string | null
  /** Which of the quotes are underlined. */
  onUnderlined(quotes: readonly string[]): void
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const size = useSignal<FrameSize>({ height: 120, scale: 1 })
  const pictures = useInlinePictures(html)
  const { text, underlined } = useMemo(
    () => writeDocument(html, { folded, cited, pictures }),
    [html, folded, cited.join('\n'), pictures],
  )
  // What comes from the server has no marks.
  const shownQuotes = pictureUrl === null ? underlined : none
  useLayoutEffect(() => onUnderlined(shownQuotes), [shownQuotes.join('\n')])
  const { height, scale } = size.value
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
      void measure(text, now, isFluid(html), running.signal).then((found) => {
        if (found !== null) size.value = found
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
  const shown = pictureUrl === null ? { srcdoc: scaleDocument(text, scale) } : { src: pictureUrl }
  return (
    <div class="mail-frame" ref={box}>
      <iframe
        key={pictureUrl ?? 'text'}
        title={texts.message.frame(name)}
        sandbox={frameSandbox}
        referrerpolicy="no-referrer"
        style={{ height: `${pictureUrl === null ? height : Math.max(height, 480)}px` }}
        {...shown}
      />
    </div>
  )
}

const none: readonly string[] = []

interface FrameSize {
  height: number
  /** Below 1 if the mail is wider than the column: it is then scaled down instead of cut off. */
  scale: number
}

/** Smaller than this is unreadable; then it scrolls sideways. */
const smallest = 0.5

async function measure(
  text: string,
  width: number,
  fluid: boolean,
  signal: AbortSignal,
): Promise<FrameSize | null> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.setAttribute('aria-hidden', 'true')
  frame.setAttribute('scrolling', 'no')
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
  const found = signal.aborted || !root ? null : sizeOf(frame, root, width, fluid)
  frame.remove()
  return found
}

const scrollBar = 18

function sizeOf(frame: HTMLIFrameElement, root: HTMLElement, width: number, fluid: boolean): FrameSize {
  const wanted = root.scrollWidth
  if (wanted <= width) return { height: root.scrollHeight, scale: 1 }
  if (fluid) return { height: root.scrollHeight + scrollBar, scale: 1 }
  const scale = Math.max(smallest, width / wanted)
  // At its natural width the mail may be less tall.
  frame.style.width = `${width / scale}px`
  const bar = scale === smallest && root.scrollWidth > width / scale ? scrollBar : 0
  return { height: Math.ceil(root.scrollHeight * scale) + bar, scale }
}

const noPictures: ReadonlyMap<string, string> = new Map()

/** The frame has no session, so the page fetches its inline images. */
function useInlinePictures(html: string): ReadonlyMap<string, string> {
  const pictures = useSignal(noPictures)
  useEffect(() => {
    const { inline } = examineHtml(html)
    if (inline.length === 0) return
    let gone = false
    void Promise.all(inline.slice(0, 50).map(async (id) => [id, await readPicture(id)] as const)).then(
      (found) => {
        if (gone) return
        pictures.value = new Map(found.flatMap(([id, data]) => (data === null ? [] : [[id, data] as const])))
      },
    )
    return () => {
      gone = true
    }
  }, [html])
  return pictures.value
}

async function readPicture(id: string): Promise<string | null> {
  try {
    const response = await fetch(urlOf(`/attachments/${id}`, { query: { inline: '1' } }))
    const blob = await response.blob()
    if (!response.ok || !/^image\/(png|jpeg|gif|webp)$/.test(blob.type)) return null
    return await new Promise((resolve) => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(reader.result as string))
      reader.addEventListener('error', () => resolve(null))
      reader.readAsDataURL(blob)
    })
  } catch {
    return null
  }
}
