import type { Selectable } from 'kysely'
import type { Scope } from '../../model/access.ts'
import { cleanName } from '../../model/characters/names.ts'
import type { Db, Tx } from '../db.ts'
import { findRow, insertRow, updateRows } from '../rows.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { touch } from '../log/versions.ts'

const tokenByHash = statement((build, { hash }: { hash: Uint8Array }) =>
  build
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select(['users.email', 'users.name as user_name', 'users.role', 'users.removed_at'])
    .where('tokens.hash', '=', hash),
)

export type TokenRecord = ReturnType<typeof readToken>
export type TokenWithUser = ReturnType<typeof readTokenWithUser>

export async function findTokenByHash(db: Db, hash: Uint8Array): Promise<TokenWithUser | undefined> {
  const row = await db.first(tokenByHash({ hash }))
  return row && readTokenWithUser(row)
}

export function readTokenWithUser(
  row: Selectable<Tables['tokens']> &
    Pick<Selectable<Tables['users']>, 'email' | 'role' | 'removed_at'> & { user_name: string },
) {
  return {
    ...readToken(row),
    user: { id: row.user_id, email: row.email, name: row.user_name, role: row.role },
    userRemoved: row.removed_at !== null,
  }
}

export async function insertToken(
  db: Tx,
  token: Omit<TokenRecord, 'revokedAt' | 'lastUsedAt' | 'firstUsedAt' | 'firstCall'> & { hash: Uint8Array },
): Promise<void> {
  await insertRow(db, 'tokens', {
    id: token.id,
    user_id: token.userId,
    name: token.name,
    hash: token.hash,
    scopes: token.scopes.join(' '),
    inboxes: token.inboxes === null ? null : JSON.stringify(token.inboxes),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    client_id: token.clientId,
    resource: token.resource,
  })
}

export type ListedToken = Awaited<ReturnType<typeof listTokens>>[number]

export async function findToken(db: Db, id: string): Promise<TokenRecord | undefined> {
  const row = await findRow(db, 'tokens', { id })
  return row && readToken(row)
}

export async function listTokens(db: Db, userId: string | null) {
  let query = db.build
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select(['users.email', 'users.name as user_name'])
    .where('tokens.revoked_at', 'is', null)
    .orderBy('tokens.created_at')
    .orderBy('tokens.id')
  if (userId !== null) query = query.where('tokens.user_id', '=', userId)
  return (await db.all(query)).map((row) => ({
    ...readToken(row),
    email: row.email,
    userName: row.user_name,
  }))
}

/** Whether any token was ever used, even if revoked since. */
export async function hasUsedToken(db: Db): Promise<boolean> {
  const query = db.build.selectFrom('tokens').select('id').where('first_used_at', 'is not', null).limit(1)
  return (await db.first(query)) !== undefined
}

/** False if there is none to revoke. */
export async function revokeToken(db: Tx, id: string, at: number): Promise<boolean> {
  touch(db, 'access')
  return (await updateRows(db, 'tokens', { id, revoked_at: null }, { revoked_at: at })) > 0
}

/** Revokes all tokens of a user, or all but some; returns how many. */
export async function revokeTokensOfUser(
  db: Tx,
  userId: string,
  at: number,
  except: readonly string[] = [],
): Promise<number> {
  touch(db, 'access')
  const all = db.build
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
  return db.run(except.length === 0 ? all : all.where('id', 'not in', except))
}

/** No `touch`: using a token does not change what it may see. */
export async function noteTokenUse(db: Tx, id: string, at: number): Promise<void> {
  await updateRows(db, 'tokens', { id }, { last_used_at: at })
}

function readToken(row: Selectable<Tables['tokens']>) {
  return {
    id: row.id,
    userId: row.user_id,
    name: cleanName(row.name) || 'Unnamed',
    scopes: row.scopes.split(' ') as Scope[],
    inboxes: row.inboxes === null ? null : (JSON.parse(row.inboxes) as number[]),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    firstUsedAt: row.first_used_at,
    firstCall: row.first_call,
    clientId: row.client_id,
    resource: row.resource,
  }
}
