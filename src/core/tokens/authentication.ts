import { numbersOf, type Caller, type Scope } from '../../model/access.ts'
import { transaction } from '../../store/database.ts'
import { findGrant } from '../../store/grants/secrets.ts'
import { findTokenByHash, noteTokenUse, type TokenWithUser } from '../../store/people/tokens.ts'
import type { VersionScope } from '../../store/log/versions.ts'
import { inboxesVisibleTo } from '../access/access.ts'
import { hashSecret } from '../access/secrets.ts'
import type { Cache } from '../cache.ts'
import type { Versions } from '../freshness.ts'
import type { Spool } from '../spool.ts'
import { readTokenKind, type TokenKind } from './tokens.ts'

/** A token as sent by a client: only its hash is looked up. */
export interface Credential {
  readonly kind: TokenKind
  readonly hash: Uint8Array
  readonly key: string
}

/** Null if it cannot be a token. */
export function readCredential(token: string): Credential | null {
  const kind = readTokenKind(token)
  if (kind === null) return null
  const hash = hashSecret(token)
  return { kind, hash, key: hash.toString('latin1') }
}

export interface Admitted {
  caller: Caller
  /** Tokens of one person that see the same inboxes get the same answers. */
  view: string
  /** What an answer to this caller depends on: access, what the person has read, and each inbox. */
  scopes: readonly VersionScope[]
}

/** The token that was sent may expire sooner than the grant it belongs to. */
type Found = TokenWithUser & { secretExpiresAt: number | null }

/** Resolves tokens to callers, for every door. */
export class Authentication {
  readonly #spool: Pick<Spool, 'db' | 'url'>
  readonly #cache: Cache
  readonly #used = new Map<string, { at: number; written: number }>()

  constructor(spool: Pick<Spool, 'db' | 'url'>, cache: Cache) {
    this.#spool = spool
    this.#cache = cache
  }

  /** Null if the token is unknown, expired or revoked, or its user was removed. */
  async authenticate(credential: Credential, versions: Versions, now: number): Promise<Admitted | null> {
    const key = `token ${credential.key}`
    let admitted = this.#cache.find<Admitted>(key, versions)
    if (!admitted) {
      const caller = await this.#load(credential)
      if (!caller) return null
      const found = (admitted = describeView(caller))
      this.#cache.keep(key, { bytes: sizeOfCaller, scopes: ['access'], versions }, () => found)
    }
    const { id, expiresAt } = admitted.caller.token
    if (expiresAt !== null && expiresAt <= now) return null
    this.#noteUse(id, now)
    return admitted
  }

  async #load(credential: Credential): Promise<Caller | null> {
    const token = await this.#find(credential)
    if (!token || token.revokedAt !== null || token.userRemoved) return null
    const { user } = token
    const visible = await inboxesVisibleTo(this.#spool.db, user)
    return {
      token: {
        id: token.id,
        name: token.name,
        scopes: scopesFor(user.role, token.scopes),
        expiresAt: token.secretExpiresAt,
        accessEndsAt: token.expiresAt,
      },
      user,
      inboxes:
        token.inboxes === null ? visible : visible.filter(({ number }) => token.inboxes!.includes(number)),
    }
  }

  async #find({ kind, hash }: Credential): Promise<Found | undefined> {
    if (kind === 'pat') {
      const token = await findTokenByHash(this.#spool.db, hash)
      return token && { ...token, secretExpiresAt: token.expiresAt }
    }
    const grant = await findGrant(this.#spool.db, hash)
    if (grant?.secret.kind !== 'access' || grant.resource !== agentResource(this.#spool)) return undefined
    const { expiresAt, scopes: narrowed } = grant.secret
    return {
      ...grant,
      scopes: grant.scopes.filter((scope) => narrowed === null || narrowed.includes(scope)),
      secretExpiresAt: Math.min(expiresAt, grant.expiresAt ?? Infinity),
    }
  }

  #noteUse(id: string, at: number): void {
    const use = this.#used.get(id)
    if (use) use.at = at
    else this.#used.set(id, { at, written: 0 })
  }

  /** Writes when tokens were last used: the first use soon, then at most once a minute each. */
  async writeUses(): Promise<void> {
    const due = [...this.#used].filter(([, use]) => use.at - use.written >= 60_000)
    if (due.length === 0) return
    await transaction(this.#spool.db, async (db) => {
      for (const [id, use] of due) await noteTokenUse(db, id, use.at)
    })
    for (const [, use] of due) use.written = use.at
  }
}

/** Rough size in bytes, with a dozen inboxes. */
const sizeOfCaller = 2_000

function describeView(caller: Caller): Admitted {
  const { user, inboxes } = caller
  const numbers = numbersOf(inboxes)
  return {
    caller,
    view: `${user.id} ${numbers.join(',')}`,
    scopes: ['access', `user:${user.id}`, ...numbers.map((number) => `inbox:${number}` as const)],
  }
}

/** Somebody demoted to viewer can no longer propose, whatever scopes the token has. */
export function scopesFor(role: string, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'viewer' ? scopes.filter((scope) => scope !== 'drafts:propose') : scopes
}

/** The resource that grants are for: a token for another Spool or for another address of this one is not valid here. */
export function agentResource({ url }: Pick<Spool, 'url'>): string {
  return `${url}/mcp`
}
