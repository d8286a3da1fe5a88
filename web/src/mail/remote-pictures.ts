import { urlOf } from '../page/api.ts'

export interface RemotePictures {
  /** By their number among the remote pictures of the mail, as `data:` URLs. */
  loaded: ReadonlyMap<number, string>
  isDone: boolean
}

const mostPictures = 100
const mostBytes = 30_000_000
/** Few, so that a slow sender does not block the page's own requests. */
const atOnce = 3
/** The frame is rewritten to show new pictures, so it is not updated for each one. */
const pause = 1000

export async function loadRemote(
  {
    messageId,
    count,
    gone,
    read,
  }: {
    messageId: string
    count: number
    gone: AbortSignal
    read: (url: string, gone: AbortSignal) => Promise<string | null>
  },
  show: (some: RemotePictures) => void,
): Promise<void> {
  const loaded = new Map<number, string>()
  const last = Math.min(count, mostPictures)
  let [next, bytes, shown] = [0, 0, performance.now()]
  const load = async (): Promise<void> => {
    while (next < last && bytes < mostBytes) {
      const number = next++
      const data = await read(urlOf(`/messages/${messageId}/pictures/${String(number)}`), gone)
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
