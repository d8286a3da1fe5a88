import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Token {
  accountId?: string
  clientId?: string
}

interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  on(event: string, listener: (...about: never[]) => void): void
  Grant: { adapter: { destroy(id: string): Promise<void> } }
}

type MakeProvider = new (issuer: string, configuration: Record<string, unknown>) => Provider

export interface MailProvider extends AsyncDisposable {
  url: string
  /** The URL at which Dovecot introspects tokens. */
  introspectionUrl: string
  client: { issuer: string; clientId: string; clientSecret: string }
  /** A client that uses the client credentials grant. */
  app: { issuer: string; clientId: string; clientSecret: string; scopes: string[] }
  /** Lifetime of access tokens in seconds. */
  life: number
  /** The mailbox that an account or client opens, if it differs from its own name. */
  mailboxes: Map<string, string>
  /** How often each refresh token was used. */
  refreshes: Map<string, number>
  /** All secrets and tokens that were handed out. */
  secrets: Set<string>
  /** Revokes every grant: the next refresh is refused. */
  revoked: boolean
  /** Makes the token endpoint answer 503. */
  away: boolean
  /** Makes the token endpoint answer with an HTML page, as a wrong URL would. */
  garbled: boolean
  /** Awaited before each request to the token endpoint. */
  hold: Promise<void> | null
  /** Number of requests that had to wait for `hold`. */
  held: number
  /** Whether refresh tokens are single-use. Reusing one revokes its grant. */
  rotates: boolean
  /** Called once, when new tokens are ready. Then the connection is closed without delivering them. */
  cut: (() => Promise<void>) | null
  /** The mailbox that a token opens; null if the token is invalid. */
  mailboxOf(token: string): Promise<string | null>
  /** Requests an access token for `app`. */
  obtain(): Promise<string>
  /** Signs in and consents as a user would. Returns the URL the browser is redirected to. */
  consent(address: string, account: string, choice?: 'consent' | 'refuse'): Promise<URL>
}

const secret = 'the secret of this client, long enough for everybody'

/** A real OpenID provider that rotates refresh tokens, for mailboxes that are opened by signing in. */
export async function startMailProvider(redirectUri: string): Promise<MailProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: MailProvider = {
    url,
    introspectionUrl: `${url.replace('://', '://dovecot:dovecot-secret@')}/token/introspection`,
    client: { issuer: url, clientId: 'spool', clientSecret: secret },
    app: { issuer: url, clientId: 'app', clientSecret: secret, scopes: ['mail'] },
    life: 3600,
    mailboxes: new Map(),
    refreshes: new Map(),
    secrets: new Set([secret]),
    revoked: false,
    away: false,
    garbled: false,
    hold: null,
    held: 0,
    rotates: true,
    cut: null,
    async mailboxOf(token) {
      const answer = await fetch(`${url}/token/introspection`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('dovecot:dovecot-secret').toString('base64')}` },
        body: new URLSearchParams({ token }),
      })
      const { active, mailbox } = (await answer.json()) as { active: boolean; mailbox?: string }
      return active ? (mailbox ?? null) : null
    },
    async obtain() {
      const { clientId: client_id, clientSecret: client_secret } = state.app
      const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'mail' }
      const answer = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(form) })
      return ((await answer.json()) as { access_token: string }).access_token
    },
    consent: (address, account, choice = 'consent') => consent(url, redirectUri, address, account, choice),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const oidc = await makeProvider(url, redirectUri, state)
  const callback = oidc.callback()
  // Some tests rely on the client disconnecting.
  handle = (request, response) =>
    void answer(state, callback, request, response).catch(() => response.destroy())
  return state
}

/** The package ships no types. */
async function makeProvider(url: string, redirectUri: string, state: MailProvider): Promise<Provider> {
  const name: string = 'oidc-provider'
  const { default: OidcProvider } = (await import(name)) as { default: MakeProvider }
  const mailbox = ({ accountId, clientId }: Token): string => {
    const who = accountId ?? clientId ?? ''
    return state.mailboxes.get(who) ?? who
  }
  // Silences warnings about its quick-start keys, which matter only in production.
  const { info, warn } = console
  Object.assign(console, { info: () => undefined, warn: () => undefined })
  try {
    return new OidcProvider(url, {
      clients: [
        {
          client_id: 'spool',
          client_secret: secret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          client_id: 'app',
          client_secret: secret,
          redirect_uris: [],
          response_types: [],
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          client_id: 'dovecot',
          client_secret: 'dovecot-secret',
          redirect_uris: [],
          response_types: [],
          grant_types: [],
        },
      ],
      scopes: ['openid', 'email', 'offline_access', 'mail'],
      claims: { openid: ['sub'], email: ['email'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the tests'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: id }),
      }),
      extraTokenClaims: (_: unknown, token: Token) => ({ mailbox: mailbox(token) }),
      features: {
        devInteractions: { enabled: true },
        clientCredentials: { enabled: true },
        introspection: { enabled: true, allowedPolicy: () => true },
      },
      pkce: { required: () => true },
      rotateRefreshToken: () => state.rotates,
      ttl: {
        AccessToken: () => state.life,
        ClientCredentials: () => state.life,
        RefreshToken: 86_400,
        Grant: 86_400,
        Session: 3600,
        Interaction: 3600,
        IdToken: 3600,
      },
    })
  } finally {
    Object.assign(console, { info, warn })
  }
}

async function answer(
  state: MailProvider,
  callback: (request: IncomingMessage, response: ServerResponse) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url !== '/token') return callback(request, response)
  if (state.hold) state.held++
  await state.hold
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces).toString()
  const { grant_type: kind, refresh_token: refresh } = Object.fromEntries(new URLSearchParams(body))
  const say = (status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  if (state.away) return say(503, { error: 'temporarily_unavailable' })
  if (state.garbled) return void response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>')
  if (kind === 'refresh_token') {
    state.refreshes.set(refresh!, (state.refreshes.get(refresh!) ?? 0) + 1)
    if (state.revoked) return say(400, { error: 'invalid_grant', error_description: 'grant is revoked' })
  }
  // The body was read above, so pass it on as if a middleware had parsed it.
  const passed = Object.assign(request, { body: Object.fromEntries(new URLSearchParams(body)) })
  const end = response.end.bind(response)
  response.end = ((piece: string | Buffer, ...rest: never[]) => {
    for (const [, token] of String(piece ?? '').matchAll(/"(?:access|refresh)_token":"([^"]+)"/g))
      state.secrets.add(token!)
    const { cut } = state
    if (cut === null || response.statusCode !== 200) return end(piece, ...rest)
    state.cut = null
    void cut().finally(() => response.destroy())
    return response
  }) as typeof response.end
  callback(passed, response)
}

/** Follows the provider's pages as a browser does, keeping cookies. */
async function consent(
  url: string,
  redirectUri: string,
  address: string,
  account: string,
  choice: 'consent' | 'refuse',
): Promise<URL> {
  const cookies = new Map<string, string>()
  const ask = async (at: URL, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return answer
  }
  let at = new URL(address)
  for (let step = 0; step < 12; step++) {
    if (at.href.startsWith(redirectUri)) return at
    const page = await ask(at)
    let next = page.headers.get('location')
    if (next === null) {
      const html = await page.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
      if (prompt === undefined) throw new Error(`The provider says: ${html.slice(0, 2000)}`)
      const refused = choice === 'refuse' && prompt === 'consent'
      if (refused) next = `${at.pathname}/abort`
      else {
        const login = { login: account, password: 'anything' }
        const answered = await ask(at, { prompt, ...(prompt === 'login' ? login : {}) })
        next = answered.headers.get('location')!
      }
    }
    at = new URL(next, url)
  }
  throw new Error('The provider does not come to an end.')
}
