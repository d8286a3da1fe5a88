import type { Versions } from '../core/freshness.ts'
import type { Caller } from '../model/access.ts'
import { tagOf } from './etag.ts'

export interface Remembered {
  stamp: string
  body: Uint8Array
  etag: string
  link: string | null
}

/** The versions of a caller's view as text, and as an `ETag` for what changes with any of them. */
export interface Stamp {
  text: string
  tag: string
}

const mostBytes = 32_000_000
const largestAnswer = 1_000_000

/** Of what was asked longer ago nothing would be left here anyway. */
const mostAsked = 1_000

/**
 * Finished answers, each good for as long as nothing in its caller's view has changed. The oldest go when there are too
 * many.
 */
export class AnswerMemory {
  readonly #answers = new Map<string, Remembered>()
  readonly #stamps = new WeakMap<Versions, Map<string, Stamp>>()
  readonly #asked = new Set<string>()
  #bytes = 0
  readonly #release: () => string

  /** `release`: what else the same store and caller are answered differently by. */
  constructor(release: () => string) {
    this.#release = release
  }

  find(key: string, stamp: string): Remembered | null {
    const answer = this.#answers.get(key)
    if (answer?.stamp !== stamp) return null
    return answer
  }

  /** Only what is asked for a second time: whoever walks through all pages leaves nothing behind. */
  keep(key: string, answer: Remembered): void {
    if (answer.body.length > largestAnswer || !this.#wasAsked(key)) return
    this.#forget(key)
    this.#answers.set(key, answer)
    this.#bytes += answer.body.length + key.length
    // The oldest first: an answer that is still asked for and still true is made again at little cost.
    while (this.#bytes > mostBytes) this.#forget(this.#answers.keys().next().value!)
  }

  #wasAsked(key: string): boolean {
    if (this.#answers.has(key) || this.#asked.delete(key)) return true
    this.#asked.add(key)
    if (this.#asked.size > mostAsked) this.#asked.delete(this.#asked.keys().next().value!)
    return false
  }

  #forget(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#bytes -= answer.body.length + key.length
  }

  /** What the answer to this caller depends on: who may see what, what the person has read, and each inbox. */
  stamp({ user, inboxes }: Caller, viewKey: string, versions: Versions): Stamp {
    let stamps = this.#stamps.get(versions)
    if (!stamps) this.#stamps.set(versions, (stamps = new Map()))
    let stamp = stamps.get(viewKey)
    if (stamp === undefined) {
      const scopes = ['access', `user:${user.id}`, ...inboxes.map(({ number }) => `inbox:${number}`)]
      const text = scopes.map((scope) => versions.get(scope) ?? 0).join('.')
      stamp = { text, tag: tagOf(`${viewKey} ${text} ${this.#release()}`) }
      stamps.set(viewKey, stamp)
    }
    return stamp
  }
}

const viewKeys = new WeakMap<Caller, string>()

/** Tokens of one person that see the same inboxes get the same answers. */
export function viewKey(caller: Caller): string {
  let key = viewKeys.get(caller)
  if (key === undefined) {
    key = `${caller.user.id} ${caller.inboxes.map(({ number }) => number).join(',')}`
    viewKeys.set(caller, key)
  }
  return key
}
