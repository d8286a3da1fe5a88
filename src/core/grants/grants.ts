import { hash } from 'node:crypto'
import type { Scope } from '../../model/access.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { findClient } from '../../store/grants/clients.ts'
import {
  deleteExpiredSecrets,
  deleteSecrets,
  findGrant,
  insertSecret,
  markUsed,
  type Grant,
  type SecretKind,
} from '../../store/grants/secrets.ts'
import { revokeToken } from '../../store/people/tokens.ts'
import { isSame } from '../cursors.ts'
import { notifyEndedGrant } from '../notices/stopped.ts'
import type { Spool } from '../spool.ts'
import { scopesFor } from '../tokens/authentication.ts'
import { makeToken } from '../tokens/tokens.ts'
import { hashSecret } from '../access/secrets.ts'
import { isDocument } from './clients.ts'
import { oauthError } from './problem.ts'

const accessLife = 3_600_000
const refreshLife = 90 * 86_400_000

/** What a client sends with a code or a refresh token. */
export interface Redemption {
  secret: string
  clientId: string
  resource: string | null
}

export async function redeemCode(
  spool: Spool,
  { verifier, redirectUri, ...redemption }: Redemption & { verifier: string; redirectUri: string | null },
): Promise<IssuedTokens> {
  return redeem(spool, 'code', redemption, ({ secret }) => {
    const proof = hash('sha256', verifier, 'base64url')
    const proved = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && isSame(proof, secret.challenge ?? '')
    if (!proved) throw oauthError('invalid_grant', 'code_verifier does not match the code_challenge.')
    if (redirectUri !== null && redirectUri !== secret.redirectUri)
      throw oauthError('invalid_grant', 'redirect_uri is not the one the code was sent to.')
    return null
  })
}

export async function refresh(
  spool: Spool,
  { scopes, ...redemption }: Redemption & { scopes: readonly string[] | null },
): Promise<IssuedTokens> {
  return redeem(spool, 'refresh', redemption, (grant) => {
    if (scopes === null) return null
    if (scopes.length === 0) throw oauthError('invalid_scope', 'Leave scope out, or name one.')
    if (!scopes.every((scope) => grant.scopes.some((granted) => granted === scope)))
      throw oauthError('invalid_scope', 'A refresh cannot add scopes; send the person to the consent page.')
    return grant.scopes.filter((scope) => scopes.includes(scope))
  })
}

/**
 * Each code and refresh token works once. A second use means that somebody else has it, so the grant ends. `check`
 * returns the scopes of the access token; null: all that the grant has.
 */
async function redeem(
  spool: Spool,
  kind: SecretKind,
  { secret, clientId, resource }: Redemption,
  check: (grant: Grant) => readonly Scope[] | null,
): Promise<IssuedTokens> {
  const now = spool.now()
  const used = hashSecret(secret)
  const issued = await transaction(spool.db, async (db) => {
    const grant = await findGrant(db, used)
    if (grant?.secret.kind !== kind || grant.clientId !== clientId || !isAlive(grant, now)) return null
    if (grant.secret.usedAt !== null) {
      await endGrant(db, grant.id, now)
      await notifyEndedGrant(db, grant.id, grant.userId, now)
      return null
    }
    if (resource !== null && resource !== grant.resource)
      throw oauthError('invalid_target', `This grant is for ${grant.resource}.`)
    const scopes = check(grant)
    await markUsed(db, used, now)
    return issue(db, grant, scopes, now)
  })
  if (issued) return issued
  // A client that reads this registers again; otherwise it would send the person to a page that does not know it.
  if (!isDocument(clientId) && !(await findClient(spool.db, clientId)))
    throw oauthError('invalid_client', 'Spool does not know this client; register it again.')
  throw oauthError(
    'invalid_grant',
    'This code or refresh token is unknown, expired, revoked or was used before; connect again.',
  )
}

function isAlive({ revokedAt, expiresAt, userRemoved, secret }: Grant, now: number): boolean {
  return revokedAt === null && !userRemoved && expiresAt! > now && secret.expiresAt > now
}

type IssuedTokens = Awaited<ReturnType<typeof issue>>

/**
 * The token response of RFC 6749, section 5.1. Only the access token is narrowed: the next refresh may ask for all
 * scopes of the grant again (section 6).
 */
async function issue(db: Tx, grant: Grant, narrowed: readonly Scope[] | null, now: number) {
  const { id, expiresAt, scopes, user } = grant
  const [access, renewal] = [makeToken('mcp'), makeToken('mcr')]
  const accessEnds = Math.min(now + accessLife, expiresAt!)
  const renewalEnds = Math.min(now + refreshLife, expiresAt!)
  await insertSecret(db, {
    hash: hashSecret(access),
    grantId: id,
    kind: 'access',
    expiresAt: accessEnds,
    scopes: narrowed,
  })
  await insertSecret(db, { hash: hashSecret(renewal), grantId: id, kind: 'refresh', expiresAt: renewalEnds })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor((accessEnds - now) / 1000),
    refresh_token: renewal,
    scope: scopesFor(user.role, narrowed ?? scopes).join(' '),
  }
}

/** RFC 7009: revoking a code or refresh token ends the whole grant. Tokens of other clients are silently ignored. */
export async function revokeSecret(spool: Spool, secret: string, clientId: string): Promise<void> {
  const revoked = hashSecret(secret)
  await transaction(spool.db, async (db) => {
    const grant = await findGrant(db, revoked)
    if (!grant || grant.clientId !== clientId) return
    if (grant.secret.kind === 'access') await deleteSecrets(db, { hash: revoked })
    else await endGrant(db, grant.id, spool.now())
  })
}

async function endGrant(db: Tx, id: string, now: number): Promise<void> {
  await revokeToken(db, id, now)
  await deleteSecrets(db, { grantId: id })
}

export async function forgetExpiredSecrets(spool: Spool): Promise<void> {
  await transaction(spool.db, (db) => deleteExpiredSecrets(db, spool.now()))
}
