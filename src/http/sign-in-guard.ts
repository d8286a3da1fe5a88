import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { recogniseBrowser, type KnownBrowser } from '../core/access/known-browsers.ts'
import type { RateLimit } from '../core/access/rate-limit.ts'
import { accountName } from '../core/access/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { SpoolError } from '../model/errors.ts'
import { isLoopback } from '../model/mail/server.ts'
import { limitKey } from '../model/client-limit.ts'
import { readBrowserCookie } from './session-cookie.ts'

export interface SignInGuardContext {
  spool: Spool
  /** By address; by account and address together; by what nobody else can use up: a known browser, a session, a person. */
  signInLimits: { address: RateLimit; pair: RateLimit; own: RateLimit }
  addressOf(request: IncomingMessage): string
}

/**
 * Stands before everything that takes a password or hands out a session. No count is an account's alone: with such a one
 * any stranger could lock its owner out.
 */
export class SignInGuard {
  readonly #context: SignInGuardContext

  constructor(context: SignInGuardContext) {
    this.#context = context
  }

  /** Before the body is read: of whoever comes, or in a known browser of that browser alone. */
  async admit(request: IncomingMessage): Promise<Attempt> {
    const { spool, addressOf } = this.#context
    const mark = readBrowserCookie(spool, request)
    const browser = mark === null ? null : await recogniseBrowser(spool, mark)
    const attempt = new Attempt(this.#context.signInLimits, limitKey(addressOf(request)), browser)
    await attempt.begin()
    return attempt
  }

  /** Somebody who has a session is asked for their password once more: each session counts for itself. */
  countPassword(session: string): Promise<void> {
    return this.#countOwn(`password ${session}`)
  }

  /** Somebody who has a session lets Spool sign in elsewhere. */
  countTrial(userId: string): Promise<void> {
    return this.#countOwn(`trial ${userId}`)
  }

  async #countOwn(key: string): Promise<void> {
    await takeFrom(this.#context.signInLimits.own, key)
  }
}

/** One try to come in. What it takes is given back unless it is refused. */
export class Attempt {
  readonly #limits: SignInGuardContext['signInLimits']
  readonly #address: string
  readonly #browser: KnownBrowser | null
  readonly #taken: [limit: RateLimit, key: string][] = []

  constructor(limits: SignInGuardContext['signInLimits'], address: string, browser: KnownBrowser | null) {
    this.#limits = limits
    this.#address = address
    this.#browser = browser
  }

  async begin(): Promise<void> {
    if (this.#browser) await this.#take(this.#limits.own, `browser ${this.#browser.id}`)
    else await this.#take(this.#limits.address, this.#address)
  }

  /** Whether or not there is such an account: so nobody learns which. */
  async at(account: string): Promise<void> {
    if (this.#browser?.user.email === accountName(account)) return
    // A browser is known for one account; at all others it is a stranger.
    if (this.#browser) await this.#take(this.#limits.address, this.#address)
    await this.#take(this.#limits.pair, `${this.#address} ${accountKey(account)}`)
  }

  async giveBack(): Promise<void> {
    for (const [limit, key] of this.#taken.splice(0)) await limit.giveBack(key)
  }

  async #take(limit: RateLimit, key: string): Promise<void> {
    await takeFrom(limit, key)
    this.#taken.push([limit, key])
  }
}

async function takeFrom(limit: RateLimit, key: string): Promise<void> {
  const { allowed, reset } = await limit.take(key)
  if (allowed) return
  throw new SpoolError('rate_limited', `Too many attempts; try again in ${reset} seconds.`, {
    details: { retryAfter: reset },
  })
}

/** Short however long the name is, the same for whatever looks the same, and not to be read where counts are shared. */
function accountKey(account: string): string {
  return hash('sha256', accountName(account).normalize('NFKC'), 'base64url')
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
