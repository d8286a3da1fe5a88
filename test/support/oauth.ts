import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Consent } from '../../src/model/consent.ts'
import type { KeyPair } from './authority.ts'
import type { WebAnswer, WebClient } from './web-client.ts'

/** What a client discovers from the `/mcp` URL alone. */
export interface Discovered {
  resource: string
  issuer: string
  authorize: string
  token: string
  revoke: string
  register: string
}

export async function discover(mcp: string): Promise<Discovered> {
  const refused = await callMcp(mcp, null)
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')!
  const { resource, authorization_servers: servers } = (await (await fetch(metadata!)).json()) as {
    resource: string
    authorization_servers: string[]
  }
  const server = new URL(servers[0]!)
  const found = (await (
    await fetch(`${server.origin}/.well-known/oauth-authorization-server`)
  ).json()) as Record<string, string>
  return {
    resource,
    issuer: found['issuer']!,
    authorize: found['authorization_endpoint']!,
    token: found['token_endpoint']!,
    revoke: found['revocation_endpoint']!,
    register: found['registration_endpoint']!,
  }
}

/** Calls `list_threads`, or another tool. */
export function callMcp(
  mcp: string,
  token: string | null,
  tool = 'list_threads',
  given = {},
): Promise<Response> {
  return fetch(mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: given },
    }),
  })
}

export interface Issued {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  token_type: string
}

export interface TokenAnswer {
  status: number
  headers: Headers
  body: Partial<Issued> & { error?: string; statusCode?: number; message?: string }
}

export const loopbackRedirect = 'http://127.0.0.1:33418/callback'

/** A test client. It does what it is told, including what no honest client would do. */
export class TestClient {
  readonly at: Discovered
  readonly id: string
  readonly redirectUri: string
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(8).toString('base64url')

  constructor(at: Discovered, id: string, redirectUri = loopbackRedirect) {
    this.at = at
    this.id = id
    this.redirectUri = redirectUri
  }

  /** The query of an authorization request; null omits a parameter. */
  query(changes: Record<string, string | null> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: this.state,
      scope: 'threads:read drafts:propose',
      resource: this.at.resource,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    }
    return new URLSearchParams(
      Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null),
    ).toString()
  }

  async redeem(code: string, changes: Record<string, string | null> = {}): Promise<TokenAnswer> {
    return postForm(this.at.token, {
      grant_type: 'authorization_code',
      code,
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      resource: this.at.resource,
      ...changes,
    })
  }

  async refresh(token: string, changes: Record<string, string | null> = {}): Promise<TokenAnswer> {
    return postForm(this.at.token, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: this.id,
      ...changes,
    })
  }

  async revoke(token: string, changes: Record<string, string | null> = {}): Promise<TokenAnswer> {
    return postForm(this.at.revoke, { token, client_id: this.id, ...changes })
  }
}

export async function postForm(url: string, form: Record<string, string | null>): Promise<TokenAnswer> {
  const pairs = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== null)
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(pairs) })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as TokenAnswer['body'],
  }
}

export async function register(
  at: Discovered,
  metadata: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: { client_id: string; error?: string } & Record<string, unknown> }> {
  const answer = await fetch(at.register, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(metadata),
  })
  return { status: answer.status, body: (await answer.json()) as { client_id: string } }
}

/** Sends the request that the page makes when a user arrives with this query. */
export function look(page: WebClient, query: string): Promise<WebAnswer> {
  return page.ask('GET', `/consents?${new URLSearchParams({ request: query }).toString()}`)
}

export interface Wish {
  name?: string
  scopes?: string[]
  inboxes: string[]
  days?: number
  replaces?: string | null
}

/** Does what a user does on the page: looks, chooses, allows. Returns the URL the browser is redirected to. */
export async function allow(page: WebClient, query: string, wish: Wish): Promise<URL> {
  const looked = await look(page, query)
  if (looked.status !== 200) throw new Error(`The page was refused: ${looked.text}`)
  const { ticket, client, problem } = looked.json<Consent>()
  if (problem !== null) throw new Error(`The page shows a problem: ${problem}`)
  const { url } = await page.do<{ url: string }>('POST', '/consents', {
    ticket,
    name: client.host,
    scopes: ['threads:read'],
    days: 90,
    replaces: null,
    ...wish,
  })
  return new URL(url)
}

/** Runs the whole flow and returns the tokens. */
export async function connect(client: TestClient, page: WebClient, wish: Wish): Promise<Issued> {
  const back = await allow(page, client.query(), wish)
  const { status, body } = await client.redeem(back.searchParams.get('code')!)
  if (status !== 200) throw new Error(`The code was refused: ${JSON.stringify(body)}`)
  return body as Issued
}

/** Serves client metadata documents. `answer` can be replaced at any time. */
export interface DocumentHost extends AsyncDisposable {
  url: string
  connections: number
  requests: number
  answer(request: IncomingMessage, response: ServerResponse): void
}

export async function serveDocument(
  describe: (url: string) => object = () => ({}),
  { host = '127.0.0.1', tls }: { host?: string; tls?: KeyPair } = {},
): Promise<DocumentHost> {
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    served.requests++
    served.answer(request, response)
  }
  const server = (tls ? createSecureServer(tls, listener) : createServer(listener)).listen(0, host)
  server.on('connection', () => void served.connections++)
  await once(server, 'listening')
  const url = `http${tls ? 's' : ''}://${host}:${(server.address() as AddressInfo).port}/client.json`
  const served: DocumentHost = {
    url,
    connections: 0,
    requests: 0,
    answer(_, response) {
      const document = { client_id: url, client_name: 'Test client', redirect_uris: [loopbackRedirect] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...document, ...describe(url) }))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return served
}
