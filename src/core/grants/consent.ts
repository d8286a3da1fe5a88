import { randomBytes } from 'node:crypto'
import { grantScopes, longestGrantDays, type Consent, type GrantScope } from '../../model/consent.ts'
import { checkName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import { isLoopback } from '../../model/mail/server.ts'
import { toTimeOrNull } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { deleteSecrets, insertSecret, updateGrant } from '../../store/grants/secrets.ts'
import { insertToken, listTokens, type TokenRecord } from '../../store/people/tokens.ts'
import { inboxesVisibleTo } from '../access/access.ts'
import { hashSecret } from '../access/secrets.ts'
import { renewSession, sessionEnded, type SignedIn } from '../access/sessions.ts'
import { requireOwnName } from '../people/people.ts'
import type { Spool } from '../spool.ts'
import { agentResource } from '../tokens/authentication.ts'
import { checkRoom, chooseInboxes } from '../tokens/tokens.ts'
import { answerUrl, readRequest, readTicket, writeTicket } from './authorization-request.ts'
import { findStoredClient, isDocument, type Client } from './clients.ts'

const day = 86_400_000
/** A client redeems its code at once. */
const codeLife = 60_000

/** What the consent page shows. Stores nothing. */
export async function viewConsent(spool: Spool, actor: SignedIn, query: string): Promise<Consent> {
  const { client, asked, scopes, problem } = await readRequest(spool, query)
  const refusal = problem
    ? { error: problem.error, error_description: problem.message }
    : { error: 'access_denied', error_description: 'The person did not allow it.' }
  const existing = await findGrantsOf(spool, spool.db, actor.id, client.id)
  const visible = await inboxesVisibleTo(spool.db, actor.user)
  return {
    client: describeClient(client, asked.redirectUri),
    problem: problem?.message ?? null,
    refuseUrl: answerUrl(spool, asked, refusal),
    ticket: problem ? '' : writeTicket(spool, actor, asked),
    asked: scopes,
    offered: scopesFor(actor),
    existing: existing.map(({ id, name, scopes, inboxes, lastUsedAt }) => ({
      id,
      name,
      scopes: grantScopes.filter((scope) => scopes.includes(scope)),
      inboxes: visible.filter(({ number }) => inboxes?.includes(number)).map((inbox) => inbox.id),
      lastUsedAt: toTimeOrNull(lastUsedAt),
    })),
  }
}

function describeClient({ id, kind, name }: Client, redirectUri: string): Consent['client'] {
  const { protocol, host, hostname } = new URL(redirectUri)
  const local = !protocol.startsWith('http') || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  const returnsTo = protocol.startsWith('http') ? host : protocol
  return {
    host: kind === 'document' ? new URL(id).host : returnsTo,
    name,
    entered: kind === 'entered',
    returnsTo,
    local,
  }
}

function scopesFor({ user: { role } }: SignedIn): GrantScope[] {
  return grantScopes.filter((scope) => role !== 'viewer' || scope !== 'drafts:propose')
}

async function findGrantsOf(spool: Spool, db: Db, userId: string, clientId: string): Promise<TokenRecord[]> {
  const records = await listTokens(db, userId)
  return records
    .filter((record) => record.clientId === clientId && record.expiresAt! > spool.now())
    .toSorted((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0))
}

/** What a person decided on the page. */
export interface Decision {
  ticket: string
  name: string
  scopes: readonly GrantScope[]
  /** Ids. */
  inboxes: readonly string[]
  days: number
  /** An earlier grant of the same client that this one replaces; it keeps its id. */
  replaces: string | null
}

/** The only way to create a grant: a signed-in person, with the ticket of the consent page they saw. */
export async function giveConsent(
  spool: Spool,
  actor: SignedIn,
  decision: Decision,
): Promise<{ tokenId: string; url: string }> {
  const asked = readTicket(spool, actor, decision.ticket)
  const name = checkName(decision.name)
  const scopes = grantScopes.filter((scope) => decision.scopes.includes(scope))
  if (scopes.length === 0) throw new SpoolError('bad_parameter', 'Allow at least one permission, or deny.')
  if (!(decision.days >= 1 && decision.days <= longestGrantDays))
    throw new SpoolError('bad_parameter', `Choose 1 to ${longestGrantDays} days.`)
  const code = randomBytes(32).toString('base64url')
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const user = (await renewSession(spool, actor, db))?.actor.user
    if (!user) throw sessionEnded()
    await requireOwnName(db, name, user.id)
    // An admin may have removed it since the page was opened.
    if (!isDocument(asked.clientId)) await findStoredClient(db, asked.clientId)
    const inboxes = await chooseInboxes(db, user, scopes, decision.inboxes)
    const terms = {
      name,
      scopes,
      inboxes: inboxes.map(({ number }) => number),
      expiresAt: now + decision.days * day,
      resource: agentResource(spool),
    }
    const earlier = (await findGrantsOf(spool, db, user.id, asked.clientId)).find(
      ({ id }) => id === decision.replaces,
    )
    if (decision.replaces !== null && !earlier)
      throw new SpoolError('conflict', 'That agent has been disconnected in the meantime. Reload the page.')
    const id = earlier?.id ?? newId('grt', now)
    if (earlier) {
      await deleteSecrets(db, { grantId: id })
      await updateGrant(db, id, terms)
    } else {
      await checkRoom(db, user, now)
      const record = { ...terms, id, userId: user.id, createdAt: now, clientId: asked.clientId }
      // A random hash that no token has: a grant is only used with its own secrets.
      await insertToken(db, { ...record, hash: randomBytes(32) })
    }
    const { challenge, redirectUri } = asked
    const secret = { hash: hashSecret(code), grantId: id, kind: 'code', challenge, redirectUri } as const
    await insertSecret(db, { ...secret, expiresAt: now + codeLife })
    return { tokenId: id, url: answerUrl(spool, asked, { code }) }
  })
}
