import type { Scope } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, insertRow, updateRows } from '../rows.ts'
import { touch } from '../log/versions.ts'
import { readTokenWithUser, type TokenRecord } from '../people/tokens.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'

export type SecretKind = Tables['grant_secrets']['kind']

const grantBySecret = statement((build, { hash }: { hash: Uint8Array }) =>
  build
    .selectFrom('grant_secrets')
    .innerJoin('tokens', 'tokens.id', 'grant_secrets.grant_id')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select(['users.email', 'users.name as user_name', 'users.role', 'users.removed_at'])
    .select(['kind', 'grant_secrets.expires_at as secret_expires_at', 'used_at', 'challenge', 'redirect_uri'])
    .select('grant_secrets.scopes as secret_scopes')
    .where('grant_secrets.hash', '=', hash),
)

export type Grant = NonNullable<Awaited<ReturnType<typeof findGrant>>>

/** The grant that a code, access token or refresh token belongs to, even if expired, used or revoked. */
export async function findGrant(db: Db, hash: Uint8Array) {
  const row = await db.first(grantBySecret({ hash }))
  if (!row) return undefined
  const secret = {
    kind: row.kind,
    expiresAt: row.secret_expires_at,
    usedAt: row.used_at,
    challenge: row.challenge,
    redirectUri: row.redirect_uri,
    /** Null: those of the grant. */
    scopes: row.secret_scopes?.split(' ') ?? null,
  }
  return { ...readTokenWithUser(row), secret }
}

export async function insertSecret(
  db: Tx,
  secret: {
    hash: Uint8Array
    grantId: string
    kind: SecretKind
    expiresAt: number
    challenge?: string
    redirectUri?: string
    scopes?: readonly Scope[] | null
  },
): Promise<void> {
  const { hash, grantId, kind, expiresAt, challenge = null, redirectUri = null, scopes } = secret
  await insertRow(db, 'grant_secrets', {
    hash,
    grant_id: grantId,
    kind,
    expires_at: expiresAt,
    used_at: null,
    challenge,
    redirect_uri: redirectUri,
    scopes: scopes?.join(' ') ?? null,
  })
}

export async function markUsed(db: Tx, hash: Uint8Array, at: number): Promise<void> {
  await updateRows(db, 'grant_secrets', { hash }, { used_at: at })
}

/** Deletes one secret, or all secrets of a grant. */
export async function deleteSecrets(
  db: Tx,
  which: { hash: Uint8Array } | { grantId: string },
): Promise<void> {
  touch(db, 'access')
  await deleteRows(db, 'grant_secrets', 'hash' in which ? { hash: which.hash } : { grant_id: which.grantId })
}

/** Applies a person's new decision about a grant they gave before. */
export async function updateGrant(
  db: Tx,
  id: string,
  grant: Pick<TokenRecord, 'name' | 'scopes' | 'inboxes' | 'expiresAt' | 'resource'>,
): Promise<void> {
  const { name, scopes, inboxes, expiresAt, resource } = grant
  touch(db, 'access')
  const access = { scopes: scopes.join(' '), inboxes: inboxes && JSON.stringify(inboxes), resource }
  await updateRows(db, 'tokens', { id }, { ...access, name, expires_at: expiresAt })
}

/** Deletes expired secrets and revokes grants without a usable secret; returns how many rows changed. */
export async function deleteExpiredSecrets(db: Tx, now: number): Promise<number> {
  const deleted = await db.run(db.build.deleteFrom('grant_secrets').where('expires_at', '<=', now))
  const ended = db.build
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('grant_secrets')
            .select('hash')
            .whereRef('grant_secrets.grant_id', '=', 'tokens.id')
            .where('used_at', 'is', null),
        ),
      ),
    )
  const count = await db.run(ended)
  if (count > 0) touch(db, 'access')
  return deleted + count
}
