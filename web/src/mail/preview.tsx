import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AttachmentReference } from '../../../src/model/history.ts'
import { urlOf } from '../page/api.ts'
// oxlint-disable-next-line import/default -- Vite bundles the script and gives its address.
import pdfScript from './pdf-frame.ts?worker&url'
import { writePdfFrame } from './frame-policy.ts'
import { texts } from './texts.ts'
import '../style/preview.css'

interface Shown {
  file: AttachmentReference
}

/** A file's content, or null while it is loading. Calls `onProblem` if loading fails. */
function useContent({ file }: Shown, onProblem: () => void): ArrayBuffer | null {
  const content = useSignal<ArrayBuffer | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const load = async (): Promise<void> => {
      const response = await fetch(urlOf(`/attachments/${file.id}`), { signal: gone.signal })
      if (!response.ok) throw new Error(String(response.status))
      content.value = await response.arrayBuffer()
    }
    load().catch(() => gone.signal.aborted || onProblem())
    return () => gone.abort()
  }, [file.id])
  return content.value
}

/** A text file or a PDF, in a dialog. */
export function Preview({ file, kind }: Shown & { kind: 'text' | 'pdf' }): JSX.Element {
  const problem = useSignal(false)
  const content = useContent({ file }, () => (problem.value = true))
  if (problem.value) return <p role="alert">{texts.preview.failed}</p>
  if (content === null) return <p role="status">{texts.preview.loading}</p>
  return kind === 'text' ? (
    <TextPages content={content} />
  ) : (
    <PdfPages content={content} name={file.filename} onProblem={() => (problem.value = true)} />
  )
}

const longestText = 200_000

function TextPages({ content }: { content: ArrayBuffer }): JSX.Element {
  const text = decode(content)
  return (
    <>
      <pre class="preview-text" tabIndex={0}>
        {text.slice(0, longestText)}
      </pre>
      {text.length > longestText && <p>{texts.preview.cut}</p>}
    </>
  )
}

function decode(content: ArrayBuffer): string {
  const [first, second] = new Uint8Array(content)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

/** Uses a frame with an opaque origin: whatever a PDF does to its viewer, it reaches neither session nor network. */
function PdfPages({
  content,
  name,
  onProblem,
}: {
  content: ArrayBuffer
  name: string
  onProblem: () => void
}): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent): void => {
      const target = frame.current?.contentWindow
      if (!target || source !== target) return
      // The frame has an opaque origin, so no target origin can be named. Nothing else can be in it.
      if (data === 'ready') target.postMessage(content.slice(), '*')
      else if (data === 'failed') onProblem()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [content])
  return (
    <iframe
      ref={frame}
      class="preview-pdf"
      title={texts.preview.frame(name)}
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      srcdoc={writePdfFrame(new URL(pdfScript, location.href).href)}
    />
  )
}
