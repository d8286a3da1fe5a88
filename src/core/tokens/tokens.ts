import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  scopes as allScopes,
  system,
  type Actor,
  type Inbox,
  type Scope,
  type User,
} from '../../model/access.ts'
import { checkName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import type { TokenView } from '../../model/settings.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import {
  insertToken,
  listTokens as listTokenRecords,
  findToken,
  revokeToken as revokeTokenRecord,
  type ListedToken,
  type TokenRecord,
} from '../../store/people/tokens.ts'
import { findActiveUser, findInboxesOf } from '../access/access.ts'
import { requireOwnName } from '../people/people.ts'
import { hashSecret } from '../access/secrets.ts'
import { renewActor } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

/** `pat`: a person's own token. `mcp`: given to an agent by consent, only for `/mcp`. `mcr`: renews an `mcp` token. */
export type TokenKind = 'pat' | 'mcp' | 'mcr'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 bytes take at most 43 base62 digits, a CRC32 at most 6. */
const tokenForm = /^spool_(pat|mcp|mcr)_[0-9A-Za-z]{49}$/
const day = 86_400_000
const mostTokens = 50

function toBase62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = base62[Number(rest % 62n)] + text
  return text
}

export function makeToken(kind: TokenKind): string {
  const body = `spool_${kind}_` + toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  return body + toBase62(BigInt(crc32(body)), 6)
}

/** Checks form and checksum, so that a typo is recognised without a query; null if it is not a token. */
export function readTokenKind(token: string): TokenKind | null {
  const kind = tokenForm.exec(token)?.[1] as TokenKind | undefined
  if (kind === undefined || token.slice(-6) !== toBase62(BigInt(crc32(token.slice(0, -6))), 6)) return null
  return kind
}

export interface NewToken {
  email: string
  name: string
  scopes: readonly Scope[]
  /** Addresses or ids; empty: all of the user's. */
  inboxes: readonly string[]
  /** Milliseconds; null: never expires. */
  lifetime: number | null
}

/** The token itself is shown only once; the store keeps its hash. */
export async function createToken(spool: Spool, wanted: NewToken, actor: Actor = system) {
  const name = checkName(wanted.name)
  const scopes = allScopes.filter((scope) => wanted.scopes.includes(scope))
  if (scopes.length === 0)
    throw new SpoolError('bad_parameter', `A token needs at least one scope: ${allScopes.join(', ')}.`)
  if (wanted.lifetime !== null && (wanted.lifetime < 1000 || wanted.lifetime > 365 * day)) {
    throw new SpoolError('bad_parameter', 'A token can be valid for 1 second to 365 days, or "never" expire.')
  }
  const token = makeToken('pat')
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const maker = await renewActor(spool, db, actor)
    const user = await findActiveUser(db, wanted.email)
    // The command line acts on behalf of the token's user.
    const decides = maker.type === 'system' ? user : maker.user
    if (wanted.lifetime === null && decides.role !== 'admin') {
      throw new SpoolError(
        'forbidden',
        `Only an admin can make tokens that never expire; choose up to 365 days for ${user.email}.`,
      )
    }
    await requireOwnName(db, name, user.id)
    await checkRoom(db, user, now)
    const inboxes = await chooseInboxes(db, user, scopes, wanted.inboxes)
    const record = {
      id: newId('tok', now),
      userId: user.id,
      name,
      scopes,
      inboxes: inboxes.length === 0 ? null : inboxes.map(({ number }) => number),
      createdAt: now,
      expiresAt: wanted.lifetime === null ? null : now + wanted.lifetime,
      clientId: null,
      resource: null,
    }
    await insertToken(db, { ...record, hash: hashSecret(token) })
    const { id, expiresAt } = record
    const addresses = inboxes.length === 0 ? null : inboxes.map(({ address }) => address)
    return { id, token, name, scopes, inboxes: addresses, expiresAt }
  })
}

/** Limits the number of tokens and grants per person. */
export async function checkRoom(db: Db, user: User, now: number): Promise<void> {
  const records = await listTokenRecords(db, user.id)
  const alive = records.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  if (alive.length >= mostTokens)
    throw new SpoolError(
      'conflict',
      `${user.email} has ${mostTokens} tokens; revoke one that is no longer used.`,
    )
}

/** The inboxes a token or grant is limited to, by address or id; for a token, none means all of the user's. */
export async function chooseInboxes(
  db: Db,
  user: User,
  scopes: readonly Scope[],
  asked: readonly string[],
): Promise<Inbox[]> {
  if (user.role === 'viewer' && scopes.includes('drafts:propose'))
    throw new SpoolError('forbidden', `${user.email} is a viewer: their tokens can only read.`)
  return findInboxesOf(db, user, asked)
}

export async function listTokens(spool: Spool, email: string | null): Promise<ListedToken[]> {
  const user = email === null ? null : await findActiveUser(spool.db, email)
  return listTokenRecords(spool.db, user?.id ?? null)
}

/** Every door refuses the token from now on. */
export async function revokeToken(spool: Spool, id: string, actor: Actor = system): Promise<void> {
  await transaction(spool.db, async (db) => {
    await findTokenOf(spool, db, actor, id)
    await revokeTokenRecord(db, id, spool.now())
  })
}

/** A person's own token; any token for admins and the command line. For others it does not exist. */
export async function findTokenOf(spool: Spool, db: Db, actor: Actor, id: string): Promise<TokenRecord> {
  const token = await findToken(db, id)
  const who = await renewActor(spool, db, actor)
  const mine =
    who.type === 'system' ||
    (who.type === 'person' && (who.user.role === 'admin' || token?.userId === who.id))
  if (!token || token.revokedAt !== null || !mine)
    throw new SpoolError('not_found', `There is no token ${id}; check the id.`)
  return token
}

const warnedBefore = 7 * day

/** The person's own tokens; admins can request everybody's. */
export async function viewTokens(
  spool: Spool,
  actor: Actor,
  kind: 'pasted' | 'all',
  all: boolean,
): Promise<TokenView[]> {
  if (actor.type !== 'person') return []
  const everybody = all && actor.user.role === 'admin'
  const found = await listTokenRecords(spool.db, everybody ? null : actor.id)
  const records = kind === 'all' ? found : found.filter(({ clientId }) => clientId === null)
  const ids = new Map((await listInboxes(spool.db)).map(({ number, id }) => [number, id]))
  const now = spool.now()
  return records.map(({ id, name, scopes, inboxes, createdAt, expiresAt, lastUsedAt, userId, userName }) => ({
    id,
    name,
    scopes,
    inboxes: inboxes?.flatMap((number) => ids.get(number) ?? []) ?? null,
    createdAt: toTime(createdAt),
    expiresAt: toTimeOrNull(expiresAt),
    lastUsedAt: toTimeOrNull(lastUsedAt),
    expiresSoon: expiresAt !== null && expiresAt > now && expiresAt - now <= warnedBefore,
    expired: expiresAt !== null && expiresAt <= now,
    user: { id: userId, name: userName },
  }))
}
