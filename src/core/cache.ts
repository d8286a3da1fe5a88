import type { VersionScope } from '../store/log/versions.ts'
import type { Versions } from './freshness.ts'

const mostBytes = 12_000_000
const largestEntry = 1_000_000

/** A cached response with the scopes it was built from and their versions at that time. */
interface Entry {
  /** Null after the first request: the key has an entry, but no value yet. */
  value: unknown
  bytes: number
  scopes: readonly VersionScope[]
  stamp: string
  /** The versions it was last compared with. Weakly: an answer that nobody asks for again would keep them. */
  compared: WeakRef<Versions>
}

/**
 * Finished responses for every door. One freshness rule: an entry is valid while its scopes have the versions it was
 * built at. One eviction rule: beyond 12 MB the oldest entries go. The first request for a key stores no value, because
 * a client that walks through a list never requests the same page again; it only takes a place in the eviction order.
 */
export class Cache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  find<Value>(key: string, versions: Versions): Value | null {
    const entry = this.#entries.get(key)
    if (!entry || entry.value === null) return null
    if (entry.compared.deref() !== versions) {
      if (entry.stamp !== stampOf(entry.scopes, versions)) return null
      entry.compared = new WeakRef(versions)
    }
    return entry.value as Value
  }

  /** `versions` must have been read before the data that the value was built from. */
  keep(
    key: string,
    { bytes, scopes, versions }: { bytes: number; scopes: readonly VersionScope[]; versions: Versions },
    make: () => unknown,
  ): void {
    if (bytes > largestEntry) return
    const value = this.#drop(key) ? make() : null
    const stamp = stampOf(scopes, versions)
    this.#entries.set(key, { value, bytes, scopes, stamp, compared: new WeakRef(versions) })
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
