import { SpoolError } from '../../model/errors.ts'
import {
  knownProviders,
  SignInProvider,
  type OAuthClient,
  type RegisteredClient,
  type SignInWay,
} from '../../model/mail/oauth.ts'
import type { Tx } from '../../store/db.ts'
import { findGrant } from '../../store/inboxes/mail-grants.ts'
import { deleteSetting, readSetting, writeSetting } from '../../store/settings.ts'
import { decryptSecret, isForgotten, sealSecret, type Reseal } from '../access/secrets.ts'
import { clientOf, readSecrets } from '../mailboxes/grants.ts'
import type { Spool } from '../spool.ts'

/** As an admin enters it; `issuer` and `scopes` only for a provider that Spool does not know. */
export interface WantedClient {
  clientId: string
  clientSecret?: string
  tenant?: string
  issuer?: string
  scopes?: string[]
}

type KeptClient = RegisteredClient & { issuer: string | null; scopes: string[] | null }

/** The client for a sign-in: entered now, from the environment, entered earlier, or of the inbox's existing grant. */
export async function chooseClient(
  spool: Spool,
  provider: SignInProvider,
  way: SignInWay,
  wanted: WantedClient | undefined,
  inbox: number | null,
): Promise<OAuthClient> {
  const kept = wanted ? entered(wanted) : await findClient(spool, provider)
  if (kept) return describe(provider, way, kept)
  const grant = inbox === null ? undefined : await findGrant(spool.db, inbox)
  if (grant && grant.provider === provider && grant.way === way && !isForgotten(grant.secrets))
    return clientOf(grant, readSecrets(spool, grant))
  throw new SpoolError(
    'conflict',
    `There is no client for ${nameOf(provider)} yet. Register one there and enter its ID and secret (see docs/mail.md).`,
  )
}

function entered({ clientId, clientSecret, tenant, issuer, scopes }: WantedClient): KeptClient {
  return {
    clientId: clientId.trim(),
    clientSecret: clientSecret?.trim() || null,
    tenant: tenant?.trim() || null,
    issuer: issuer?.trim().replace(/\/+$/, '') || null,
    scopes: scopes ?? null,
  }
}

function describe(provider: SignInProvider, way: SignInWay, client: KeptClient): OAuthClient {
  const { clientId, clientSecret, tenant } = client
  if (provider === 'other') {
    if (client.issuer === null || !URL.canParse(client.issuer))
      throw new SpoolError(
        'bad_parameter',
        'Enter the address of the sign-in server, such as https://login.example.com.',
      )
    const usual = ['openid', 'email', 'offline_access']
    const scopes = client.scopes ?? (way === 'app' ? [] : usual)
    return { provider, way, issuer: client.issuer, clientId, clientSecret, scopes, sendScopes: scopes }
  }
  const { issuer, scopes, sendScopes } = knownProviders[provider]
  const asked = scopes[way]
  if (asked === null)
    throw new SpoolError('bad_parameter', `${nameOf(provider)} does not support signing in without a person.`)
  if (way === 'app' && (tenant === null || clientSecret === null))
    throw new SpoolError(
      'bad_parameter',
      'Without a person, the sign-in needs the tenant and a client secret.',
    )
  const about = { provider, way, issuer: issuer(tenant), clientId, clientSecret, scopes: asked }
  return sendScopes ? { ...about, sendScopes: sendScopes[way] } : about
}

function nameOf(provider: SignInProvider): string {
  return provider === 'other' ? 'this provider' : knownProviders[provider].name
}

/** The environment takes precedence over what an admin entered. */
async function findClient(spool: Spool, provider: SignInProvider): Promise<KeptClient | null> {
  const given = provider === 'other' ? null : spool.oauthClients[provider]
  if (given) return { ...given, issuer: null, scopes: null }
  const stored = await readSetting(spool.db, settingOf(provider))
  if (stored === undefined) return null
  const bytes = Buffer.from(stored, 'base64')
  return JSON.parse(decryptSecret(spool.keys.secrets, settingOf(provider), bytes)) as KeptClient
}

/** Stores the client an admin entered, so that the next mailbox can use it too. */
export async function keepClient(
  spool: Spool,
  db: Tx,
  provider: SignInProvider,
  wanted: WantedClient,
): Promise<void> {
  const sealed = await sealSecret(spool, db, settingOf(provider), JSON.stringify(entered(wanted)))
  await writeSetting(db, settingOf(provider), sealed.toString('base64'))
}

function settingOf(provider: SignInProvider): string {
  return `oauth_client_${provider}`
}

/** One that cannot be read any more is entered again with the next sign-in. */
export async function resealClients(db: Tx, reseal: Reseal): Promise<void> {
  for (const provider of SignInProvider.options) {
    const name = settingOf(provider)
    const stored = await readSetting(db, name)
    if (stored === undefined) continue
    const kept = reseal(name, Buffer.from(stored, 'base64'))
    if (isForgotten(kept)) await deleteSetting(db, name)
    else await writeSetting(db, name, Buffer.from(kept).toString('base64'))
  }
}

/** Without the secret. */
export async function viewClient(
  spool: Spool,
  provider: SignInProvider,
): Promise<{ clientId: string; tenant: string | null; issuer: string | null } | null> {
  const client = await findClient(spool, provider)
  return client && { clientId: client.clientId, tenant: client.tenant, issuer: client.issuer }
}
