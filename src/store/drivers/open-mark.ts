import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'

/** A file next to a SQLite store while a server has it open. If it is there at start-up, the last server crashed. */
export class OpenMark {
  readonly #path: string
  /** Read before anything is opened. */
  readonly wasLeft: boolean

  constructor(file: string) {
    this.#path = `${file}-open`
    // A leftover WAL also means an unclean stop, of a command or an older version. If another process has the store
    // open, the WAL proves nothing and only costs an extra check.
    this.wasLeft = existsSync(this.#path) || existsSync(`${file}-wal`)
  }

  async set(): Promise<void> {
    // A server must still start on a full disk.
    await writeFile(this.#path, '', { mode: 0o600 }).catch(() => undefined)
  }

  async remove(): Promise<void> {
    // If removing fails, the only cost is another check at the next start.
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}
