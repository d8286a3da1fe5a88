import { SpoolError } from '../../model/errors.ts'

/** A derivation takes 19 MiB and some 40 ms of one core. */
const mostAtOnce = 2
const mostWaiting = 16

/** Known are those who are signed in, have a link or sign in where they have before; anybody else is a stranger. */
export type Standing = 'known' | 'stranger'

interface Waiting {
  standing: Standing
  admit(): void
  refuse(error: SpoolError): void
}

/**
 * Before every derivation of a password: few at a time, and few that wait, so that strangers' attempts cannot take the
 * machine from everybody else. Those who are known go first, and take the place of a stranger if the queue is full.
 */
export class PasswordGate {
  readonly #waiting: Waiting[] = []
  #running = 0

  async run<Result>(standing: Standing, derive: () => Promise<Result>): Promise<Result> {
    if (this.#running < mostAtOnce) this.#running++
    else await this.#wait(standing)
    try {
      return await derive()
    } finally {
      // Its place goes to the next one.
      const next = this.#waiting.shift()
      if (next) next.admit()
      else this.#running--
    }
  }

  async #wait(standing: Standing): Promise<void> {
    const last = this.#waiting.at(-1)
    if (this.#waiting.length >= mostWaiting) {
      if (standing === 'stranger' || last?.standing === 'known') throw tooMany()
      this.#waiting.pop()!.refuse(tooMany())
    }
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<void>()
    const firstStranger = this.#waiting.findIndex((each) => each.standing === 'stranger')
    const place = standing === 'stranger' || firstStranger === -1 ? this.#waiting.length : firstStranger
    this.#waiting.splice(place, 0, { standing, admit, refuse })
    return promise
  }
}

function tooMany(): SpoolError {
  return new SpoolError(
    'rate_limited',
    'Too many people are signing in right now. Try again in a few seconds.',
    {
      details: { retryAfter: 2 },
    },
  )
}
