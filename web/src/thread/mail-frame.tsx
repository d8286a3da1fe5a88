import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { words } from '../words.ts'
import { frameSandbox } from './frame-policy.ts'
import { examineHtml, writeDocument } from './mail-document.ts'

/**
 * A mail's HTML in a frame of its own, of no origin and without script. Because nothing can look into such a frame, its
 * height is measured in a hidden one, equally without script, that is taken away at once.
 */
export function MailFrame({
  html,
  name,
  folded,
  cited,
  pictureUrl,
}: {
  html: string
  name: string
  folded: boolean
  cited: readonly string[]
  /** Where the mail is with pictures of other servers, once they were asked for. */
  pictureUrl: string | null
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const height = useSignal(120)
  const pictures = useInlinePictures(html)
  const text = useMemo(
    () => writeDocument(html, { folded, cited, pictures }),
    [html, folded, cited.join('\n'), pictures],
  )
  useEffect(() => {
    let width = 0
    let running: AbortController | null = null
    const fit = (): void => {
      const now = box.current?.clientWidth ?? 0
      if (now === 0 || now === width) return
      width = now
      running?.abort()
      running = new AbortController()
      void measure(text, now, running.signal).then((found) => {
        if (found !== null) height.value = found
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
  const shown = pictureUrl === null ? { srcdoc: text } : { src: pictureUrl }
  return (
    <div class="mail-frame" ref={box}>
      <iframe
        key={pictureUrl ?? 'text'}
        title={words.message.frame(name)}
        sandbox={frameSandbox}
        referrerpolicy="no-referrer"
        style={{ height: `${pictureUrl === null ? height.value : Math.max(height.value, 480)}px` }}
        {...shown}
      />
    </div>
  )
}

async function measure(text: string, width: number, signal: AbortSignal): Promise<number | null> {
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
  const found = signal.aborted || !root ? null : root.scrollHeight + (root.scrollWidth > width ? 18 : 0)
  frame.remove()
  return found
}

const none: ReadonlyMap<string, string> = new Map()

/** A frame of no origin has no session, so the page fetches what the mail shows inside itself. */
function useInlinePictures(html: string): ReadonlyMap<string, string> {
  const pictures = useSignal(none)
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
    const response = await fetch(`/app/api/attachments/${id}?inline=1`)
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
