import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { Client, IssuerMismatchError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { signInAt, visit } from '../support/browser.ts'
import { allow, callMcp, loopbackRedirect } from '../support/oauth.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { installTools } from '../support/tools.ts'
import { signInAs } from '../support/web-client.ts'

/** What either version of the official client keeps, as an application would. */
class Provider {
  readonly redirectUrl = loopbackRedirect
  readonly clientMetadata = { client_name: 'Official client', redirect_uris: [loopbackRedirect] }
  sentTo: URL | null = null
  readonly #kept = new Map<string, unknown>()

  clientInformation() {
    return this.#kept.get('client') as never
  }
  saveClientInformation(client: unknown) {
    this.#kept.set('client', client)
  }
  tokens() {
    return this.#kept.get('tokens') as never
  }
  saveTokens(tokens: unknown) {
    this.#kept.set('tokens', tokens)
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string) {
    this.#kept.set('verifier', verifier)
  }
  codeVerifier() {
    return this.#kept.get('verifier') as string
  }
}

interface Official {
  connect(): Promise<unknown>
  finish(back: URLSearchParams): Promise<void>
  call(): Promise<unknown>
  close(): Promise<void>
}

const about = { name: 'test', version: '1' }

/** What is used of version 1. */
let OldClient: new (about: object) => Pick<Client, 'close'> & {
  connect(transport: object): Promise<void>
  callTool(call: object): Promise<unknown>
}
let OldTransport: new (url: URL, options: object) => { finishAuth(code: string): Promise<void> }
before(async () => {
  const { load } = await installTools(join(import.meta.dirname, 'tools'))
  ;({ Client: OldClient } = load<{ Client: typeof OldClient }>('@modelcontextprotocol/sdk/client/index.js'))
  ;({ StreamableHTTPClientTransport: OldTransport } = load<{
    StreamableHTTPClientTransport: typeof OldTransport
  }>('@modelcontextprotocol/sdk/client/streamableHttp.js'))
})

/** Each with the transport of its own version; a new one after consent, as both want it. */
const versions: Record<string, (url: URL, provider: Provider) => Official> = {
  '2.x': (url, authProvider) => {
    const [client, transport] = [new Client(about), new StreamableHTTPClientTransport(url, { authProvider })]
    return {
      connect: () => client.connect(transport),
      finish: (back) => transport.finishAuth(back),
      call: () => client.callTool({ name: 'list_threads', arguments: {} }),
      close: () => client.close(),
    }
  },
  '1.x': (url, authProvider) => {
    const [client, transport] = [new OldClient(about), new OldTransport(url, { authProvider })]
    return {
      connect: () => client.connect(transport),
      finish: (back) => transport.finishAuth(back.get('code')!),
      call: () => client.callTool({ name: 'list_threads', arguments: {} }),
      close: () => client.close(),
    }
  },
}

const isLong = process.env['SPOOL_TEST_LONG'] === '1'

async function decideByRoutes(spool: TestSpool, { search }: URL): Promise<URL> {
  const page = await signInAs(spool, spool.ada)
  return allow(page, search.slice(1), { inboxes: [spool.inbox.id] })
}

async function decideInBrowser(spool: TestSpool, { href }: URL): Promise<URL> {
  await using ada = await visit(spool)
  const { page } = ada
  await page.route(`${loopbackRedirect}**`, (route) => route.fulfill({ body: 'You can close this page.' }))
  await signInAt(spool, ada, spool.ada)
  await page.goto(href)
  await page.getByLabel('Support').check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${loopbackRedirect}**`)
  return new URL(page.url())
}

for (const [version, open] of Object.entries(versions))
  test(`the official client ${version} registers, is sent to the page, and calls`, async () => {
    await using spool = await startSpool('sqlite')
    await spool.receive({})
    const url = new URL(`${spool.url}/mcp`)
    const provider = new Provider()
    const first = open(url, provider)
    await assert.rejects(first.connect(), /Unauthorized/)
    assert.equal(provider.sentTo!.pathname, '/oauth/authorize')
    const back = await (isLong ? decideInBrowser : decideByRoutes)(spool, provider.sentTo!)
    await first.finish(back.searchParams)
    const second = open(url, provider)
    await second.connect()
    assert.match(JSON.stringify(await second.call()), /Where is my order/)
    await second.close()
  })

test('the official client takes an answer only from the server it asked, and Spool says who it is in every answer', async () => {
  await using spool = await startSpool('sqlite')
  const provider = new Provider()
  const client = versions['2.x']!(new URL(`${spool.url}/mcp`), provider)
  await assert.rejects(client.connect(), /Unauthorized/)
  const { searchParams } = await decideByRoutes(spool, provider.sentTo!)
  assert.deepEqual(searchParams.getAll('iss'), [spool.url])
  const others = ['https://evil.example', `${spool.url}/`, `${spool.url}.evil.example`, null]
  for (const iss of others) {
    const mixedUp = new URLSearchParams(searchParams)
    if (iss === null) mixedUp.delete('iss')
    else mixedUp.set('iss', iss)
    await assert.rejects(client.finish(mixedUp), IssuerMismatchError, `iss ${iss}`)
  }
  // None of them used the code up: a second use would have ended the grant.
  await client.finish(searchParams)
  const { access_token: token } = provider.tokens() as { access_token: string }
  assert.equal((await callMcp(`${spool.url}/mcp`, token)).status, 200)
})
