import { setTimeout as sleep } from 'node:timers/promises'

export interface Read {
  began: number
  ended: number
  /** Status of the last attempt; 0 if there was no response. */
  status: number
  attempts: number
}

export interface Reading {
  url: string
  token: string
  paths: readonly string[]
  readers: number
  /** Pause between two reads of a reader, in milliseconds. */
  pause: number
}

/** Clients that read continuously; a failed read is retried once. */
export class Readers implements AsyncDisposable {
  readonly reads: Read[] = []
  readonly #reading: Reading
  readonly #end = new AbortController()
  readonly #running: Promise<unknown>

  constructor(reading: Reading) {
    this.#reading = reading
    this.#running = Promise.all(Array.from({ length: reading.readers }, () => this.#run()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { url, token, paths, pause } = this.#reading
    while (!this.#end.signal.aborted) {
      const began = performance.now()
      const address = url + paths[this.reads.length % paths.length]
      let attempts = 1
      let status = await askFor(address, token)
      if (status !== 200) {
        await sleep(500)
        attempts++
        status = await askFor(address, token)
      }
      this.reads.push({ began, ended: performance.now(), status, attempts })
      await sleep(pause)
    }
  }
}

/** The status of the response; 0 if there was none. */
export function askFor(address: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(address, { headers, signal: AbortSignal.timeout(20_000) }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => 0,
  )
}
