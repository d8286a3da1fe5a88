import type { Caller } from '../model/access.ts'
import type { Versions } from './freshness.ts'

const mostBytes = 12_000_000
const largestAnswer = 1_000_000

/** Of what was asked longer ago nothing would be left here anyway. */
const mostAsked = 300

/**
 * Finished answers, each good for as long as nothing in its caller's view has changed. The oldest go when there are too
 * many.
 */
export class AnswerMemory<Answer extends { stamp: string; length: number }> {
  readonly #answers = new Map<string, Answer>()
  readonly #stamps = new WeakMap<Versions, Map<string, string>>()
  readonly #asked = new Set<string>()
  #bytes = 0

  find(key: string, stamp: string): Answer | null {
    const answer = this.#answers.get(key)
    if (answer?.stamp !== stamp) return null
    return answer
  }

  /** Only what is asked for a second time: whoever walks through all pages leaves nothing behind. Answers whether it was. */
  keep(key: string, length: number, finish: () => Answer): boolean {
    if (length > largestAnswer || !this.#wasAsked(key)) return false
    const answer = finish()
    this.#forget(key)
    this.#answers.set(key, answer)
    this.#bytes += answer.length + key.length
    // The oldest first: an answer that is still asked for and still true is made again at little cost.
    while (this.#bytes > mostBytes) this.#forget(this.#answers.keys().next().value!)
    return true
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
    this.#bytes -= answer.length + key.length
  }

  /** What the answer to this caller depends on: who may see what, what the person has read, and each inbox. */
  stamp({ user, inboxes }: Caller, viewKey: string, versions: Versions): string {
    let stamps = this.#stamps.get(versions)
    if (!stamps) this.#stamps.set(versions, (stamps = new Map()))
    let stamp = stamps.get(viewKey)
    if (stamp === undefined) {
      const scopes = ['access', `user:${user.id}`, ...inboxes.map(({ number }) => `inbox:${number}`)]
      stamp = scopes.map((scope) => versions.get(scope) ?? 0).join('.')
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
