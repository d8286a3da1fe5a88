import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { urlOf } from '../page/api.ts'
import { examineHtml } from './document.ts'

/** Pictures as `data:` URLs: the frame has no session, so the page fetches them for it. */
type Pictures<Key> = ReadonlyMap<Key, string>

/** Pictures attached to the mail, by attachment. */
export function useInlinePictures(html: string): Pictures<string> {
  const pictures = useSignal<Pictures<string>>(new Map())
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

export interface RemotePictures {
  /** By their number among the remote pictures of the mail. */
  loaded: Pictures<number>
  isDone: boolean
}

const mostPictures = 100
const mostBytes = 30_000_000
/** Few, so that a slow sender does not block the page's own requests. */
const atOnce = 3
/** The frame is rewritten to show new pictures, so it is not updated for each one. */
const pause = 1000

/** Pictures on the sender's servers, which Spool fetches once the user wants them. */
export function useRemotePictures(messageId: string, count: number, wanted: boolean): RemotePictures {
  const pictures = useSignal<RemotePictures>({ loaded: new Map(), isDone: false })
  useEffect(() => {
    if (!wanted) return
    const gone = new AbortController()
    void loadRemote(messageId, count, gone.signal, (some) => (pictures.value = some))
    return () => gone.abort()
  }, [messageId, count, wanted])
  return pictures.value
}

async function loadRemote(
  messageId: string,
  count: number,
  gone: AbortSignal,
  show: (some: RemotePictures) => void,
): Promise<void> {
  const loaded = new Map<number, string>()
  const last = Math.min(count, mostPictures)
  let [next, bytes, shown] = [0, 0, performance.now()]
  const load = async (): Promise<void> => {
    while (next < last && bytes < mostBytes) {
      const number = next++
      const data = await readPicture(urlOf(`/messages/${messageId}/pictures/${String(number)}`), gone)
      if (gone.aborted) return
      if (data === null) continue
      loaded.set(number, data)
      bytes += data.length
      if (performance.now() - shown < pause) continue
      shown = performance.now()
      show({ loaded: new Map(loaded), isDone: false })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, load))
  if (!gone.aborted) show({ loaded, isDone: true })
}

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
