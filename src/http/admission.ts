import type { IncomingMessage } from 'node:http'
import {
  readCredential,
  type Admitted,
  type Authentication,
  type Credential,
} from '../core/tokens/authentication.ts'
import type { TokenKind } from '../core/tokens/tokens.ts'
import type { Cache } from '../core/cache.ts'
import type { Freshness, Versions } from '../core/freshness.ts'
import type { Allowance, RateLimit } from '../core/access/rate-limit.ts'
import type { Spool } from '../core/spool.ts'
import type { Caller } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import { limitKey } from '../model/client-limit.ts'
import { rateLimitHeaders } from './headers.ts'
import type { Exchange } from './exchange.ts'

export interface AdmissionContext {
  spool: Spool
  /** Shared by REST and MCP, so one door can serve what the other has cached. */
  cache: Cache
  freshness: Freshness
  authentication: Authentication
  limits: { token: RateLimit; anonymous: RateLimit }
  addressOf(request: IncomingMessage): string
}

/** Token check and rate limit, the same for REST and MCP. */
export class Admission {
  readonly #context: AdmissionContext
  readonly #kinds: readonly TokenKind[]

  /** `kinds`: the kinds of token that this door accepts. */
  constructor(context: AdmissionContext, kinds: readonly TokenKind[]) {
    this.#context = context
    this.#kinds = kinds
  }

  /** Null without a valid token. A malformed one never reaches the store. */
  async recognise(
    { headers: { authorization } }: IncomingMessage,
    versions: () => Promise<Versions>,
  ): Promise<Admitted | null> {
    const { spool, authentication } = this.#context
    const credential = credentialOf(authorization)
    if (!credential || !this.#kinds.includes(credential.kind)) return null
    return authentication.authenticate(credential, await versions(), spool.now())
  }

  takeFromLimit(request: IncomingMessage, caller: Caller | null): Allowance | Promise<Allowance> {
    const { limits, addressOf } = this.#context
    return caller ? limits.token.take(caller.token.id) : limits.anonymous.take(limitKey(addressOf(request)))
  }

  passRate(exchange: Exchange, allowance: Allowance): void {
    exchange.headers.push(...rateLimitHeaders(allowance))
    if (allowance.allowed) return
    exchange.headers.push('Retry-After', String(allowance.reset))
    throw new SpoolError('rate_limited', `Too many requests; try again in ${allowance.reset} seconds.`)
  }

  /** `metadata` is the URL of the RFC 9728 document, for MCP clients. */
  passToken(exchange: Exchange, admitted: Admitted | null, metadata: string | null = null): Admitted {
    if (!admitted) {
      exchange.headers.push('WWW-Authenticate', challenge(exchange.request, metadata))
      throw new SpoolError(
        'unauthorized',
        `This needs a valid personal access token in the header "Authorization: Bearer …"; the one sent is missing, malformed, unknown, expired or revoked. Create one in the web inbox under Settings, Tokens (${tokensPage(this.#context.spool.url)}), or with: spool token create.`,
      )
    }
    exchange.caller = admitted.caller
    return admitted
  }
}

/** The page of the web inbox where people create tokens. */
export function tokensPage(url: string): string {
  return `${url}/settings/tokens`
}

function credentialOf(header = ''): Credential | null {
  const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
  return token === undefined ? null : readCredential(token)
}

/** RFC 6750: no `error` attribute when no token was sent. RFC 9728 adds `resource_metadata`. */
function challenge(request: IncomingMessage, metadata: string | null): string {
  const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
  return `Bearer realm="spool"${error}${metadata === null ? '' : `, resource_metadata="${metadata}"`}`
}
