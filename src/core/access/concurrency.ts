import { SpoolError } from '../../model/errors.ts'

/** Limits how much each key has open at once, in this process. */
export class ConcurrencyLimit {
  readonly #open = new Map<string, number>()
  readonly #most: number
  readonly #refusal: string

  /** `refusal` says what to close. */
  constructor(most: number, refusal: string) {
    this.#most = most
    this.#refusal = refusal
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  /** Counts until it is disposed. */
  begin(key: string): Disposable {
    const count = this.#open.get(key) ?? 0
    if (count >= this.#most)
      throw new SpoolError('rate_limited', this.#refusal, { details: { retryAfter: 1 } })
    this.#open.set(key, count + 1)
    return {
      [Symbol.dispose]: () => {
        const left = this.#open.get(key)! - 1
        if (left > 0) this.#open.set(key, left)
        else this.#open.delete(key)
      },
    }
  }
}
