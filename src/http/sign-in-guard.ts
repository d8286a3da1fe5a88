import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { recogniseBrowser, type KnownBrowser } from '../core/access/known-browsers.ts'
import type { Standing } from '../core/access/password-gate.ts'
import type { RateLimit } from '../core/access/rate-limit.ts'
import { accountName } from '../core/access/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { SpoolError } from '../model/errors.ts'
import { isLoopback } from '../model/mail/server.ts'
import { limitKey, networkKey } from '../model/client-limit.ts'
import { browserCookie } from './session-cookie.ts'

export interface SignInGuardContext {
  spool: Spool
  /**
   * By address; by the /48 of an IPv6 address; by account and address; and by a known browser, session or person, which
   * nobody else can exhaust.
   */
  signInLimits: { address: RateLimit; network: RateLimit; pair: RateLimit; own: RateLimit }
  addressOf(request: IncomingMessage): string
}

/**
 * Rate limits for everything that takes a password or opens a session. No limit is per account alone: otherwise a
 * stranger could lock the owner out.
 */
export class SignInGuard {
  readonly #context: SignInGuardContext

  constructor(context: SignInGuardContext) {
    this.#context = context
  }

  /** Runs before the body is read. A known browser has its own limit; everybody else counts by address. */
  async admit(request: IncomingMessage): Promise<Attempt> {
    const { spool, addressOf } = this.#context
    const mark = browserCookie.read(spool, request)
    const browser = mark === null ? null : await recogniseBrowser(spool, mark)
    const attempt = new Attempt(this.#context.signInLimits, addressOf(request), browser)
    await attempt.begin()
    return attempt
  }

  /** Counts password checks of a signed-in person, per session. */
  countPassword(session: string): Promise<void> {
    return takeFrom(this.#context.signInLimits.own, `password ${session}`)
  }

  /** Counts attempts to let Spool sign in to a mail server, per person. */
  countTrial(userId: string): Promise<void> {
    return takeFrom(this.#context.signInLimits.own, `trial ${userId}`)
  }
}

/** One attempt to sign in. What it takes from the limits is refunded unless the attempt is refused. */
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
    else await this.#takeAddress()
  }

  /** Counted whether or not the account exists, so that nobody can find out. */
  async at(account: string): Promise<Standing> {
    if (this.#browser?.user.email === accountName(account)) return 'known'
    // A browser is known for one account only.
    if (this.#browser) await this.#takeAddress()
    await this.#take(this.#limits.pair, `${limitKey(this.#address)} ${accountKey(account)}`)
    return 'stranger'
  }

  async giveBack(): Promise<void> {
    for (const [limit, key] of this.#taken.splice(0)) await limit.giveBack(key)
  }

  /** A provider gives one customer up to a /48 of IPv6. */
  async #takeAddress(): Promise<void> {
    await this.#take(this.#limits.address, limitKey(this.#address))
    const network = networkKey(this.#address)
    if (network !== null) await this.#take(this.#limits.network, network)
  }

  async #take(limit: RateLimit, key: string): Promise<void> {
    await takeFrom(limit, key)
    this.#taken.push([limit, key])
  }
}

export async function takeFrom(limit: RateLimit, key: string, much = 'attempts'): Promise<void> {
  const { allowed, reset } = await limit.take(key)
  if (allowed) return
  throw new SpoolError('rate_limited', `Too many ${much}. Try again in ${reset} seconds.`, {
    details: { retryAfter: reset },
  })
}

/** A hash: fixed length, equal for names that look the same, and unreadable in a shared store. */
function accountKey(account: string): string {
  return hash('sha256', accountName(account).normalize('NFKC'), 'base64url')
}

/** Over plain http anybody on the network can read the password and the session, except on the same machine. */
export function refusePlainHttp({ headers: { origin } }: IncomingMessage): void {
  if (origin === undefined || !URL.canParse(origin)) return
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    throw new SpoolError(
      'forbidden',
      'Over plain http you can only sign in on the machine that Spool runs on; put an https proxy in front of it and set SPOOL_URL to its address.',
    )
}
