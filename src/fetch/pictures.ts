import { SpoolError } from '../model/errors.ts'
import { rasterType, type Raster } from '../model/files/raster.ts'
import { Connections, unlessAborted } from '../webhook/connections.ts'
import type { Guard } from '../webhook/guard.ts'
import { FetchFailed, getBytes } from './get.ts'

const mostBytes = 10_000_000
/** For the whole fetch: DNS, connect, redirects and body. */
const timeLimit = 10_000
/** Concurrent fetches. */
const mostAtOnce = 8
const mostKeptBytes = 32_000_000

/**
 * Fetches remote pictures for readers. Recently used ones are cached, so that a sender sees one request instead of one
 * per reading; callers that ask for a picture while it is being fetched share the same request.
 */
export class PictureFetcher implements AsyncDisposable {
  readonly #guard: Guard
  readonly #timeLimit: number
  readonly #connections = new Connections()
  readonly #stopping = new AbortController()
  readonly #kept = new Map<string, Raster>()
  #keptBytes = 0
  readonly #underWay = new Map<string, { coming: Promise<Raster>; readers: AbortSignal[] }>()
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(guard: Guard, limit = timeLimit) {
    this.#guard = guard
    this.#timeLimit = limit
  }

  /** A caller that disconnects stops waiting; a fetch that has begun continues, and its result is cached. */
  async fetch(address: string, gone: AbortSignal): Promise<Raster> {
    const kept = this.#kept.get(address)
    if (kept) {
      this.#keep(address, kept)
      return kept
    }
    let underWay = this.#underWay.get(address)
    if (underWay) underWay.readers.push(gone)
    else {
      const readers = [gone]
      const coming = this.#load(address, readers).finally(() => this.#underWay.delete(address))
      this.#underWay.set(address, (underWay = { coming, readers }))
    }
    try {
      return await unlessAborted(underWay.coming, gone)
    } catch (error) {
      if (gone.aborted) throw new SpoolError('not_ready', 'This request was cancelled. Try again.')
      throw error
    }
  }

  async #load(address: string, readers: readonly AbortSignal[]): Promise<Raster> {
    if (this.#running >= mostAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      if (readers.every(({ aborted }) => aborted)) throw new FetchFailed('nobody waits for it')
      const picture = await this.#read(address)
      this.#keep(address, picture)
      return picture
    } catch (error) {
      throw new SpoolError('not_found', `This picture cannot be loaded: ${this.#describe(error as Error)}.`)
    } finally {
      // The next in the queue takes over this slot, so the count stays.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  async #read(address: string): Promise<Raster> {
    const bytes = await getBytes(address, {
      guard: this.#guard,
      connections: this.#connections,
      accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
      mostBytes,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(this.#timeLimit)]),
    })
    const type = rasterType(bytes)
    if (type === null) throw new FetchFailed('it is not a PNG, JPEG, GIF, WebP or AVIF picture')
    return { type, bytes }
  }

  /** Moves the picture to the end: the least recently used one is first and is evicted first. */
  #keep(address: string, picture: Raster): void {
    this.#keptBytes += picture.bytes.length - this.#drop(address)
    this.#kept.set(address, picture)
    while (this.#keptBytes > mostKeptBytes) this.#keptBytes -= this.#drop(this.#kept.keys().next().value!)
  }

  /** Returns how many bytes were freed. */
  #drop(address: string): number {
    const size = this.#kept.get(address)?.bytes.length ?? 0
    this.#kept.delete(address)
    return size
  }

  #describe(error: Error & { code?: string }): string {
    if (error instanceof FetchFailed) return error.message
    if (error instanceof SpoolError) return error.message.replace(/\.$/, '')
    if (error.name === 'TimeoutError') return `it took longer than ${this.#timeLimit / 1000} seconds`
    return `its server could not be reached (${error.code ?? error.name})`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new FetchFailed('Spool is stopping'))
    await this.#connections[Symbol.asyncDispose]()
  }
}
