import { mustHold as assert } from '../support/must-hold.ts'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { discardDraft, getDraft, proposeDraft } from '../../src/core/drafts/drafts.ts'
import type { AppRoute } from '../../src/http/app-route.ts'
import { appRoutes } from '../../src/http/routes/app/table.ts'
import { base, routes } from '../../src/http/routes/v1/table.ts'
import type { Role } from '../../src/model/access.ts'
import { grantScopes } from '../../src/model/consent.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { agentOf } from '../support/agents.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { openLive } from '../support/live-page.ts'
import { inputsFor, type JsonSchema, type Meanings } from '../support/inputs.ts'
import { everyWay, settingsWith } from '../support/notices.ts'
import { connect, discover, loopbackRedirect, TestClient } from '../support/oauth.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { askWeb, seal, signInAs, type WebClient } from '../support/web-client.ts'
import { ofOneself, walkedWithoutSuccess } from '../support/walked-routes.ts'

/**
 * Everything that a program can ask is asked, with all scopes and with input that fits, while a mail server waits for
 * mail. The routes and tools are found where the server finds them, so one that is added is walked too; that a walk like
 * this does send when it may is shown by a person's.
 */
interface World extends AsyncDisposable {
  spool: TestSpool
  sink: SmtpSink
  /** Where notices go: everybody wants all of them, by mail at once. */
  bell: SmtpSink
  thread: string
  message: string
  attachment: string
}

async function buildWorld(database: DatabaseKind): Promise<World> {
  const sink = await startSmtpSink()
  const bell = await startSmtpSink()
  const spool = await startSpool(database, {
    SPOOL_UNDO_SECONDS: '0',
    SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8',
    SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${bell.port}?tls=none`,
    SPOOL_NOTICE_FROM: 'spool@shop.example',
  })
  await sendBy(spool.spool, spool.inbox, sink.port)
  const ada = await signInAs(spool, spool.ada)
  await ada.do('PUT', '/notices/settings', settingsWith(everyWay))
  const { threadId, messageId } = await spool.receive({
    from: 'Nelke <nelke@kardamom.example>',
    subject: 'Zimtstern',
    text: 'Piment? Where is my order?',
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
  })
  const entry = (await spool.thread(threadId)).history[0]
  assert.ok(entry?.type === 'message')
  return {
    spool,
    sink,
    bell,
    thread: threadId,
    message: messageId,
    attachment: entry.attachments[0]!.id,
    async [Symbol.asyncDispose]() {
      await spool[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
      await bell[Symbol.asyncDispose]()
    },
  }
}

/** What mail, notes and agents say in this walk. */
const marked = /Nelke|Kardamom|Zimtstern|Piment|Where is|Marzipan|Anis/i

/** Notices left, to people of the team alone and without a word of what others wrote. */
async function checkNotices({ spool, bell }: World): Promise<void> {
  await until('somebody was told by mail', async () => bell.mails.length > 0)
  const { data } = (await spool.get('/api/v1/users?limit=100')).json<{ data: { email: string }[] }>()
  const team = new Set(data.map(({ email }) => email))
  for (const { to, source } of bell.mails) {
    assert.ok(
      to.every((address) => team.has(address)),
      `sent to ${to.join()}`,
    )
    assert.doesNotMatch(source, marked)
    assert.match(source, /^Auto-Submitted: auto-generated\r$/im)
  }
}

/** A draft that could be sent at once, and what every field should hold to do so. */
async function prepare(world: World, page: WebClient): Promise<Meanings & { draftId: string }> {
  const { spool, thread, message } = world
  const bot = await agentOf(spool.spool, spool.token)
  const draft = await proposeDraft(spool.spool, bot, { threadId: thread, text: 'Marzipan' })
  const letter = (await page.ask('GET', `/drafts/${draft.id}/letter`)).json<Letter>()
  return {
    threadId: thread,
    messageId: message,
    newestMessageId: letter.newestMessageId,
    draftId: draft.id,
    id: draft.id,
    inboxId: spool.inbox.id,
    revision: 1,
    seal: seal(letter),
    text: 'Marzipan again',
    subject: 'Anis',
    cc: [],
    citations: [{ messageId: message, quote: 'Where is my order?' }],
    status: 'proposed',
    reason: null,
    url: `${spool.url}/nobody-listens`,
    // Of what seldom happens: each of them would be told of all that the walk does.
    kinds: ['webhook.disabled'],
    scopes: ['threads:read'],
    inboxes: null,
    after: '2020-01-01T00:00:00Z',
    until: null,
  }
}

/** Long enough for a mail to have left, if anything had started it. */
async function mailsAfterAll({ spool, sink }: World): Promise<string[]> {
  await passTime(spool.spool)
  await sleep(700)
  return sink.mails.map(({ source }) => source.slice(0, 500))
}

/** What the fields of tools are called. */
function ofTools({ thread, attachment }: World, tool: string): Meanings {
  return {
    id: thread,
    attachmentId: attachment,
    as: null,
    cursor: null,
    query: 'order',
    status: tool === 'list_drafts' ? ['proposed'] : ['open'],
  }
}

/** What ends the session it is asked with comes last, and each with a session of its own. */
const endsTheSession = new Set(['endSession', 'signOutEverywhere', 'changePassword'])

async function walkApp(world: World, role: Role): Promise<Map<string, Set<number>>> {
  const statuses = new Map<string, Set<number>>()
  const ends = ({ operationId }: AppRoute): boolean => endsTheSession.has(operationId)
  let page = await openPage(world, role)
  for (const route of [...appRoutes.filter((each) => !ends(each)), ...appRoutes.filter(ends)]) {
    const seen = new Set<number>()
    statuses.set(route.operationId, seen)
    const rounds = inputsOf(route, {}).length
    const once = isSetting(route) ? await prepare(world, page) : null
    for (let round = 0; round < rounds; round++) {
      if (ends(route)) page = await openPage(world, role)
      // A fresh one for each, because some of these end it.
      const prepared = once ?? (await prepare(world, page))
      const meanings = {
        ...prepared,
        // Names of people and agents must not look alike.
        name: `Walk ${crypto.randomUUID()}`,
        ...(/^\/(threads|search)/.test(route.path) ? ofThreads(world) : {}),
        ...(route.path.startsWith('/notices') ? ofNotices : {}),
      }
      const own = await makeOwn(world, page, route)
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'attachmentId' ? world.attachment : (own ?? idFor(world, route, meanings.draftId)),
      )
      seen.add(await statusOf(world, page, route, path, inputsOf(route, meanings)[round]))
      if (!once) await clearAway(world, meanings.draftId)
    }
    if (once) await clearAway(world, once.draftId)
  }
  return statuses
}

function isSetting({ path }: AppRoute): boolean {
  return /^\/(settings|tokens|agents|webhook|numbers|guide|profile|consents|clients)/.test(path)
}

/** A token, webhook or view of the person, where the route is about one. */
async function makeOwn({ spool }: World, page: WebClient, { path }: AppRoute): Promise<string | null> {
  const wanted = /^\/(tokens|agents|webhooks|views)\/\{/.exec(path)?.[1]
  if (wanted === undefined) return null
  if (wanted === 'views')
    return (await page.do<{ id: string }>('POST', '/views', { name: 'x', search: 'x' })).id
  const made =
    wanted === 'webhooks'
      ? await page.ask('POST', '/webhooks', {
          url: `${spool.url}/nobody-listens`,
          kinds: ['webhook.disabled'],
        })
      : await page.ask('POST', '/tokens', { name: 'x', scopes: ['threads:read'], expires: '7d' })
  return made.json<{ id?: string }>().id ?? null
}

/** What the same words mean where a thread is changed. */
function ofThreads({ thread }: World): Meanings {
  const asOf = new Date().toISOString()
  return {
    status: 'closed',
    until: null,
    to: null,
    ids: [thread],
    action: { type: 'read' },
    asOf,
    zone: 'UTC',
  }
}

/** And where one says what one wants to be told. */
const ofNotices: Meanings = {
  way: 'mail',
  ...settingsWith(everyWay),
  ids: null,
  endpoint: 'https://push.example/1',
  keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
}

/** Of whatever the path names first. */
function idFor(world: World, { path }: AppRoute, draftId: string): string {
  const ids: Record<string, string> = {
    inboxes: world.spool.inbox.id,
    threads: world.thread,
    messages: world.message,
    attachments: world.attachment,
  }
  return ids[path.split('/')[1]!] ?? draftId
}

async function statusOf(
  world: World,
  page: WebClient,
  route: AppRoute,
  path: string,
  body: unknown,
): Promise<number> {
  if (route.operationId === 'followEvents') {
    await using live = await openLive(world.spool, page.cookie)
    return live.status
  }
  const isFile = route.body === 'bytes' || route.operationId === 'detachFile'
  const query = isFile
    ? '?revision=1&filename=a.txt'
    : /^(completeAddress|searchThreads|countMatches)$/.test(route.operationId)
      ? '?q=ca'
      : ''
  return (await page.ask(route.method, path + query, body)).status
}

/** At most five open drafts of one token on a thread. */
async function clearAway({ spool: { spool, actor } }: World, draftId: string): Promise<void> {
  const { status, revision } = await getDraft(spool, actor, draftId)
  if (['proposed', 'editing', 'stale'].includes(status))
    await discardDraft(spool, actor, { draftId, revision, reason: null })
}

function inputsOf(route: AppRoute, meanings: Meanings): unknown[] {
  if (route.body === null) return [undefined]
  if (route.body === 'bytes') return [Buffer.from('hello')]
  return inputsFor(z.toJSONSchema(route.body, { io: 'input' }) as JsonSchema, meanings)
}

let people = 0

async function openPage({ spool }: World, role: Role): Promise<WebClient> {
  const user = await spool.makeUser(`${role}${++people}@shop.example`, role, [spool.inbox])
  const page = await signInAs(spool, user)
  await page.do('PUT', '/notices/settings', settingsWith(everyWay))
  return page
}

/** What an agent may be given by consent, all of it. */
async function getGrant({ spool }: World): Promise<string> {
  const page = await signInAs(spool, spool.ada)
  const redirectUris = [loopbackRedirect]
  const { id } = await page.do<{ id: string }>('POST', '/clients', { name: 'Walk', redirectUris })
  const client = new TestClient(await discover(`${spool.url}/mcp`), id)
  const wish = { scopes: [...grantScopes], inboxes: [spool.inbox.id] }
  return (await connect(client, page, wish)).access_token
}

async function connectMcp({ spool }: World, token: string): Promise<Client> {
  const client = new Client({ name: 'walk', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${spool.url}/mcp`), { requestInit }))
  return client
}

for (const database of databases) {
  test(`${database}: no REST route sends, whatever it is asked with a token of all scopes`, async () => {
    await using world = await buildWorld(database)
    const { spool } = world
    const page = await openPage(world, 'member')
    const meanings = await prepare(world, page)
    const bodies = [undefined, { ...meanings }, { revision: 1, seal: meanings['seal'], close: true }]
    for (const { path } of routes) {
      for (const id of [world.thread, meanings.draftId, world.attachment, world.message]) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          for (const body of method === 'GET' || method === 'HEAD' ? [undefined] : bodies) {
            const answer = await fetch(spool.url + base + path.replace('{id}', id), {
              method,
              headers: { authorization: `Bearer ${spool.token}`, 'content-type': 'application/json' },
              ...(body ? { body: JSON.stringify(body) } : {}),
            })
            await answer.arrayBuffer()
            assert.ok(method === 'GET' || method === 'HEAD' ? answer.status < 500 : answer.status === 405)
          }
        }
      }
    }
    for (const route of appRoutes) {
      const path = route.path.replace(/\{\w+\}/g, meanings.draftId)
      const bearer = { authorization: `Bearer ${spool.token}` }
      const body = route.method === 'GET' ? undefined : inputsOf(route, meanings)[0]
      const answer = await askWeb(spool.url, route.method, path, body, bearer)
      assert.equal(answer.status, 401, `${route.operationId} opens to a token`)
    }
    assert.deepEqual(await mailsAfterAll(world), [])
    await checkNotices(world)
  })

  test(`${database}: no tool of the agents' door sends, with a token or by consent`, async () => {
    await using world = await buildWorld(database)
    const page = await openPage(world, 'member')
    for (const token of [world.spool.token, await getGrant(world)]) {
      const client = await connectMcp(world, token)
      const { tools } = await client.listTools()
      const worked = new Set<string>()
      for (const { name, inputSchema } of tools) {
        const rounds = inputsFor(inputSchema as JsonSchema, {}).length
        for (let round = 0; round < rounds; round++) {
          const meanings = { ...(await prepare(world, page)), ...ofTools(world, name) }
          const input = inputsFor(inputSchema as JsonSchema, meanings)[round]!
          const answer = await client.callTool({ name, arguments: input }).catch(() => null)
          if (answer && !answer.isError) worked.add(name)
          await clearAway(world, meanings.draftId)
        }
      }
      await client.close()
      const all = tools.map(({ name }) => name).sort()
      assert.ok(all.includes('propose_draft'))
      if (token === world.spool.token) assert.deepEqual([...worked].sort(), all, 'each of them did its work')
    }
    assert.deepEqual(await mailsAfterAll(world), [])
    await checkNotices(world)
  })

  test(`${database}: no private route sends for a viewer, and the same walk by a member does`, async () => {
    await using world = await buildWorld(database)
    const viewed = await walkApp(world, 'viewer')
    assert.deepEqual(await mailsAfterAll(world), [])
    await checkNotices(world)
    for (const { operationId, method } of appRoutes) {
      const seen = [...viewed.get(operationId)!]
      if (method !== 'GET' && !ofOneself.has(operationId))
        assert.ok(!seen.includes(200), `a viewer may ${operationId}`)
    }
    const done = await walkApp(world, 'member')
    const ofMembers = appRoutes.filter(({ roles }) => roles.includes('member'))
    const unmet = ofMembers
      .map(({ operationId }) => operationId)
      .filter((name) => !done.get(name)!.has(200) && !walkedWithoutSuccess.has(name))
    assert.deepEqual(unmet, [], 'the walk knows how to use every route')
    await until('one route sends, and the walk found it', async () => (await mailsAfterAll(world)).length > 0)
  })
}
