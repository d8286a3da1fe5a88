import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AttachmentReference } from '../../../src/model/history.ts'
import { getUnless, urlOf } from '../page/api.ts'
// oxlint-disable-next-line import/default -- Vite bundles the script and gives its address.
import pdfScript from './pdf-frame.ts?worker&url'
import { writePdfFrame } from './frame-policy.ts'
import { texts } from './texts.ts'
import '../style/preview.css'

interface Loading {
  file: AttachmentReference
  onProblem: () => void
}

/** What was loaded, or null while it is loading. Calls `onProblem` if loading fails. */
function useLoaded<Content>(
  { file, onProblem }: Loading,
  load: (gone: AbortSignal) => Promise<Content>,
): Content | null {
  const content = useSignal<Content | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    load(gone.signal).then(
      (loaded) => (content.value = loaded),
      () => gone.signal.aborted || onProblem(),
    )
    return () => gone.abort()
  }, [file.id])
  return content.value
}

/** A text file or a PDF, in a dialog. */
export function Preview({ file, kind }: Pick<Loading, 'file'> & { kind: 'text' | 'pdf' }) {
  const problem = useSignal(false)
  if (problem.value) return <p role="alert">{texts.preview.failed}</p>
  const Pages = kind === 'text' ? TextPages : PdfPages
  return <Pages file={file} onProblem={() => (problem.value = true)} />
}

/** The server decodes the text, so that people and agents read the same. */
function TextPages(loading: Loading) {
  const content = useLoaded(loading, async (gone) => {
    const { text, note } = await getUnless(gone, `/attachments/${loading.file.id}/text`)
    if (text === null) throw new Error(note ?? '')
    return { text, note }
  })
  if (content === null) return <p role="status">{texts.preview.loading}</p>
  return (
    <>
      <pre class="preview-text" tabIndex={0}>
        {content.text}
      </pre>
      {content.note && <p>{content.note}</p>}
    </>
  )
}

/** Uses a frame with an opaque origin: whatever a PDF does to its viewer, it reaches neither session nor network. */
function PdfPages({ file, onProblem }: Loading) {
  const content = useLoaded({ file, onProblem }, async (signal) => {
    const response = await fetch(urlOf(`/attachments/${file.id}`), { signal })
    if (!response.ok) throw new Error(String(response.status))
    return response.arrayBuffer()
  })
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent): void => {
      const target = frame.current?.contentWindow
      if (!target || source !== target) return
      // The frame has an opaque origin, so no target origin can be named. Nothing else can be in it.
      if (data === 'ready' && content) target.postMessage(content.slice(), '*')
      else if (data === 'failed') onProblem()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [content])
  if (content === null) return <p role="status">{texts.preview.loading}</p>
  return (
    <iframe
      ref={frame}
      class="preview-pdf"
      title={texts.preview.frame(file.filename)}
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      srcdoc={writePdfFrame(new URL(pdfScript, location.href).href)}
    />
  )
}
