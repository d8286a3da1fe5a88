import { mustHold as assert } from '../support/must-hold.ts'
import { after, before, test } from 'node:test'
import type { Consent } from '../../src/model/consent.ts'
import { Authority } from '../support/authority.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import {
  allow,
  discover,
  look,
  loopbackRedirect,
  serveDocument,
  TestClient,
  type DocumentHost,
} from '../support/oauth.ts'
import { makeRandom } from '../support/random.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const shared = shareSpool('sqlite', { SPOOL_FETCH_ALLOW: '127.0.0.1', SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })

const authority = new Authority()
const tls = authority.issue('IP:127.0.0.1', 'IP:127.0.0.2')
const serve = (describe?: (url: string) => object, host?: string): Promise<DocumentHost> =>
  serveDocument(describe, { tls, ...(host === undefined ? {} : { host }) })

let trust: Disposable
before(() => void (trust = authority.trust()))
after(() => trust[Symbol.dispose]())

let opened: Promise<{ page: WebClient; desk: Desk }> | undefined

async function openPage(): Promise<{ page: WebClient; desk: Desk }> {
  const spool = await shared()
  const desk = await openDesk(spool)
  return { desk, page: await signInAs(spool, desk.user) }
}

async function begin(id: string): Promise<{ page: WebClient; client: TestClient; desk: Desk }> {
  const { page, desk } = await (opened ??= openPage())
  return { page, desk, client: new TestClient(await discover(`${(await shared()).url}/mcp`), id) }
}

test('a document must be at a public https address, or where SPOOL_FETCH_ALLOW says', async () => {
  await using inside = await serve(() => ({}), '127.0.0.2')
  const { page, client } = await begin(inside.url)
  const answer = await look(page, client.query())
  assert.deepEqual(
    [answer.status, inside.connections],
    [400, 0],
    'what webhooks may reach is not for strangers',
  )
  assert.match(answer.text, /not public/)
  for (const id of [
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
    'https://localhost/client.json',
    'http://example.com/client.json',
    'https://user@example.com/client.json',
    'https://example.com/client.json#x',
    'https://example.com/',
    'https://example.com/x/../client.json',
    'HTTPS://example.com/client.json',
    'https://example.com:443/client.json',
    'https:example.com/client.json',
    'file:///etc/passwd',
  ]) {
    const { status } = await look(page, client.query({ client_id: id }))
    assert.ok(status === 400 || status === 404, `${id}: ${status}`)
  }
})

test('a document needs a certificate for its host, by an authority that this machine knows', async () => {
  const unknown = new Authority()
  for (const [pair, what] of [
    [authority.issue('DNS:agent.example', 'IP:127.0.0.3'), 'for another host'],
    [unknown.issue('IP:127.0.0.1'), 'by an unknown authority'],
  ] as const) {
    await using document = await serveDocument(() => ({}), { tls: pair })
    const { page, client } = await begin(document.url)
    const answer = await look(page, client.query())
    assert.deepEqual([answer.status, document.requests], [400, 0], what)
    assert.ok(document.connections > 0, 'it was the certificate')
  }
  await using document = await serve()
  const { page, client, desk } = await begin(document.url)
  const back = await allow(page, client.query(), { inboxes: [desk.inbox.id] })
  assert.equal((await client.redeem(back.searchParams.get('code')!)).status, 200)
})

const wrong: [what: string, describe: (url: string) => object, sentence: RegExp][] = [
  ['describes another client', () => ({ client_id: 'https://claude.ai/client.json' }), /another client/],
  ['wants a secret', () => ({ token_endpoint_auth_method: 'client_secret_basic' }), /public clients/],
  ['is signed with a key', () => ({ token_endpoint_auth_method: 'private_key_jwt' }), /public clients/],
  ['has no addresses', () => ({ redirect_uris: undefined }), /not a client document/],
  ['has addresses of another kind', () => ({ redirect_uris: [1] }), /not a client document/],
  [
    'has only dangerous addresses',
    () => ({ redirect_uris: ['javascript:alert(1)'] }),
    /it has not registered/,
  ],
]

for (const [what, describe, sentence] of wrong)
  test(`a document that ${what} is refused`, async () => {
    await using document = await serve(describe)
    const { page, client } = await begin(document.url)
    const answer = await look(page, client.query())
    assert.equal(answer.status, 400)
    assert.match(answer.text, sentence)
  })

test('a document that is large, slow, moved, missing or no document is given up on', async () => {
  await using document = await serve()
  await using inside = await serve(() => ({}), '127.0.0.2')
  const honest = document.answer
  const { page, client } = await begin(document.url)
  let sent = 0
  const answers: [RegExp, typeof document.answer][] = [
    [
      /larger than 32000/,
      (_, response) => {
        const more = (): void => {
          while (sent < 10_000_000 && !response.destroyed) {
            sent += 65_536
            if (!response.write(Buffer.alloc(65_536, 0x20))) return void response.once('drain', more)
          }
          response.end()
        }
        more()
      },
    ],
    [/5 seconds/, (_, response) => void response.write('{')],
    [/answered 302/, (_, response) => void response.writeHead(302, { location: document.url }).end()],
    [/answered 307/, (_, response) => void response.writeHead(307, { location: inside.url }).end()],
    [/answered 404/, (_, response) => void response.writeHead(404).end()],
    [/did not answer/, (_, response) => void response.destroy()],
    [/not a client document/, (_, response) => void response.end('<html>')],
    [/not a client document/, (_, response) => void response.end('null')],
  ]
  for (const [sentence, answer] of answers) {
    document.answer = answer
    const began = performance.now()
    const answered = await look(page, client.query())
    assert.equal(answered.status, 400, String(sentence))
    assert.match(answered.text, sentence)
    assert.ok(performance.now() - began < 20_000)
  }
  assert.ok(sent < 10_000_000, `${sent} bytes were taken`)
  assert.equal(inside.connections, 0, 'nobody is followed there')
  document.answer = honest
  assert.equal((await look(page, client.query())).status, 200, 'nothing of this is kept')
})

for (const database of databases)
  test(`${database}: a document whose address is too long to be stored is refused`, async () => {
    await using spool = await startSpool(database, { SPOOL_FETCH_ALLOW: '127.0.0.1' })
    const page = await signInAs(spool, spool.ada)
    const random = makeRandom(1)
    const more = Array.from({ length: 3_000 }, () => Math.floor(random() * 36).toString(36)).join('')
    await using document = await serve((url) => ({ client_id: `${url}?${more}` }))
    const client = new TestClient(await discover(`${spool.url}/mcp`), `${document.url}?${more}`)
    const answer = await look(page, client.query())
    assert.equal(answer.status, 400)
    assert.match(answer.text, /longer than 2000 characters/)
  })

test('a document is kept as long as it says, and what changes meanwhile changes nothing that was shown', async () => {
  await using document = await serve()
  const { page, client, desk } = await begin(document.url)
  const honest = document.answer
  await look(page, client.query())
  await look(page, client.query())
  assert.equal(document.requests, 2, 'it said nothing about how long')
  const { ticket } = (await look(page, client.query())).json<Consent>()
  document.answer = (_, response) => {
    const redirect_uris = ['https://evil.example/back']
    response.setHeader('cache-control', 'max-age=600')
    response.end(JSON.stringify({ client_id: document.url, client_name: 'Evil', redirect_uris }))
  }
  const decision = {
    ticket,
    name: 'x',
    scopes: ['threads:read'],
    inboxes: [desk.inbox.id],
    days: 7,
    replaces: null,
  }
  const { url } = await page.do<{ url: string }>('POST', '/consents', decision)
  assert.ok(url.startsWith(`${loopbackRedirect}?code=`))
  await assert.rejects(allow(page, client.query(), { inboxes: [desk.inbox.id] }), /it has not registered/)
  const asked = document.requests
  document.answer = honest
  await assert.rejects(allow(page, client.query(), { inboxes: [desk.inbox.id] }), /it has not registered/)
  assert.equal(document.requests, asked, 'kept for ten minutes')
})
