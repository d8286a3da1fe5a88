import type { VersionScope } from '../store/log/versions.ts'
import type { Versions } from './freshness.ts'

const mostBytes = 12_000_000
const largestEntry = 1_000_000

/** What an answer was made from: scopes, each with its version at that time. */
interface Entry {
  /** Null after the first time it was asked for: its place is taken, but empty. */
  value: unknown
  bytes: number
  scopes: readonly VersionScope[]
  stamp: string
  /** The versions it was last held against. */
  versions: Versions
}

/**
 * Finished answers of every door. One rule of freshness: an entry is good for as long as its scopes have the versions it
 * was made at. One rule of eviction: beyond 12 MB the oldest go. What is asked for once is not kept, because a client
 * that walks through a list comes by no page again; it only takes its place among the oldest.
 */
export class Cache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  find<Value>(key: string, versions: Versions): Value | null {
    const entry = this.#entries.get(key)
    if (!entry || entry.value === null) return null
    if (entry.versions !== versions) {
      if (entry.stamp !== stampOf(entry.scopes, versions)) return null
      entry.versions = versions
    }
    return entry.value as Value
  }

  /** `versions` must have been read before what the value was made from. */
  keep(
    key: string,
    { bytes, scopes, versions }: { bytes: number; scopes: readonly VersionScope[]; versions: Versions },
    make: () => unknown,
  ): void {
    if (bytes > largestEntry) return
    const value = this.#drop(key) ? make() : null
    this.#entries.set(key, { value, bytes, scopes, stamp: stampOf(scopes, versions), versions })
    this.#bytes += bytes
    while (this.#bytes > mostBytes) this.#drop(this.#entries.keys().next().value!)
  }

  #drop(key: string): boolean {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    return this.#entries.delete(key)
  }
}

export function stampOf(scopes: readonly VersionScope[], versions: Versions): string {
  return scopes.map((scope) => versions.get(scope) ?? 0).join('.')
}
