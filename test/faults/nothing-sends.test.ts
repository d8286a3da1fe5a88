import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { discardDraft, getDraft, proposeDraft } from '../../src/core/drafts.ts'
import type { AppRoute } from '../../src/http/app-route.ts'
import { appRoutes } from '../../src/http/routes/app/table.ts'
import { base, routes } from '../../src/http/routes/v1/table.ts'
import type { Role } from '../../src/model/access.ts'
import type { Letter } from '../../src/model/letter.ts'
import { agentOf } from '../support/agents.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { inputsFor, type JsonSchema, type Meanings } from '../support/inputs.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { askWeb, seal, signInAs, type WebClient } from '../support/web-client.ts'

/**
 * Everything that a program can ask is asked, with all scopes and with input that fits, while a mail server waits for
 * mail. The routes and tools are found where the server finds them, so one that is added is walked too; that a walk like
 * this does send when it may is shown by a person's.
 */
interface World extends AsyncDisposable {
  spool: TestSpool
  sink: SmtpSink
  thread: string
  message: string
  attachment: string
}

async function buildWorld(database: DatabaseKind): Promise<World> {
  const sink = await startSmtpSink()
  const spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
  await sendBy(spool.spool, spool.inbox, sink.port)
  const { threadId, messageId } = await spool.receive({
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
  })
  const entry = (await spool.thread(threadId)).history[0]
  assert.ok(entry?.type === 'message')
  return {
    spool,
    sink,
    thread: threadId,
    message: messageId,
    attachment: entry.attachments[0]!.id,
    async [Symbol.asyncDispose]() {
      await spool[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    },
  }
}

/** A draft that could be sent at once, and what every field should hold to do so. */
async function prepare(world: World, page: WebClient): Promise<Meanings & { draftId: string }> {
  const { spool, thread, message } = world
  const bot = await agentOf(spool.spool, spool.token)
  const draft = await proposeDraft(spool.spool, bot, { threadId: thread, text: 'Hello' })
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
    text: 'Hello again',
    subject: 'A subject',
    cc: [],
    citations: [{ messageId: message, quote: 'Where is my order?' }],
    status: 'proposed',
    reason: null,
  }
}

/** Long enough for a mail to have left, if anything had started it. */
async function mailsAfterAll({ spool, sink }: World): Promise<string[]> {
  await passTime(spool.spool)
  await sleep(700)
  return sink.mails.map(({ source }) => source.slice(0, 500))
}

async function walkApp(world: World, page: WebClient): Promise<Map<string, Set<number>>> {
  const statuses = new Map<string, Set<number>>()
  for (const route of appRoutes) {
    const seen = new Set<number>()
    statuses.set(route.operationId, seen)
    const rounds = inputsOf(route, {}).length
    for (let round = 0; round < rounds; round++) {
      // A fresh one for each, because some of these end it.
      const meanings = await prepare(world, page)
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'attachmentId'
          ? world.attachment
          : route.path.startsWith('/inboxes')
            ? world.spool.inbox.id
            : meanings.draftId,
      )
      const query = route.body === 'bytes' || route.method === 'DELETE' ? '?revision=1&filename=a.txt' : ''
      seen.add((await page.ask(route.method, path + query, inputsOf(route, meanings)[round])).status)
      await clearAway(world, meanings.draftId)
    }
  }
  return statuses
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

async function openPage({ spool }: World, role: Role): Promise<WebClient> {
  return signInAs(spool, await spool.makeUser(`${role}@shop.example`, role, [spool.inbox]))
}

async function connectMcp({ spool }: World): Promise<Client | null> {
  const probe = await spool.get('/mcp', { method: 'POST' })
  if (probe.status === 404) return null
  const client = new Client({ name: 'walk', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${spool.token}` } }
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
  })

  test(`${database}: no tool of the agents' door sends`, async (t) => {
    await using world = await buildWorld(database)
    const client = await connectMcp(world)
    if (!client) return t.skip('this Spool has no MCP door')
    const page = await openPage(world, 'member')
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0)
    for (const { name, inputSchema } of tools) {
      const rounds = inputsFor(inputSchema as JsonSchema, {}).length
      for (let round = 0; round < rounds; round++) {
        const meanings = await prepare(world, page)
        const input = inputsFor(inputSchema as JsonSchema, meanings)[round]!
        await client.callTool({ name, arguments: input }).catch(() => undefined)
        await clearAway(world, meanings.draftId)
      }
    }
    await client.close()
    assert.deepEqual(await mailsAfterAll(world), [])
  })

  test(`${database}: no private route sends for a viewer, and the same walk by a member does`, async () => {
    await using world = await buildWorld(database)
    const viewed = await walkApp(world, await openPage(world, 'viewer'))
    assert.deepEqual(await mailsAfterAll(world), [])
    for (const { operationId, method } of appRoutes) {
      const seen = [...viewed.get(operationId)!]
      if (method !== 'GET') assert.ok(!seen.includes(200), `a viewer may ${operationId}`)
    }
    const done = await walkApp(world, await openPage(world, 'member'))
    const unmet = [...done].filter(([name, seen]) => !seen.has(200) && !walkedWithoutSuccess.has(name))
    assert.deepEqual(unmet, [], 'the walk knows how to use every route')
    assert.ok((await mailsAfterAll(world)).length > 0, 'one route sends, and the walk found it')
  })
}

/** They need a draft in a state that no single request brings about. */
const walkedWithoutSuccess = new Set([
  'confirmDraft',
  'takeBackDraft',
  'settleDraft',
  'detachFile',
  'getDraftFile',
])
