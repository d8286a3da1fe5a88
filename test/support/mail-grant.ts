import { randomBytes } from 'node:crypto'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import type { NewGrant } from '../../src/core/mailboxes/grants.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { MailProvider } from './mail-provider.ts'

/** For tests without a page: nothing listens at this address. */
export const redirectUri = 'http://127.0.0.1:9/oauth/mailbox'

/** Signs in at the provider and consents. */
export async function consentTo(spool: Spool, provider: MailProvider, address: string): Promise<NewGrant> {
  const client = {
    provider: 'other',
    way: 'delegated',
    ...provider.client,
    scopes: ['openid', 'email', 'offline_access'],
  } as const
  const random = (): string => randomBytes(32).toString('base64url')
  const request = { redirectUri, state: random(), verifier: random(), nonce: random(), hint: address }
  const back = await provider.consent(await spool.oauth.authorizationUrl(client, request), address)
  const read = (name: string): string => back.searchParams.get(name)!
  const answer = { code: read('code'), state: read('state'), iss: read('iss') }
  const tokens = await spool.oauth.redeem(client, request, answer)
  return { provider: 'other', way: 'delegated', account: address, client, tokens }
}

/** An inbox whose IMAP server is Dovecot at this port, authorised by OAuth consent. */
export async function addGrantedInbox(
  spool: Spool,
  provider: MailProvider,
  address: string,
  port: number,
): Promise<Inbox> {
  const at = {
    host: '127.0.0.1',
    port,
    security: 'none',
    user: address,
    password: null,
    options: {},
  } as const
  const grant = await consentTo(spool, provider, address)
  return addInbox(spool, address, null, [{ kind: 'imap', ...at }], undefined, { grant })
}
