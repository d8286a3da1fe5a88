import { mustHold as assert } from '../support/must-hold.ts'
import { after, before, test } from 'node:test'
import { attachFile } from '../../src/core/drafts/attachments.ts'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import type { AppRoute } from '../../src/http/app-route.ts'
import { entryContract } from '../../src/http/contract/entry.ts'
import { appContract } from '../../src/http/contract/table.ts'
import { appRoutes } from '../../src/http/routes/app/table.ts'
import { person, type Role, type User } from '../../src/model/access.ts'
import type { Thread } from '../../src/model/history.ts'
import { agentOf } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openLive } from '../support/live-page.ts'
import {
  canary,
  closedToMembers,
  closedToViewers,
  examples,
  type Things,
  type Visitor,
} from '../support/private-routes.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { askWeb, password, signInAs } from '../support/web-client.ts'

test('every private route has an example in the matrix, and every example a route', () => {
  assert.deepEqual(Object.keys(examples).sort(), appRoutes.map(({ operationId }) => operationId).sort())
})

test('what page and server agreed on is served, all of it', () => {
  const elsewhere = [...Object.keys(entryContract), 'signOut']
  const served = [...elsewhere, ...appRoutes.map(({ operationId }) => operationId)]
  assert.deepEqual(served.sort(), Object.keys(appContract).sort())
})

test('the table of private routes says who may use each', () => {
  const closedTo = (role: Role): string[] =>
    appRoutes.filter(({ roles }) => !roles.includes(role)).map(({ operationId }) => operationId)
  assert.deepEqual(closedTo('admin'), [])
  assert.deepEqual(closedTo('member').sort(), closedToMembers.sort())
  assert.deepEqual(closedTo('viewer').sort(), [...closedToMembers, ...closedToViewers].sort())
})

/** What ends the session is tried last. */
const inOrder = [...appRoutes].sort((one, other) => Number(endsSession(one)) - Number(endsSession(other)))

/** No mail is about it. */
function isSetting({ path }: AppRoute): boolean {
  return /^\/(settings|tokens|agents|webhook|numbers|guide|profile|consents|clients)/.test(path)
}

function endsSession({ operationId }: AppRoute): boolean {
  return operationId === 'signOutEverywhere'
}

for (const database of databases) {
  let spool: TestSpool
  let settings = 0
  const visitors = {} as Record<Role | 'stranger', Visitor>

  before(async () => {
    spool = await startSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    const elsewhere = await spool.makeInbox('elsewhere@shop.example')
    const users: Record<Role | 'stranger', User> = {
      viewer: await spool.makeUser('viewer@shop.example', 'viewer', [spool.inbox]),
      member: await spool.makeUser('member@shop.example', 'member', [spool.inbox]),
      admin: spool.ada,
      stranger: await spool.makeUser('stranger@shop.example', 'member', [elsewhere]),
    }
    for (const [name, user] of Object.entries(users) as [Role | 'stranger', User][]) {
      const page = await signInAs(spool, user)
      const { data } = await page.do<{ data: { id: string }[] }>('GET', '/sessions')
      visitors[name] = { user, page, session: data[0]!.id }
    }
  })
  after(() => spool[Symbol.asyncDispose]())

  async function makeThings(visitor: Visitor, route: AppRoute): Promise<Things> {
    const from = `${canary} <${canary}@shop.example>`
    const { threadId, messageId } = await spool.receive({
      from,
      subject: canary,
      html: '<p>x</p>',
      attachments: [{ filename: `${canary}.txt`, type: 'text/plain', content: 'x' }],
    })
    const { threadId: other } = await spool.receive({ from, subject: `${canary} 2` })
    const [message] = (await spool.thread(threadId)).history as Extract<
      Thread['history'][number],
      { type: 'message' }
    >[]
    const author = visitor.user.role === 'viewer' ? spool.ada : visitor.user
    const note = await addNote(spool.spool, person(author), threadId, canary)
    const bot = await agentOf(spool.spool, spool.token)
    const { id: draft } = await proposeDraft(spool.spool, bot, { threadId, text: canary })
    const { revision, attachments } = await attachFile(spool.spool, person(spool.ada), {
      draftId: draft,
      revision: 1,
      filename: 'a.txt',
      contentType: 'text/plain',
      content: Buffer.from(canary),
    })
    const attachment = message!.attachments[0]!.id
    const file = attachments[0]!.id
    return {
      ...(await makeSettings(author, route)),
      spool,
      visitor,
      thread: threadId,
      other,
      message: messageId,
      attachment,
      note,
      draft,
      revision,
      file,
    }
  }

  /** Only where the route is about them: nobody has more than fifty of some. */
  async function makeSettings(
    visitor: User,
    { path }: AppRoute,
  ): Promise<Pick<Things, 'token' | 'webhook' | 'mate' | 'invitation' | 'made'>> {
    const number = ++settings
    const admin = visitors.admin.page
    const token = { email: visitor.email, name: 'x', scopes: ['threads:read'] as const }
    const owner = visitor.role === 'viewer' ? spool.ada : visitor
    const aboutTokens = /^\/(tokens|agents)\/\{/.test(path)
    const aboutWebhooks = path.startsWith('/webhooks/{')
    if (path.startsWith('/settings/invitations'))
      await admin.do('POST', '/invitations', {
        email: `guest${number}@shop.example`,
        name: `Guest ${number}`,
      })
    const { invitations } = await admin.do<{ invitations: { id: string }[] }>('GET', '/settings/people')
    // Of what seldom happens: each of them would be told of all that the matrix does.
    const types = ['webhook.disabled'] as const
    const webhook = { url: `${spool.url}/nobody-listens`, email: owner.email, types, inboxes: [] }
    return {
      token: aboutTokens
        ? (await createToken(spool.spool, { ...token, inboxes: [], lifetime: 86_400_000 })).id
        : '',
      webhook: aboutWebhooks ? (await addWebhook(spool.spool, webhook)).webhook.id : '',
      mate: path.startsWith('/settings/people/{')
        ? await spool.makeUser(`mate${number}@shop.example`)
        : spool.ada,
      invitation: invitations.at(-1)?.id ?? '',
      made: path.startsWith('/settings/inboxes/{')
        ? await spool.makeInbox(`made${number}@shop.example`)
        : spool.inbox,
    }
  }

  const ask = (route: AppRoute, things: Things, headers: Record<string, string>) => {
    const { path, body } = examples[route.operationId]!
    return askWeb(spool.url, route.method, path(things), body?.(things), headers)
  }

  for (const route of inOrder)
    test(`${database}: ${route.method} ${route.path} opens to whom it should and to nobody else`, async () => {
      const example = examples[route.operationId]!
      const { cookie } = visitors.admin.page
      const [name] = cookie.split('=')
      let things = await makeThings(visitors.admin, route)
      const refusals: [what: string, headers: Record<string, string>, status: number][] = [
        ['without a session', {}, 401],
        ['with a session of nobody', { cookie: `${name}=${'x'.repeat(43)}` }, 401],
        ['with a token', { authorization: `Bearer ${spool.token}` }, 401],
        ['with a token as the session', { cookie: `${name}=${spool.token}` }, 401],
      ]
      if (route.method !== 'GET')
        for (const origin of [
          'https://evil.example',
          'null',
          `${spool.url}.evil.example`,
          'http://127.0.0.1:1',
        ])
          refusals.push([`from ${origin}`, { cookie, origin }, 403])
      for (const [what, headers, status] of refusals) {
        const answer = await ask(route, things, headers)
        assert.equal(answer.status, status, `${what}: ${answer.text}`)
        assert.equal(answer.json<{ statusCode: number }>().statusCode, status)
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
        assert.ok(!answer.text.includes(canary), what)
      }

      if (example.stranger === 404) {
        const { status, text } = await ask(route, things, { cookie: visitors.stranger.page.cookie })
        assert.equal(status, 404, `somebody of another inbox: ${text}`)
        assert.ok(!text.includes(canary))
      } else if (route.operationId !== 'followEvents') {
        const { status, text } = await ask(route, things, { cookie: visitors.stranger.page.cookie })
        const usual = example.statuses?.[0] ?? 200
        assert.equal(status, route.roles.includes('member') ? usual : 403, text)
        for (const secret of [canary, things.message, things.draft, spool.inbox.address])
          assert.ok(!text.includes(secret), `${secret} is told to somebody of another inbox: ${text}`)
      }

      for (const role of ['viewer', 'member', 'admin'] as const) {
        if (isSetting(route)) Object.assign(things, await makeSettings(visitors[role].user, route))
        // Reading uses nothing up.
        else if (role !== 'viewer' && route.method !== 'GET') things = await makeThings(visitors[role], route)
        const letIn = route.roles.includes(role)
        if (route.operationId === 'followEvents') {
          await using live = await openLive(spool, visitors[role].page.cookie)
          assert.equal(live.status, 200, role)
          continue
        }
        const { status, text, headers } = await ask(route, things, { cookie: visitors[role].page.cookie })
        if (letIn) assert.ok((example.statuses ?? [200]).includes(status), `${role}: ${status} ${text}`)
        else assert.equal(status, 403, `${role}: ${text}`)
        if (!/attachments/.test(route.path)) assert.equal(headers.get('cache-control'), 'no-store')
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
      }
      if (route.operationId === 'changeThreads') {
        const { text } = await ask(route, things, { cookie: visitors.viewer.page.cookie })
        assert.match(text, /"done":\[\],"failed":\[\{.*Your role is viewer/)
      }
    })

  for (const [operationId, { method, path }] of Object.entries(entryContract))
    test(`${database}: ${method} ${path} opens without a session, and to no other page`, async () => {
      // A proxy on the way writes addresses down.
      assert.doesNotMatch(path, /\{/, 'no secret stands in the address')
      const wrong: Record<string, unknown> = {
        signIn: { email: 'nobody@shop.example', password },
        setUp: { token: 'x', email: 'x@shop.example', name: 'x', password },
        checkSetupLink: { token: 'x' },
        getInvitation: { token: 'x' },
        acceptInvitation: { token: 'x', password },
        askForReset: { email: 'nobody@shop.example' },
        getReset: { token: 'x' },
        acceptReset: { token: 'x', password },
      }
      const body = wrong[operationId]
      const answer = await askWeb(spool.url, method, path, body)
      // These say nothing about anybody.
      const isOpen = ['getEntry', 'askForReset'].includes(operationId)
      assert.equal(answer.status, isOpen ? 200 : operationId === 'signIn' ? 401 : 404)
      assert.equal(answer.headers.get('set-cookie'), null)
      const foreign = await askWeb(spool.url, method, path, body, { origin: 'https://evil.example' })
      assert.equal(foreign.status, method === 'GET' ? 200 : 403)
    })
}
