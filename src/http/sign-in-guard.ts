import type { IncomingMessage } from 'node:http'
import type { RateLimit } from '../core/rate-limit.ts'
import { SpoolError } from '../model/errors.ts'
import { isLoopback } from '../model/mail-server.ts'
import { limitKey } from '../model/client-limit.ts'

export interface SignInGuardContext {
  /** Attempts to sign in, by account and by where they come from. */
  signInLimits: { account: RateLimit; address: RateLimit }
  addressOf(request: IncomingMessage): string
}

/** Stands before everything that takes a password or hands out a session. */
export class SignInGuard {
  readonly #limits: SignInGuardContext['signInLimits']
  readonly #addressOf: (request: IncomingMessage) => string

  constructor({ signInLimits, addressOf }: SignInGuardContext) {
    this.#limits = signInLimits
    this.#addressOf = addressOf
  }

  /** Counted by who asks and by whom it is about, whether or not there is such an account: so nobody learns which. */
  async count(request: IncomingMessage, account: string | null): Promise<void> {
    await this.#take(request, account === null ? null : `account ${account.trim().toLowerCase()}`)
  }

  /** Somebody who has a session lets Spool sign in elsewhere; counted apart, so that no stranger uses it up. */
  async countTrial(request: IncomingMessage, userId: string): Promise<void> {
    await this.#take(request, `trial ${userId}`)
  }

  async #take(request: IncomingMessage, key: string | null): Promise<void> {
    const taken = [await this.#limits.address.take(limitKey(this.#addressOf(request)))]
    if (key !== null) taken.push(await this.#limits.account.take(key))
    for (const { allowed, reset } of taken) {
      if (allowed) continue
      throw new SpoolError('rate_limited', `Too many attempts; try again in ${reset} seconds.`, {
        details: { retryAfter: reset },
      })
    }
  }
}

/** Over plain http everybody on the way reads the password and the session, unless there is no way: on this machine. */
export function refusePlainHttp({ headers: { origin } }: IncomingMessage): void {
  if (origin === undefined || !URL.canParse(origin)) return
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    throw new SpoolError(
      'forbidden',
      'Over plain http you can only sign in on the machine that Spool runs on: put https before it, and set SPOOL_URL to that address.',
    )
}
