import type { Database } from '../store/db.ts'
import { readVersions, type Versions } from '../store/log/versions.ts'

export type { Versions }

/**
 * Tells whether something read earlier is still current, whichever process has written since. On SQLite this checks the
 * version of the file; on PostgreSQL it takes one small query, shared by all requests that arrived before it was sent.
 */
export class Freshness {
  readonly #db: Database
  #versions: Versions | null = null
  #dataVersion: number | null = null
  #asking: Promise<Versions> | null = null
  #next: Promise<Versions> | null = null

  constructor(db: Database) {
    this.#db = db
  }

  async current(): Promise<Versions> {
    const dataVersion = this.#db.dataVersion()
    if (dataVersion !== null && dataVersion === this.#dataVersion) return this.#versions!
    if (!this.#asking) return this.#ask()
    // A query in flight may predate this request, so wait for the next one. If the one in flight fails, this call fails
    // too: another query would also fail, and no sooner.
    this.#next ??= this.#asking.finally(() => (this.#next = null)).then(() => this.#ask())
    return this.#next
  }

  /** Cleared after it is set, even if reading fails at once: a failure must not be kept. */
  #ask(): Promise<Versions> {
    return (this.#asking = this.#read().finally(() => (this.#asking = null)))
  }

  async #read(): Promise<Versions> {
    // Read the version before the data: after a commit in between, the next call queries again.
    const dataVersion = this.#db.dataVersion()
    this.#versions = await readVersions(this.#db, this.#versions)
    this.#dataVersion = dataVersion
    return this.#versions
  }
}
