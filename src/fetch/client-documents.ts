import { SpoolError } from '../model/errors.ts'
import { Connections, unlessAborted } from '../webhook/connections.ts'
import type { Guard } from '../webhook/guard.ts'
import { readBody } from './get.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** For the whole fetch: DNS, connect and body. */
const timeLimit = 5_000
const mostBytes = 32_000
const mostKept = 200
const longestKept = 86_400_000

interface Kept {
  text: string
  until: number
}

/** Fetches the metadata that OAuth clients publish at the address that is their id. */
export class ClientDocuments implements AsyncDisposable {
  readonly #guard: Guard
  readonly #connections = new Connections()
  readonly #kept = new Map<string, Kept>()

  constructor(guard: Guard) {
    this.#guard = guard
  }

  /** Cached as long as the document's headers allow, a day at most. Redirects are not followed. */
  async fetch(address: string): Promise<string> {
    const kept = this.#kept.get(address)
    if (kept && kept.until > Date.now()) return kept.text
    this.#kept.delete(address)
    const limit = AbortSignal.timeout(timeLimit)
    try {
      const found = await unlessAborted(this.#load(address, limit), limit)
      if (found.until > Date.now()) this.#kept.set(address, found)
      if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value!)
      return found.text
    } catch (error) {
      if (error instanceof SpoolError) throw error
      throw unreadable(limit.aborted ? 'it took longer than 5 seconds' : 'its server did not answer')
    }
  }

  async #load(address: string, signal: AbortSignal): Promise<Kept> {
    const target = await this.#guard.check(address).catch(() => {
      throw unreadable('its address is not https, or not public')
    })
    return this.#connections.use(target, async (pool) => {
      const { statusCode, headers, body } = await pool.request({
        path: target.url.pathname + target.url.search,
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': `Spool/${packageJson.version}` },
        signal,
      })
      try {
        if (statusCode !== 200) throw unreadable(`its server answered ${statusCode}`)
        const tooLarge = unreadable(`it is larger than ${mostBytes} bytes`)
        const text = (await readBody(body, mostBytes, tooLarge)).toString()
        return { text, until: Date.now() + lifeOf(headers) }
      } finally {
        // Do not wait for the rest of a body that was not read to the end.
        body.on('error', () => undefined).destroy()
      }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]()
  }
}

/** Cache lifetime in milliseconds; 0 if the headers give none. */
function lifeOf({ 'cache-control': control, age }: Record<string, string | string[] | undefined>): number {
  const words = String(control ?? '').toLowerCase()
  if (/\bno-(store|cache)\b/.test(words)) return 0
  const seconds = Number(/\bmax-age=(\d{1,9})/.exec(words)?.[1] ?? 0) - (Number(age ?? 0) || 0)
  return Math.min(longestKept, Math.max(0, seconds * 1000))
}

function unreadable(reason: string): SpoolError {
  return new SpoolError(
    'bad_parameter',
    `What the program says about itself could not be read: ${reason}. Try again, or tell whoever makes it.`,
  )
}
