import { timingSafeEqual } from 'node:crypto'
import type { Caller, Scope } from '../model/access.ts'
import { transaction } from '../store/database.ts'
import type { Database } from '../store/db.ts'
import { findTokenByHash, noteTokenUse } from '../store/tokens.ts'
import { inboxesVisibleTo } from './access.ts'
import type { Freshness, Versions } from './freshness.ts'
import { hashToken, isTokenForm } from './tokens.ts'

interface Known {
  caller: Caller
  hash: Uint8Array
  access: number
}

/** A token as it was sent: only its hash is looked up and compared. */
export interface Credential {
  readonly hash: Uint8Array
  readonly key: string
}

/** Null for what cannot be a token. */
export function readCredential(token: string): Credential | null {
  if (!isTokenForm(token)) return null
  const hash = hashToken(token)
  return { hash, key: hash.toString('latin1') }
}

export interface Admitted {
  caller: Caller
  versions: Versions
}

/** Who a token is, for every door; remembered for as long as nobody's access has changed. */
export class Authentication {
  readonly #db: Database
  readonly #freshness: Freshness
  readonly #known = new Map<string, Known>()
  readonly #used = new Map<string, { at: number; written: number }>()

  constructor(db: Database, freshness: Freshness) {
    this.#db = db
    this.#freshness = freshness
  }

  /** As `authenticate` where that needs no waiting; undefined where it does. */
  recall(credential: Credential, now: number): Admitted | null | undefined {
    const versions = this.#freshness.known()
    const known = versions && this.#known.get(credential.key)
    if (!versions || known?.access !== (versions.get('access') ?? 0)) return undefined
    return this.#admit(known, credential, versions, now)
  }

  /** Null when the token is unknown, expired or revoked, or its user was removed. */
  async authenticate(credential: Credential, now: number): Promise<Admitted | null> {
    const versions = await this.#freshness.current()
    const access = versions.get('access') ?? 0
    let known = this.#known.get(credential.key)
    if (!known || known.access !== access) {
      this.#known.delete(credential.key)
      const caller = await this.#load(credential.hash)
      if (!caller) return null
      known = { caller, hash: credential.hash, access }
      if (this.#known.size >= 10_000) this.#known.clear()
      this.#known.set(credential.key, known)
    }
    return this.#admit(known, credential, versions, now)
  }

  #admit({ caller, hash }: Known, credential: Credential, versions: Versions, now: number): Admitted | null {
    if (!timingSafeEqual(hash, credential.hash)) return null
    if (caller.token.expiresAt !== null && caller.token.expiresAt <= now) return null
    this.#noteUse(caller.token.id, now)
    return { caller, versions }
  }

  async #load(hash: Uint8Array): Promise<Caller | null> {
    const token = await findTokenByHash(this.#db, hash)
    if (!token || token.revokedAt !== null || token.userRemoved) return null
    const { user } = token
    const visible = await inboxesVisibleTo(this.#db, user)
    return {
      token: {
        id: token.id,
        name: token.name,
        scopes: scopesFor(user.role, token.scopes),
        expiresAt: token.expiresAt,
      },
      user,
      inboxes:
        token.inboxes === null ? visible : visible.filter(({ number }) => token.inboxes!.includes(number)),
    }
  }

  #noteUse(id: string, at: number): void {
    const use = this.#used.get(id)
    if (use) use.at = at
    else this.#used.set(id, { at, written: 0 })
  }

  /** Writes down when tokens were last used: the first use soon, then at most once a minute each. */
  async writeUses(): Promise<void> {
    const due = [...this.#used].filter(([, use]) => use.at - use.written >= 60_000)
    if (due.length === 0) return
    await transaction(this.#db, async (db) => {
      for (const [id, use] of due) await noteTokenUse(db, id, use.at)
    })
    for (const [, use] of due) use.written = use.at
  }
}

/** Who has become a viewer no longer proposes, whatever the token was given. */
function scopesFor(role: string, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'viewer' ? scopes.filter((scope) => scope !== 'drafts:propose') : scopes
}
