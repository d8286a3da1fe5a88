import { SpoolError } from './error.ts'
import { readLines } from './lines.ts'
import { pause } from './retry.ts'

/** Spool sends a keep-alive every 15 seconds: a connection that is silent for longer than this is dead. */
const silence = 45_000

export interface FollowOptions {
  /** The last `seq` you have seen; without it, events start with the oldest one kept. */
  after?: number
  /** Ends the loop. */
  signal?: AbortSignal
  /**
   * Called when the events after your position are no longer kept (30 days): reload the threads here. The stream then
   * continues with the oldest event kept. Without this callback, an error with the code `resync` is thrown.
   */
  onResync?: () => Promise<void> | void
}

interface Numbered {
  data: { seq: number }
}

/** Opens the stream of events after a position. `isAgain`: it was open before, so retry without limit. */
export type OpenStream = (
  after: number | null,
  signal: AbortSignal,
  isAgain: boolean,
) => Promise<ReadableStream<Uint8Array> | null>

/**
 * Every event once and in order, until `signal` aborts. A broken connection is reopened where it broke, so there are no
 * gaps.
 */
export async function* follow<Event extends Numbered>(
  open: OpenStream,
  { after, signal, onResync }: FollowOptions,
): AsyncGenerator<Event> {
  let last = after ?? null
  let wasOpen = false
  for (;;) {
    if (signal?.aborted) return
    const connection = new AbortController()
    const stop = (): void => connection.abort()
    signal?.addEventListener('abort', stop, { once: true })
    let watchdog: ReturnType<typeof setTimeout> | undefined
    try {
      const body = await open(last, connection.signal, wasOpen)
      wasOpen = true
      watchdog = setTimeout(stop, silence)
      let id: number | null = null
      let data: string | null = null
      for await (const line of body ? readLines(body) : []) {
        clearTimeout(watchdog)
        watchdog = setTimeout(stop, silence)
        if (line.startsWith('id: ')) id = Number(line.slice(4))
        else if (line.startsWith('data: ')) data = line.slice(6)
        // An empty line completes an event. Without data it is a keep-alive: no event up to that id is for this client.
        if (line !== '' || id === null) continue
        last = Math.max(last ?? 0, id)
        if (data !== null) yield JSON.parse(data) as Event
        id = data = null
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof SpoolError) {
        if (error.code !== 'resync' || !onResync) throw error
        await onResync()
        last = null
      } else if (!wasOpen) throw error
    } finally {
      clearTimeout(watchdog)
      signal?.removeEventListener('abort', stop)
      connection.abort()
    }
    await pause(500 + Math.random() * 500, signal).catch(() => undefined)
  }
}
