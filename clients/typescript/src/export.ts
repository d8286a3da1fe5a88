import { SpoolError } from './error.ts'
import { readLines } from './lines.ts'
import { pause } from './retry.ts'
import type { components } from './schema.ts'

type Schemas = components['schemas']

/** A complete thread of an export. */
export interface ExportedThread {
  thread: Schemas['ThreadSummary']
  /** Oldest first. */
  history: Schemas['HistoryEntry'][]
  /** Empty if the token may not read notes. */
  notes: Schemas['Note'][]
}

/** Opens an export that continues after a cursor. */
export type OpenExport = (cursor: string | null) => Promise<ReadableStream<Uint8Array> | null>

/** Gives up after this many interruptions in a row without a complete thread in between. */
const mostCuts = 5

/** Everything in your view, thread by thread; an interrupted export resumes where it broke off. */
export class Export implements AsyncIterable<ExportedThread> {
  readonly #open: OpenExport
  readonly #signal: AbortSignal | undefined
  #cursor: string | null

  constructor(open: OpenExport, cursor: string | null, signal?: AbortSignal) {
    this.#open = open
    this.#cursor = cursor
    this.#signal = signal
  }

  /**
   * The position after the current thread: store it to resume after that thread another time. After the last thread, it
   * is the position from which the next export returns what has changed since.
   */
  get cursor(): string | null {
    return this.#cursor
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ExportedThread> {
    for (let cuts = 0; cuts < mostCuts; cuts++) {
      let current: (ExportedThread & { cursor: string }) | null = null
      try {
        const body = await this.#open(this.#cursor)
        for await (const line of body ? readLines(body) : []) {
          const row = JSON.parse(line) as Schemas['KnownExportRow']
          if (row.type === 'entry') current?.history.push(row.entry)
          if (row.type === 'note') current?.notes.push(row.note)
          if (row.type !== 'thread' && row.type !== 'end') continue
          // A new thread or the end follows, so the previous thread is complete.
          if (current) {
            const { cursor, ...whole } = current
            this.#cursor = cursor
            cuts = 0
            yield whole
          }
          if (row.type === 'end') {
            this.#cursor = row.cursor
            return
          }
          current = { cursor: row.cursor, thread: row.thread, history: [], notes: [] }
        }
      } catch (error) {
        if (error instanceof SpoolError || this.#signal?.aborted) throw error
      }
      await pause(500 + Math.random() * 500, this.#signal)
    }
    throw new Error('The export was cut off again and again; go on later with its cursor.')
  }
}
