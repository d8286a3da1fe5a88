import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'

/**
 * A file next to a SQLite store while a server has it open. If it exists at start-up, the last server crashed. It holds
 * the number of the last event, which reveals lost commits at the next start: SQLite itself opens a store whose WAL was
 * deleted as if nothing had happened.
 */
export class OpenMark {
  readonly #path: string
  /** Read before anything is opened. */
  readonly wasLeft: boolean
  /** The number of the last event when the last server crashed, as far as it was noted. */
  readonly lastSeq: number
  #written = ''
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string) {
    this.#path = `${file}-open`
    const isLeft = existsSync(this.#path)
    // A leftover WAL also means an unclean stop, of a command or an older version. If another process has the store
    // open, the WAL proves nothing and only costs an extra check.
    this.wasLeft = isLeft || existsSync(`${file}-wal`)
    this.lastSeq = isLeft ? readNumber(this.#path) : 0
  }

  async set(lastSeq: number): Promise<void> {
    const text = String(lastSeq)
    if (text === this.#written) return
    this.#written = text
    // A server must still start on a full disk.
    this.#writing = writeFile(this.#path, text, { mode: 0o600 }).catch(() => undefined)
    await this.#writing
  }

  async remove(): Promise<void> {
    await this.#writing
    // If removing fails, the only cost is another check at the next start.
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

function readNumber(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) || 0
  } catch {
    return 0
  }
}
