import { hash, randomBytes } from 'node:crypto'
import type { Actor, Inbox } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import {
  graphServer,
  knownProviders,
  type CodeRequest,
  type OAuthClient,
  type OAuthTokens,
  type SignInProvider,
  type SignInWay,
} from '../../model/mail/oauth.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import {
  checkMailServer,
  sendsByGraph,
  writeOpenDays,
  type MailServer,
  type MailServerKind,
  type ServerAddress,
} from '../../model/mail/server.ts'
import type { InboxSettings } from '../../model/settings.ts'
import { transaction } from '../../store/database.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listGrants } from '../../store/inboxes/mail-grants.ts'
import { askMailServer, findMailServer } from '../../store/inboxes/mail-servers.ts'
import { deleteEndedLinks, deleteLink, findLink, insertLink } from '../../store/people/links.ts'
import { findInbox } from '../access/access.ts'
import { decryptSecret, sealSecret } from '../access/secrets.ts'
import { requireAdmin, type SignedIn } from '../access/sessions.ts'
import { linkEnded } from '../people/invitations.ts'
import { checkAddress } from '../people/people.ts'
import type { Spool } from '../spool.ts'
import { addInbox, changeInbox } from './inboxes.ts'
import { chooseClient, keepClient, type WantedClient } from './oauth-clients.ts'
import { getInboxSettings } from './settings.ts'

/** What an admin requests: a mailbox opened by OAuth sign-in, for a new or an existing inbox. */
export interface SignInWish {
  provider: SignInProvider
  way: SignInWay
  address: string
  name?: string
  inboxId: string | null
  /** A person signs in with their own account to open another mailbox. */
  shared: boolean
  /** Sending goes through Graph, because the tenant has SMTP switched off. */
  graph: boolean
  openDays?: number | null
  client?: WantedClient
  imap?: ServerAddress
  smtp?: ServerAddress
}

interface Attempt {
  wish: SignInWish
  client: OAuthClient
  request: CodeRequest
  session: string
}

/** A sign-in with its tokens; nothing is stored until both servers accept them. */
export interface SignedInMailbox {
  wish: SignInWish
  client: OAuthClient
  tokens: OAuthTokens
  /** Who signed in. */
  account: string
  servers: MailServer[]
}

/** How long a person may take to sign in at the provider. */
const attemptLife = 20 * 60_000
const context = 'a sign-in at a mail provider'

/** Where the provider redirects the browser back to. */
export function redirectUri({ url }: Spool): string {
  return `${url}/oauth/mailbox`
}

/** Returns the URL to send the browser to. The attempt is bound to this session and can be redeemed once. */
export async function beginSignIn(spool: Spool, actor: SignedIn, wanted: SignInWish): Promise<string> {
  const { wish, client } = await prepare(spool, actor, wanted)
  const random = (): string => randomBytes(32).toString('base64url')
  const request: CodeRequest = {
    redirectUri: redirectUri(spool),
    state: random(),
    verifier: random(),
    nonce: random(),
    hint: wish.shared ? '' : wish.address,
  }
  const url = await spool.oauth.authorizationUrl(client, request)
  const attempt: Attempt = { wish, client, request, session: actor.session }
  const now = spool.now()
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    await deleteEndedLinks(db, now)
    await insertLink(db, hashState(request.state), {
      kind: 'mailbox',
      email: null,
      data: (await sealSecret(spool, db, context, JSON.stringify(attempt))).toString('base64'),
      createdAt: now,
      endsAt: now + attemptLife,
    })
  })
  return url
}

async function prepare(
  spool: Spool,
  actor: SignedIn,
  wanted: SignInWish,
): Promise<{ wish: SignInWish; client: OAuthClient }> {
  const inbox = wanted.inboxId === null ? null : await findOwn(spool, actor, wanted.inboxId)
  const address = inbox?.address ?? checkAddress(wanted.address.trim())
  const wish = { ...wanted, address }
  const client = await chooseClient(spool, wish.provider, wish.way, wish.client, inbox?.number ?? null)
  // Check the servers before the redirect: a wrong one must not be noticed only after the sign-in.
  await serversFor(spool, wish, '')
  return { wish, client }
}

async function findOwn(spool: Spool, actor: Actor, id: string): Promise<Inbox> {
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    return findInbox(db, id)
  })
}

/** With what the provider sent back with the browser. */
export async function redeemSignIn(
  spool: Spool,
  actor: SignedIn,
  { state, code, iss, error }: { state: string } & Record<'code' | 'iss' | 'error', string | null>,
): Promise<SignedInMailbox> {
  const { wish, client, request } = await takeAttempt(spool, actor, state)
  if (code === null) throw explainError(error)
  const tokens = await spool.oauth.redeem(client, request, { code, state, iss })
  if (tokens.refresh === null)
    throw new SpoolError(
      'conflict',
      'The provider gave no refresh token, so the sign-in would expire within the hour. Allow the client offline access there.',
    )
  const account = tokens.account ?? wish.address
  const known = wish.inboxId === null ? null : await findOwn(spool, actor, wish.inboxId)
  const own = known ? addressesOf(known) : [wish.address]
  // For a shared mailbox, the account may differ: whether the mailbox opens decides.
  if (!wish.shared && !own.includes(account))
    throw new SpoolError(
      'conflict',
      `You signed in as ${account}, but this inbox is ${wish.address}. Sign in as ${wish.address}, or start again and choose “This is a shared mailbox”.`,
    )
  return { wish, client, tokens, account, servers: await serversFor(spool, wish, tokens.access) }
}

/** Client credentials: no redirect is needed. */
export async function obtainSignIn(
  spool: Spool,
  actor: SignedIn,
  wanted: SignInWish,
): Promise<SignedInMailbox> {
  const { wish, client } = await prepare(spool, actor, wanted)
  const tokens = await spool.oauth.obtain(client)
  const servers = await serversFor(spool, wish, tokens.access)
  return { wish, client, tokens, account: wish.address, servers }
}

/** Works once: a second answer with the same state finds no attempt. */
async function takeAttempt(spool: Spool, actor: SignedIn, state: string): Promise<Attempt> {
  const key = hashState(state)
  const attempt = await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const link = await findLink(db, 'mailbox', key, spool.now())
    if (!link) return null
    const sealed = Buffer.from(link.data, 'base64')
    const read = JSON.parse(decryptSecret(spool.keys.secrets, context, sealed)) as Attempt
    if (read.session !== actor.session) return null
    await deleteLink(db, 'mailbox', key)
    return read
  })
  if (!attempt) throw linkEnded('mailbox')
  return attempt
}

function explainError(error: string | null): SpoolError {
  return new SpoolError(
    'conflict',
    error === 'access_denied' || error === 'consent_required'
      ? 'The provider says that consent was refused, so nothing was connected. Start again and consent, or ask an administrator there to allow it.'
      : `The provider sent you back without a sign-in (${(error ?? 'no code').replaceAll(/[^\w .-]/g, '').slice(0, 60)}); start again, and check the client's settings there.`,
  )
}

/** The servers entered, else Graph if wanted, else the inbox's own, to keep its folders known, else the provider's. */
async function serversFor(spool: Spool, wish: SignInWish, token: string): Promise<MailServer[]> {
  const inbox = wish.inboxId === null ? null : await findInbox(spool.db, wish.inboxId)
  const servers: MailServer[] = []
  for (const kind of ['imap', 'smtp'] as const) {
    const stored = inbox && (await findMailServer(spool.db, inbox.number, kind))
    const byGraph = kind === 'smtp' && wish.graph
    const at =
      wish[kind] ??
      (byGraph && !(stored && sendsByGraph(stored))
        ? graphServer
        : (stored ?? usualServer(wish.provider, kind)))
    if (!at)
      throw new SpoolError('bad_parameter', `Enter the ${kind.toUpperCase()} server of ${wish.address}.`)
    const { host, port, security } = at
    const isSame = stored && stored.host === host
    const user = (isSame && stored.user) || wish.address
    const days = wish.openDays
    const options = {
      ...(isSame ? stored.options : {}),
      ...(byGraph ? { via: 'graph' } : {}),
      ...(kind === 'imap' && days !== undefined ? { 'open-days': writeOpenDays(days) } : {}),
    }
    const server = { kind, host: host.trim(), port, security, user, options }
    checkMailServer(server)
    servers.push({ ...server, password: null, token })
  }
  return servers
}

function usualServer(provider: SignInProvider, kind: MailServerKind): ServerAddress | null {
  return provider === 'other' ? null : knownProviders[provider][kind]
}

export async function storeSignIn(
  spool: Spool,
  actor: SignedIn,
  { wish, client, tokens, account, servers }: SignedInMailbox,
): Promise<InboxSettings> {
  const { provider, way } = wish
  const grant = { provider, way, account, client, tokens }
  const kept = servers.map(({ token: _, ...server }) => server)
  let id = wish.inboxId
  if (id === null) ({ id } = await addInbox(spool, wish.address, wish.name ?? null, kept, actor, { grant }))
  else {
    const changes = kept.map((server) => ({ kind: server.kind, server }))
    await changeInbox(spool, id, { servers: changes, grant }, actor)
  }
  await transaction(spool.db, async (db) => {
    if (wish.client) await keepClient(spool, db, provider, wish.client)
    // Make the node that follows the mailbox reconnect at once.
    await askMailServer(db, (await findInbox(db, id)).number, 'imap', spool.now())
  })
  return getInboxSettings(spool, id)
}

/** Inboxes whose provider refuses the sign-in: somebody has to sign in again. */
export async function listStopped(spool: Spool): Promise<{ id: string; name: string }[]> {
  const refused = (await listGrants(spool.db)).filter(({ failure }) => failure !== null)
  if (refused.length === 0) return []
  const inboxes = await listInboxes(spool.db)
  return inboxes
    .filter(({ number }) => refused.some(({ inbox }) => inbox === number))
    .map(({ id, name }) => ({ id, name }))
}

function hashState(state: string): Buffer {
  return hash('sha256', `mailbox ${state}`, 'buffer')
}
