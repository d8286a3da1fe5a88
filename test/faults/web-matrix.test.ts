import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attachFile } from '../../src/core/draft-attachments.ts'
import { proposeDraft } from '../../src/core/drafts.ts'
import { addNote } from '../../src/core/notes.ts'
import type { AppRoute } from '../../src/http/app-route.ts'
import { entryRoutes } from '../../src/http/routes/app/entry.ts'
import { appRoutes } from '../../src/http/routes/app/table.ts'
import { person, type Role, type User } from '../../src/model/access.ts'
import type { Thread } from '../../src/model/history.ts'
import { agentOf } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openLive } from '../support/live-page.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { askWeb, password, signInAs, type WebClient } from '../support/web-client.ts'

/** Stands in everything of the inbox that the stranger does not have. */
const canary = 'Kanarienvogel'

interface Visitor {
  user: User
  page: WebClient
  session: string
}

/** What a route is tried on; made anew for everyone who is let in, because it may be changed. */
interface Things {
  spool: TestSpool
  visitor: Visitor
  thread: string
  other: string
  message: string
  attachment: string
  note: string
  draft: string
  revision: number
  file: string
}

/** Everybody, those who write, or admins alone. */
type Circle = 'all' | 'writers' | 'admins'

interface Example {
  path(things: Things): string
  body?(things: Things): unknown
  who: Circle
  /** What who is let in may be answered; 200 where nothing is said. */
  statuses?: number[]
  /** To somebody of another inbox it is not there, or it tells only of what is theirs. */
  stranger: 404 | 'own'
}

const here = (path: string) => (): string => path
const atThread =
  (tail = '') =>
  ({ thread }: Things): string =>
    `/threads/${thread}${tail}`
const atDraft =
  (tail = '') =>
  ({ draft }: Things): string =>
    `/drafts/${draft}${tail}`
const nothing = (): unknown => ({})

/** One for each route, or the test fails. */
const examples: Record<string, Example> = {
  getSession: { path: here('/session'), who: 'all', stranger: 'own' },
  listSessions: { path: here('/sessions'), who: 'all', stranger: 'own' },
  endSession: {
    path: ({ spool }) => `/sessions/${spool.ada.id}`,
    who: 'all',
    statuses: [404],
    stranger: 404,
  },
  signOutEverywhere: { path: here('/sign-out-everywhere'), body: nothing, who: 'all', stranger: 'own' },
  changePassword: {
    path: here('/password'),
    body: () => ({ current: password, new: password }),
    who: 'all',
    stranger: 'own',
  },
  invite: {
    path: here('/invitations'),
    body: () => ({ email: 'new@shop.example', name: 'New' }),
    who: 'admins',
    stranger: 'own',
  },
  listThreads: { path: here('/threads'), who: 'all', stranger: 'own' },
  countWork: { path: here('/counts'), who: 'all', stranger: 'own' },
  getThread: { path: atThread(), who: 'all', stranger: 404 },
  changeThreads: {
    path: here('/threads/bulk'),
    body: ({ thread }) => ({ ids: [thread], action: { type: 'status', status: 'closed' } }),
    // Each thread is refused by itself, in the answer.
    who: 'all',
    stranger: 'own',
  },
  markRead: { path: atThread('/read'), body: nothing, who: 'all', stranger: 404 },
  markUnread: { path: atThread('/unread'), body: nothing, who: 'all', stranger: 404 },
  assignThread: { path: atThread('/assign'), body: () => ({ to: null }), who: 'writers', stranger: 404 },
  changeStatus: {
    path: atThread('/status'),
    body: () => ({ status: 'closed' }),
    who: 'writers',
    stranger: 404,
  },
  joinThreads: {
    path: atThread('/join'),
    body: ({ other }) => ({ other }),
    who: 'writers',
    stranger: 404,
  },
  listNotes: { path: atThread('/notes'), who: 'all', stranger: 404 },
  addNote: { path: atThread('/notes'), body: () => ({ text: 'x' }), who: 'writers', stranger: 404 },
  editNote: {
    path: ({ note }) => `/notes/${note}`,
    body: () => ({ text: 'x' }),
    who: 'writers',
    stranger: 404,
  },
  listPeople: { path: here('/people'), who: 'all', stranger: 'own' },
  completeAddress: { path: here(`/addresses?q=${canary}`), who: 'all', stranger: 'own' },
  getAttachment: { path: ({ attachment }) => `/attachments/${attachment}`, who: 'all', stranger: 404 },
  getSource: { path: ({ message }) => `/messages/${message}/source`, who: 'all', stranger: 404 },
  getPictures: { path: ({ message }) => `/messages/${message}/pictures`, who: 'all', stranger: 404 },
  followEvents: { path: here('/live'), who: 'all', stranger: 'own' },
  setPresence: {
    path: here('/presence'),
    body: ({ thread }) => ({ threadId: thread }),
    who: 'all',
    stranger: 404,
  },
  listDrafts: { path: here('/drafts'), who: 'all', stranger: 'own' },
  createDraft: {
    path: here('/drafts'),
    body: ({ thread }) => ({ kind: 'reply', threadId: thread, text: 'x' }),
    who: 'writers',
    stranger: 404,
  },
  getDraft: { path: atDraft(), who: 'all', stranger: 404 },
  reviseDraft: {
    path: atDraft(),
    body: ({ revision }) => ({ revision, text: 'x' }),
    who: 'writers',
    stranger: 404,
  },
  listDraftRevisions: { path: atDraft('/revisions'), who: 'all', stranger: 404 },
  confirmDraft: {
    path: atDraft('/confirm'),
    body: ({ revision, message }) => ({ revision, newestMessageId: message }),
    who: 'writers',
    statuses: [409],
    stranger: 404,
  },
  discardDraft: {
    path: atDraft('/discard'),
    body: ({ revision }) => ({ revision }),
    who: 'writers',
    stranger: 404,
  },
  getLetter: { path: atDraft('/letter'), who: 'all', statuses: [200, 409], stranger: 404 },
  sendDraft: {
    path: atDraft('/send'),
    body: ({ revision }) => ({ revision, seal: '0'.repeat(64) }),
    who: 'writers',
    statuses: [409],
    stranger: 404,
  },
  takeBackDraft: { path: atDraft('/undo'), body: nothing, who: 'writers', statuses: [409], stranger: 404 },
  settleDraft: {
    path: atDraft('/settle'),
    body: () => ({ as: 'sent' }),
    who: 'writers',
    statuses: [409],
    stranger: 404,
  },
  attachFile: {
    path: ({ draft, revision }) => `/drafts/${draft}/attachments?revision=${revision}&filename=a.txt`,
    body: () => Buffer.from('x'),
    who: 'writers',
    stranger: 404,
  },
  detachFile: {
    path: ({ draft, file, revision }) => `/drafts/${draft}/attachments/${file}?revision=${revision}`,
    who: 'writers',
    stranger: 404,
  },
  getDraftFile: {
    path: ({ draft, file }) => `/drafts/${draft}/attachments/${file}`,
    who: 'all',
    stranger: 404,
  },
  getSignature: { path: ({ spool }) => `/inboxes/${spool.inbox.id}/signature`, who: 'all', stranger: 404 },
  setSignature: {
    path: ({ spool }) => `/inboxes/${spool.inbox.id}/signature`,
    body: () => ({ text: 'x' }),
    who: 'writers',
    stranger: 404,
  },
}

test('every private route has an example in the matrix, and every example a route', () => {
  assert.deepEqual(Object.keys(examples).sort(), appRoutes.map(({ operationId }) => operationId).sort())
})

/** What ends the session is tried last. */
const inOrder = [...appRoutes].sort((one, other) => Number(endsSession(one)) - Number(endsSession(other)))

function endsSession({ operationId }: AppRoute): boolean {
  return operationId === 'signOutEverywhere'
}

const admits: Record<Circle, readonly Role[]> = {
  all: ['viewer', 'member', 'admin'],
  writers: ['member', 'admin'],
  admins: ['admin'],
}

for (const database of databases) {
  let spool: TestSpool
  const visitors = {} as Record<Role | 'stranger', Visitor>

  before(async () => {
    spool = await startSpool(database)
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

  async function makeThings(visitor: Visitor): Promise<Things> {
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

  const ask = (route: AppRoute, things: Things, headers: Record<string, string>) => {
    const { path, body } = examples[route.operationId]!
    return askWeb(spool.url, route.method, path(things), body?.(things), headers)
  }

  for (const route of inOrder)
    test(`${database}: ${route.method} ${route.path} opens to whom it should and to nobody else`, async () => {
      const example = examples[route.operationId]!
      const { cookie } = visitors.admin.page
      let things = await makeThings(visitors.admin)
      const refusals: [what: string, headers: Record<string, string>, status: number][] = [
        ['without a session', {}, 401],
        ['with a session of nobody', { cookie: `spool_session=${'x'.repeat(43)}` }, 401],
        ['with a token', { authorization: `Bearer ${spool.token}` }, 401],
        ['with a token as the session', { cookie: `spool_session=${spool.token}` }, 401],
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
        assert.equal(status, admits[example.who].includes('member') ? 200 : 403, text)
        for (const secret of [canary, things.message, things.draft, spool.inbox.address])
          assert.ok(!text.includes(secret), `${secret} is told to somebody of another inbox: ${text}`)
      }

      for (const role of ['viewer', 'member', 'admin'] as const) {
        if (role !== 'viewer') things = await makeThings(visitors[role])
        const letIn = admits[example.who].includes(role)
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

  for (const route of entryRoutes)
    test(`${database}: ${route.method} ${route.path} opens without a session, and to no other page`, async () => {
      const { path } = route
      // A proxy on the way writes addresses down.
      assert.doesNotMatch(path, /\{/, 'no secret stands in the address')
      const wrong: Record<string, unknown> = {
        signIn: { email: 'nobody@shop.example', password },
        setUp: { token: 'x', email: 'x@shop.example', name: 'x', password },
        getInvitation: { token: 'x' },
        acceptInvitation: { token: 'x', password },
      }
      const body = wrong[route.operationId]
      const answer = await askWeb(spool.url, route.method, path, body)
      assert.equal(answer.status, route.operationId === 'signIn' ? 401 : 404)
      assert.equal(answer.headers.get('set-cookie'), null)
      const foreign = await askWeb(spool.url, route.method, path, body, { origin: 'https://evil.example' })
      assert.equal(foreign.status, 403)
    })
}
