import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentView } from '../../src/model/settings.ts'
import type { ClientView, Consent } from '../../src/model/consent.ts'
import { forgetUnusedClients } from '../../src/core/grants/clients.ts'
import { forgetExpiredSecrets } from '../../src/core/grants/grants.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startNode } from '../support/nodes.ts'
import {
  allow,
  callMcp,
  connect,
  discover,
  look,
  loopbackRedirect,
  register,
  serveDocument,
  TestClient,
} from '../support/oauth.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const hour = 3_600_000
const day = 24 * hour

for (const database of databases) {
  const shared = shareSpool(database, { SPOOL_FETCH_ALLOW: '127.0.0.0/8' })

  interface World {
    spool: TestSpool
    desk: Desk
    page: WebClient
    client: TestClient
  }

  let admin: Promise<WebClient> | undefined
  const openAdmin = async (): Promise<WebClient> => (admin ??= signInAs(await shared(), (await shared()).ada))

  async function begin(role: 'member' | 'viewer' = 'member'): Promise<World> {
    const spool = await shared()
    const desk = await openDesk(spool, role)
    await desk.receive()
    const page = await signInAs(spool, desk.user)
    const at = await discover(`${spool.url}/mcp`)
    // Entered, because a test must not use up what strangers may register.
    const { id } = await (
      await openAdmin()
    ).do<ClientView>('POST', '/clients', {
      name: 'Test client',
      redirectUris: [loopbackRedirect],
    })
    return { spool, desk, page, client: new TestClient(at, id) }
  }

  const status = async (world: World, token: string, tool?: string, given?: object): Promise<number> =>
    (await callMcp(world.client.at.resource, token, tool, given)).status

  const agentOf = async (page: WebClient, name: string): Promise<AgentView | undefined> =>
    (await page.do<{ data: AgentView[] }>('GET', '/agents')).data.find((agent) => agent.name === name)

  async function later<Result>({ spool }: World, time: number, work: () => Promise<Result>): Promise<Result> {
    spool.spool.now = () => Date.now() + time
    try {
      return await work()
    } finally {
      spool.spool.now = Date.now
    }
  }

  test(`${database}: both metadata documents say what there is, by the public address, and nothing else`, async () => {
    const spool = await shared()
    const issuer = spool.url
    const headers = { host: 'evil.example' }
    const read = async (path: string): Promise<unknown> => (await spool.get(path, { headers })).json()
    const scopes = ['threads:read', 'notes:read', 'events:read', 'drafts:propose']
    assert.deepEqual(await read('/.well-known/oauth-protected-resource/mcp'), {
      resource: `${issuer}/mcp`,
      resource_name: 'Spool',
      resource_documentation: `${issuer}/docs`,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
    assert.deepEqual(await read('/.well-known/oauth-authorization-server'), {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      registration_endpoint: `${issuer}/oauth/register`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${issuer}/docs`,
    })
    // A question mark may stand in a query as it is.
    const asked = 'client_id=x&state=a?b&code_challenge=c'
    const answer = await fetch(`${issuer}/oauth/authorize?${asked}`, { redirect: 'manual' })
    assert.equal(answer.headers.get('location'), `${issuer}/consent?${asked}`)
  })

  test(`${database}: by document, by registration and entered by an admin, from the address to the first call`, async () => {
    const world = await begin()
    const { desk, page, client } = world
    await using document = await serveDocument()
    const made = await register(client.at, { redirect_uris: [loopbackRedirect], client_name: 'Own' })
    assert.equal(made.status, 201)
    for (const id of [document.url, made.body.client_id, client.id]) {
      const one = new TestClient(client.at, id)
      // The person's browser comes by the authorization endpoint, with the request as it is.
      const entry = await fetch(`${client.at.authorize}?${one.query()}`, { redirect: 'manual' })
      assert.equal(entry.status, 302)
      assert.equal(entry.headers.get('location'), `${world.spool.url}/consent?${one.query()}`)
      const back = await allow(page, one.query(), { inboxes: [desk.inbox.id], name: `Agent ${id}` })
      assert.equal(back.origin + back.pathname, loopbackRedirect)
      assert.equal(back.searchParams.get('state'), one.state)
      assert.equal(back.searchParams.get('iss'), world.spool.url)
      const waiting = await agentOf(page, `Agent ${id}`)
      assert.match(waiting!.tokenId, /^grt_/)
      assert.deepEqual([waiting!.byConsent, waiting!.lastUsedAt], [true, null])
      const { status: answered, body, headers } = await one.redeem(back.searchParams.get('code')!)
      assert.equal(answered, 200)
      assert.match(body.access_token!, /^spool_mcp_[0-9A-Za-z]{49}$/)
      assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 3600, 'threads:read'])
      assert.equal(headers.get('cache-control'), 'no-store')
      const call = await callMcp(client.at.resource, body.access_token!)
      assert.equal(call.status, 200)
      assert.match(await call.text(), /Where is my order/)
      await until('its last use and its calls are written', async () => {
        const told = await agentOf(page, `Agent ${id}`)
        return told?.lastUsedAt && told.last30Days.calls > 0
      })
    }
  })

  test(`${database}: the page is told who asks, and only reading is offered to a viewer`, async () => {
    const { client, desk, page } = await begin('viewer')
    await using document = await serveDocument(() => ({
      client_name: `<b>Claude</b>‮ \n${'x'.repeat(500)}`,
    }))
    const byDocument = new TestClient(client.at, document.url)
    const { client: shown, ...consent } = (await look(page, byDocument.query())).json<Consent>()
    assert.equal(shown.host, new URL(document.url).host)
    assert.equal(shown.entered, false)
    assert.ok(shown.name!.startsWith('‹b›Claude‹/b› x') && shown.name!.length === 80, 'one visible line')
    assert.deepEqual([shown.local, shown.returnsTo], [true, '127.0.0.1:33418'])
    assert.deepEqual(consent.offered, ['threads:read', 'notes:read', 'events:read'])
    const wish = { inboxes: [desk.inbox.id], scopes: ['drafts:propose'] }
    await assert.rejects(allow(page, byDocument.query(), wish), /viewer/)
  })

  test(`${database}: a grant sees what its person chose, has a name in the history, and opens no REST route`, async () => {
    const world = await begin()
    const { spool, desk, page, client } = world
    const other = await openDesk(spool)
    await assert.rejects(connect(client, page, { inboxes: [other.inbox.id] }), /has no inbox/)
    const { access_token: token } = await connect(client, page, {
      inboxes: [desk.inbox.id],
      scopes: ['threads:read', 'drafts:propose'],
      name: 'Night shift',
    })
    const [thread] = await desk.threads()
    const call = await callMcp(client.at.resource, token, 'propose_draft', {
      threadId: thread!.id,
      text: 'We look into it.',
    })
    assert.equal(call.status, 200)
    const { history } = await desk.thread(thread!.id)
    const proposed = history.find((entry) => entry.type === 'draft_proposed')!
    const { type, id, name } = (proposed as { actor: { type: string; id: string; name: string } }).actor
    assert.deepEqual([type, name], ['agent', 'Night shift'])
    assert.match(id, /^grt_/)
    for (const path of ['/api/v1/threads', '/api/v1/me', `/api/v1/threads/${thread!.id}`])
      assert.equal((await spool.get(path, { token })).status, 401, path)
    assert.ok(!(await page.ask('GET', '/tokens')).text.includes('grt_'), 'it is no token to paste')
  })

  test(`${database}: an access token ends after an hour, a refresh token after 90 days without use, the grant when it was said`, async () => {
    const world = await begin()
    const { desk, page, client } = world
    const first = await connect(client, page, { inboxes: [desk.inbox.id], days: 120 })
    const asked = await (await callMcp(client.at.resource, first.access_token, 'whoami')).json()
    const { expiresAt } = (asked as { result: { structuredContent: { expiresAt: string } } }).result
      .structuredContent
    const left = Date.parse(expiresAt) - Date.now()
    assert.ok(left > 119 * day && left <= 120 * day, 'an agent is told how long it may stay')
    await later(world, hour - 60_000, async () => assert.equal(await status(world, first.access_token), 200))
    const second = await later(world, hour + 1000, async () => {
      assert.equal(await status(world, first.access_token), 401)
      const { status: refreshed, body } = await client.refresh(first.refresh_token)
      assert.equal(refreshed, 200)
      assert.notEqual(body.refresh_token, first.refresh_token)
      assert.equal(await status(world, body.access_token!), 200)
      return body
    })
    const third = await later(world, 80 * day, async () => (await client.refresh(second.refresh_token!)).body)
    await later(world, 119.99 * day, async () => {
      const { status: refreshed, body } = await client.refresh(third.refresh_token!)
      assert.equal(refreshed, 200, 'ninety days from its last use')
      assert.ok(body.expires_in! < 3600, 'and not beyond the grant')
      await later(world, 120 * day + hour, async () => {
        assert.equal(await status(world, body.access_token!), 401)
        assert.equal((await client.refresh(body.refresh_token!)).body.error, 'invalid_grant')
      })
    })
    const idle = await connect(client, page, { inboxes: [desk.inbox.id], days: 365 })
    await later(world, 91 * day, async () => {
      assert.equal((await client.refresh(idle.refresh_token)).body.error, 'invalid_grant')
    })
  })

  test(`${database}: a call that lacks a scope says which, and consent adds it to the same agent`, async () => {
    const world = await begin()
    const { desk, page, client } = world
    const first = await connect(client, page, { inboxes: [desk.inbox.id], name: 'Helper' })
    const [thread] = await desk.threads()
    const notes = { threadId: thread!.id }
    const refused = await callMcp(client.at.resource, first.access_token, 'list_notes', notes)
    assert.equal(refused.status, 403)
    const challenge = refused.headers.get('www-authenticate')!
    assert.match(challenge, /error="insufficient_scope"/)
    assert.match(challenge, /scope="notes:read"/)
    assert.match(challenge, /resource_metadata="/)
    const query = client.query({ scope: 'notes:read' })
    const { existing, asked } = (await look(page, query)).json<Consent>()
    assert.deepEqual(asked, ['notes:read'])
    assert.deepEqual(
      existing.map(({ name, scopes }) => [name, scopes]),
      [['Helper', ['threads:read']]],
    )
    const back = await allow(page, query, {
      inboxes: [desk.inbox.id],
      name: 'Helper',
      scopes: ['threads:read', 'notes:read'],
      replaces: existing[0]!.id,
    })
    assert.equal(await status(world, first.access_token), 401, 'what it had ends')
    const { body } = await client.redeem(back.searchParams.get('code')!)
    assert.equal(body.scope, 'threads:read notes:read')
    assert.equal(await status(world, body.access_token!, 'list_notes', notes), 200)
    const agents = (await page.do<{ data: AgentView[] }>('GET', '/agents')).data
    assert.deepEqual(
      agents.filter(({ byConsent }) => byConsent).map(({ tokenId }) => tokenId),
      [existing[0]!.id],
    )
  })

  test(`${database}: a token's answer names the scopes that it has: of a person made viewer, only those to read`, async () => {
    const { spool, desk, page, client } = await begin()
    const scopes = ['threads:read', 'drafts:propose']
    const first = await connect(client, page, { inboxes: [desk.inbox.id], scopes })
    assert.equal(first.scope, scopes.join(' '))
    await changeUser(spool.spool, desk.user.email, { role: 'viewer' })
    const { body } = await client.refresh(first.refresh_token)
    assert.equal(body.scope, 'threads:read')
    await changeUser(spool.spool, desk.user.email, { role: 'member' })
    assert.equal((await client.refresh(body.refresh_token!)).body.scope, scopes.join(' '))
  })

  test(`${database}: a refresh with fewer scopes gets a token with fewer, and the next may ask for all again`, async () => {
    const { desk, page, client } = await begin()
    const scopes = ['threads:read', 'drafts:propose']
    const draft = { threadId: 'thr_1', text: 'Hello' }
    const propose = (token: string): Promise<string | null> =>
      callMcp(client.at.resource, token, 'propose_draft', draft).then(({ headers }) =>
        headers.get('www-authenticate'),
      )
    const first = await connect(client, page, { inboxes: [desk.inbox.id], scopes })
    assert.equal(await propose(first.access_token), null)
    const narrow = (await client.refresh(first.refresh_token, { scope: 'threads:read' })).body
    assert.equal(narrow.scope, 'threads:read')
    assert.equal((await callMcp(client.at.resource, narrow.access_token!)).status, 200)
    assert.match((await propose(narrow.access_token!)) ?? '', /insufficient_scope/)
    assert.equal(await propose(first.access_token), null, 'the token before keeps its scopes')
    const empty = await client.refresh(narrow.refresh_token!, { scope: ' ' })
    assert.equal(empty.body.error, 'invalid_scope')
    const more = await client.refresh(narrow.refresh_token!, { scope: 'threads:read notes:read' })
    assert.equal(more.body.error, 'invalid_scope')
    const all = (await client.refresh(narrow.refresh_token!)).body
    assert.equal(all.scope, scopes.join(' '))
    assert.equal(await propose(all.access_token!), null)
  })

  test(`${database}: revoked by the client, on the page, with the person or the client: it ends at once, on every node`, async () => {
    const world = await begin()
    const { spool, desk, page, client } = world
    const wish = { inboxes: [desk.inbox.id] }
    await using beside = await startNode(spool.database, { SPOOL_URL: spool.url })
    const everywhere = async (token: string, wanted: number, why: string): Promise<void> => {
      for (const url of [spool.url, beside.app.url])
        await until(
          `${why}: ${wanted} at ${url}`,
          async () => (await callMcp(`${url}/mcp`, token)).status === wanted,
        )
    }
    const one = await connect(client, page, wish)
    await everywhere(one.access_token, 200, 'connected')
    assert.equal((await client.revoke(one.access_token)).status, 200)
    await everywhere(one.access_token, 401, 'its access token revoked')
    const again = (await client.refresh(one.refresh_token)).body
    await everywhere(again.access_token!, 200, 'refreshed')
    assert.equal((await client.revoke(again.refresh_token!)).status, 200)
    await everywhere(again.access_token!, 401, 'its refresh token revoked')
    assert.equal((await client.revoke('nonsense')).status, 200)

    const two = await connect(client, page, { ...wish, name: 'On the page' })
    await everywhere(two.access_token, 200, 'connected')
    const { tokenId } = (await agentOf(page, 'On the page'))!
    await page.do('DELETE', `/tokens/${tokenId}`)
    await everywhere(two.access_token, 401, 'disconnected on the page')
    assert.equal((await client.refresh(two.refresh_token)).body.error, 'invalid_grant')

    const three = await connect(client, page, wish)
    const { ticket } = (await look(page, client.query())).json<Consent>()
    await (await openAdmin()).do('DELETE', `/clients/${client.id}`)
    await everywhere(three.access_token, 401, 'its client removed')
    assert.equal((await look(page, client.query())).status, 404)
    const late = { ticket, name: 'Late', scopes: ['threads:read'], days: 30, replaces: null, ...wish }
    assert.equal((await page.ask('POST', '/consents', late)).status, 404, 'from a page opened before that')
  })

  test(`${database}: refusing sends the person back with nothing, and a wrong request is told to the client`, async () => {
    const { page, client } = await begin()
    const { refuseUrl } = (await look(page, client.query())).json<Consent>()
    const refused = new URL(refuseUrl).searchParams
    assert.deepEqual(
      [refused.get('error'), refused.get('state'), refused.get('iss'), refused.get('code')],
      ['access_denied', client.state, client.at.issuer, null],
    )
    const wrong: [Record<string, string | null>, string][] = [
      [{ resource: null }, 'invalid_target'],
      [{ code_challenge: null }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ]
    for (const [changes, error] of wrong) {
      const consent = (await look(page, client.query(changes))).json<Consent>()
      assert.equal(new URL(consent.refuseUrl).searchParams.get('error'), error)
      assert.ok(consent.problem !== null && consent.ticket === '')
    }
  })

  test(`${database}: what nobody uses is forgotten: codes, grants without a way in, clients after seven days`, async () => {
    const world = await begin()
    const { spool, desk, page, client } = world
    const made = await register(client.at, { redirect_uris: [loopbackRedirect] })
    const kept = await register(client.at, { redirect_uris: [loopbackRedirect] })
    const used = new TestClient(client.at, kept.body.client_id)
    await connect(used, page, { inboxes: [desk.inbox.id], name: 'Kept' })
    await allow(page, client.query(), { inboxes: [desk.inbox.id], name: 'Never came' })
    await later(world, 8 * day, async () => {
      await forgetExpiredSecrets(spool.spool)
      await forgetUnusedClients(spool.spool)
    })
    assert.equal((await look(page, new TestClient(client.at, made.body.client_id).query())).status, 404)
    assert.equal((await look(page, used.query())).status, 200)
    assert.equal(await agentOf(page, 'Never came'), undefined)
    assert.ok(await agentOf(page, 'Kept'))
  })
}
