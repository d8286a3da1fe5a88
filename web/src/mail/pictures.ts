import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { urlOf } from '../page/api.ts'
import { examineHtml } from './document.ts'
import type { RemotePictures } from './remote-pictures.ts'

/** Pictures attached to the mail, by attachment, as `data:` URLs: the frame has no session, so the page fetches them. */
export function useInlinePictures(html: string): ReadonlyMap<string, string> {
  const pictures = useSignal<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    const { inline } = examineHtml(html)
    if (inline.length === 0) return
    const gone = new AbortController()
    const read = async (id: string): Promise<[string, string][]> => {
      const data = await readPicture(urlOf(`/attachments/${id}`, { query: { inline: '1' } }), gone.signal)
      return data === null ? [] : [[id, data]]
    }
    // Each once, so that all together are no larger than the mail.
    void Promise.all([...new Set(inline)].map(read)).then((found) => {
      if (!gone.signal.aborted) pictures.value = new Map(found.flat())
    })
    return () => gone.abort()
  }, [html])
  return pictures.value
}

/** Pictures on the sender's servers, which Spool fetches once the user wants them. */
export function useRemotePictures(messageId: string, count: number, wanted: boolean): RemotePictures {
  const pictures = useSignal<RemotePictures>({ loaded: new Map(), isDone: false })
  useEffect(() => {
    if (!wanted) return
    const gone = new AbortController()
    const show = (some: RemotePictures): void => void (pictures.value = some)
    import('./remote-pictures.ts').then(
      ({ loadRemote }) => loadRemote({ messageId, count, gone: gone.signal, read: readPicture }, show),
      () => gone.signal.aborted || show({ loaded: new Map(), isDone: true }),
    )
    return () => gone.abort()
  }, [messageId, count, wanted])
  return pictures.value
}

/** Null if it is none, or cannot be loaded. */
async function readPicture(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { signal })
    const blob = await response.blob()
    if (!response.ok || !/^image\/(png|jpeg|gif|webp|avif)$/.test(blob.type)) return null
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
