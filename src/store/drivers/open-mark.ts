import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'

/** A file that lies beside a SQLite store while a server has it open: one that is there at a start was left by a crash. */
export class OpenMark {
  readonly #path: string
  /** Known at the start, before anything is opened. */
  readonly wasLeft: boolean

  constructor(file: string) {
    this.#path = `${file}-open`
    // The log of a store that nobody has open was left, too: by a command, or by a server of an older version. While
    // somebody has it open it says nothing, and costs a check that is not needed.
    this.wasLeft = existsSync(this.#path) || existsSync(`${file}-wal`)
  }

  async set(): Promise<void> {
    // On a full disk a server must still start.
    await writeFile(this.#path, '', { mode: 0o600 }).catch(() => undefined)
  }

  async remove(): Promise<void> {
    // One that stays costs another check at the next start; the store itself is closed.
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}
