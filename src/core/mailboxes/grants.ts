import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  GrantRefused,
  ProviderAway,
  type OAuthClient,
  type OAuthTokens,
  type SignInProvider,
  type SignInWay,
} from '../../model/mail/oauth.ts'
import { sendsByGraph, usesGrant, type MailServer } from '../../model/mail/server.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import {
  findGrant,
  listGrants,
  saveGrant,
  updateGrant,
  type GrantRow,
} from '../../store/inboxes/mail-grants.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import type { StoredMailServer } from '../../store/inboxes/mail-servers.ts'
import { claimLease, dropLease, holdsLease, listLeases } from '../../store/leases.ts'
import { decryptSecret, isForgotten, sealSecret, type Reseal } from '../access/secrets.ts'
import type { Spool } from '../spool.ts'
import { decryptPassword } from './mail-servers.ts'

/** Longer than any one request to a provider takes. */
const leaseLife = 40_000
const leaseOf = (inbox: number): string => `grant:${inbox}`
/** Tokens are renewed this long before they expire, but at most a quarter of their lifetime before. */
const margin = 120_000

interface Secrets {
  clientSecret: string | null
  refresh: string | null
}

interface Access {
  token: string
  endsAt: number
}

/** The server with its password, or with an access token if the mailbox is opened by sign-in. Only for connecting. */
export async function openSignedIn(spool: Spool, stored: StoredMailServer): Promise<MailServer> {
  return withToken(spool, stored.inbox, decryptPassword(spool, stored))
}

/** Do not call inside a transaction: it may have to query the provider. */
export async function withToken(spool: Spool, inbox: number, server: MailServer): Promise<MailServer> {
  if (!usesGrant(server)) return server
  const token = await tokenFor(spool, inbox, sendsByGraph(server) ? 'sending' : 'mailbox')
  return token === null ? server : { ...server, token }
}

/** Graph needs its own token for sending. It is requested each time, because mail is sent rarely enough. */
type Purpose = 'mailbox' | 'sending'

/** Null if nobody has signed in for this inbox. */
export async function tokenFor(spool: Spool, inbox: number, purpose: Purpose): Promise<string | null> {
  const until = performance.now() + leaseLife
  for (;;) {
    const grant = await findGrant(spool.db, inbox)
    if (!grant) return null
    if (grant.failure !== null) throw new GrantRefused(grant.failure)
    const access = purpose === 'mailbox' ? readAccess(spool, grant) : null
    if (access && grant.ends_at! > spool.now()) return access.token
    const claimed = await claimTurn(spool, inbox)
    if (claimed) {
      try {
        return await ask(spool, inbox, claimed, purpose)
      } catch (error) {
        // Tokens are renewed early: the old one is valid for a little longer.
        if (error instanceof ProviderAway && access && access.endsAt > spool.now()) return access.token
        throw error
      }
    }
    // Another node is querying the provider.
    if (performance.now() > until) throw new ProviderAway('Renewing the sign-in takes too long.')
    await sleep(150)
  }
}

/**
 * The lease also records a request: it is dropped in the commit of the outcome. An expired lease therefore means that
 * the outcome of a request is unknown, and that the provider may have replaced the refresh token.
 */
interface Turn {
  holder: string
  /** The previous holder was killed or got no answer. */
  isInDoubt: boolean
}

async function claimTurn(spool: Spool, inbox: number): Promise<Turn | null> {
  const holder = randomUUID()
  const name = leaseOf(inbox)
  return transaction(spool.db, async (db) => {
    const isInDoubt = (await listLeases(db, name, leaseLife)).some((lease) => lease.name === name)
    return (await claimLease(db, name, holder, leaseLife)) ? { holder, isInDoubt } : null
  })
}

/** Only for the holder of the lease, so that a provider never gets one refresh token from two nodes. */
async function ask(spool: Spool, inbox: number, turn: Turn, purpose: Purpose): Promise<string | null> {
  const end = (db: Tx): Promise<void> => dropLease(db, leaseOf(inbox), turn.holder)
  const grant = await findGrant(spool.db, inbox)
  const current = grant && purpose === 'mailbox' ? readAccess(spool, grant) : null
  const isFresh = current !== null && grant!.ends_at! > spool.now()
  if (!grant || grant.failure !== null || isFresh) {
    await transaction(spool.db, end)
    if (grant && grant.failure !== null) throw new GrantRefused(grant.failure)
    return current?.token ?? null
  }
  const secrets = readSecrets(spool, grant)
  let tokens: OAuthTokens
  try {
    tokens = await request(spool, grant, secrets, purpose)
  } catch (error) {
    const refusal = error instanceof GrantRefused ? explainDoubt(error, turn) : null
    await transaction(spool.db, async (db) => {
      // Somebody may have signed in again meanwhile.
      if (refusal && (await findGrant(db, inbox))?.version === grant.version)
        await updateGrant(db, inbox, { failure: refusal.message, failed_at: spool.now() })
      const isInDoubt = error instanceof ProviderAway && (error.isUnanswered || turn.isInDoubt)
      if (!isInDoubt) await end(db)
      // Keep the lease as a record, but expired, so that it can be claimed.
      else if (await holdsLease(db, leaseOf(inbox), turn.holder))
        await claimLease(db, leaseOf(inbox), turn.holder, 0)
    })
    throw refusal ?? error
  }
  // The new refresh token replaces the old one in the commit that makes the access token usable.
  const kept = await transaction(spool.db, async (db) => {
    await end(db)
    const now = await findGrant(db, inbox)
    if (now?.version !== grant.version) return false
    const refresh = tokens.refresh ?? secrets.refresh
    const sealed = await sealTokens(spool, db, inbox, tokens, { ...secrets, refresh })
    await updateGrant(db, inbox, {
      // The mailbox's own access token does not change.
      ...(purpose === 'mailbox' ? sealed : { secrets: sealed.secrets }),
      version: grant.version + 1,
    })
    return true
  })
  if (!kept) throw new ProviderAway('Another node has renewed this sign-in meanwhile.')
  return tokens.access
}

async function request(
  spool: Spool,
  grant: GrantRow,
  secrets: Secrets,
  purpose: Purpose,
): Promise<OAuthTokens> {
  const client = clientOf(grant, secrets)
  const scopes = purpose === 'sending' ? client.sendScopes : undefined
  if (grant.way === 'app') return spool.oauth.obtain(scopes ? { ...client, scopes } : client)
  if (secrets.refresh === null) throw new GrantRefused('The provider gave no refresh token; sign in again.')
  return spool.oauth.renew(client, secrets.refresh, scopes)
}

/** After a lost answer only the old refresh token is known: it is sent again, and some providers accept it. */
function explainDoubt(refusal: GrantRefused, { isInDoubt }: Turn): GrantRefused {
  if (!isInDoubt || !refusal.hasEnded) return refusal
  return new GrantRefused(
    `${refusal.message} The answer to the last renewal was lost, because Spool or the connection was interrupted; this provider takes a refresh token only once.`,
  )
}

/** Call when the mail server refused a token that has not expired: the next call requests a new one. */
export async function forgetAccess(spool: Spool, inbox: number, token: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    const grant = await findGrant(db, inbox)
    if (grant && readAccess(spool, grant)?.token === token)
      await updateGrant(db, inbox, { access: null, ends_at: null })
  })
}

export interface NewGrant {
  provider: SignInProvider
  way: SignInWay
  account: string
  client: OAuthClient
  tokens: OAuthTokens
}

export async function storeGrant(
  spool: Spool,
  db: Tx,
  inbox: number,
  { provider, way, account, client, tokens }: NewGrant,
): Promise<void> {
  const { clientSecret, ...about } = client
  const known = await findGrant(db, inbox)
  // A pending or unresolved request concerns the previous grant.
  await dropLease(db, leaseOf(inbox))
  await saveGrant(db, {
    inbox,
    provider,
    way,
    account,
    client: JSON.stringify(about),
    ...(await sealTokens(spool, db, inbox, tokens, { clientSecret, refresh: tokens.refresh })),
    version: (known?.version ?? 0) + 1,
    failure: null,
    failed_at: null,
    granted_at: spool.now(),
  })
}

/** A grant that cannot be read any more is one that the provider refuses: somebody has to sign in again. */
export async function resealGrants(db: Tx, reseal: Reseal, now: number): Promise<void> {
  for (const { inbox, secrets, access, version } of await listGrants(db)) {
    const kept = reseal(secretsContext(inbox), secrets)
    if (isForgotten(kept)) {
      // A pending or unresolved request concerns the previous grant.
      await dropLease(db, leaseOf(inbox))
      const lost = { secrets: kept, access: null, ends_at: null, failure: grantLost, failed_at: now }
      await updateGrant(db, inbox, { ...lost, version: version + 1 })
    } else {
      const token = access && reseal(accessContext(inbox), access)
      const usable = token !== null && !isForgotten(token)
      await updateGrant(db, inbox, {
        secrets: kept,
        ...(usable ? { access: token } : { access: null, ends_at: null }),
      })
    }
  }
}

const grantLost = 'The sign-in was lost with the secret of this store; sign in again.'

/** For a report; contains no secrets. */
export async function describeGrants(spool: Spool) {
  const inboxes = new Map((await listInboxes(spool.db)).map(({ number, id }) => [number, id]))
  return (await listGrants(spool.db)).flatMap((grant) => {
    const inboxId = inboxes.get(grant.inbox)
    if (inboxId === undefined) return []
    const { issuer, scopes } = JSON.parse(grant.client) as OAuthClient
    return {
      inboxId,
      issuer,
      scopes,
      renewals: grant.version - 1,
      grantedAt: toTime(grant.granted_at),
      endsAt: toTimeOrNull(grant.ends_at),
      failedAt: toTimeOrNull(grant.failed_at),
    }
  })
}

async function sealTokens(
  spool: Spool,
  db: Tx,
  inbox: number,
  { access, endsAt }: OAuthTokens,
  secrets: Secrets,
): Promise<Pick<GrantRow, 'secrets' | 'access' | 'ends_at'>> {
  const life = Math.max(0, endsAt - spool.now())
  const kept: Access = { token: access, endsAt }
  return {
    secrets: await sealSecret(spool, db, secretsContext(inbox), JSON.stringify(secrets)),
    access: await sealSecret(spool, db, accessContext(inbox), JSON.stringify(kept)),
    ends_at: Math.round(endsAt - Math.min(margin, life / 4)),
  }
}

export function clientOf({ client }: GrantRow, { clientSecret }: Secrets): OAuthClient {
  return { ...(JSON.parse(client) as Omit<OAuthClient, 'clientSecret'>), clientSecret }
}

export function readSecrets(spool: Spool, { inbox, secrets }: GrantRow): Secrets {
  return JSON.parse(decryptSecret(spool.keys.secrets, secretsContext(inbox), secrets)) as Secrets
}

function readAccess(spool: Spool, { inbox, access }: GrantRow): Access | null {
  return access && (JSON.parse(decryptSecret(spool.keys.secrets, accessContext(inbox), access)) as Access)
}

function secretsContext(inbox: number): string {
  return `the sign-in of inbox ${inbox}`
}

function accessContext(inbox: number): string {
  return `the access token of inbox ${inbox}`
}
