import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Client } from '@modelcontextprotocol/client'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { Subscriptions } from '../../src/mcp/subscriptions.ts'
import { admit } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { connectClient, post, revisions, writeMessage, type Revision } from '../support/mcp.ts'
import { startNode } from '../support/nodes.ts'
import { pixel } from '../support/sample-desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

interface Heard {
  updated: string[]
  listChanged: number
}

function hear(client: Client): Heard {
  const heard: Heard = { updated: [], listChanged: 0 }
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.updated.push(params.uri)
  })
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.listChanged++
  })
  return heard
}

/** In both revisions the same handlers hear of it. */
async function subscribe(client: Client, revision: Revision, uri: string): Promise<void> {
  if (revision === '2025-11-25') await client.subscribeResource({ uri })
  else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] })
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: a token that is revoked while its view is read again ends the subscription untold`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { caller, watch: watches } = await admit(spool.spool, desk.token)
    using stack = new DisposableStack()
    stack.use(watches)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    let [renewals, others, isRevoked] = [0, 0, false]
    using watch = await watches.open(caller, async () => {
      const found = isRevoked ? null : caller
      if (++renewals === 1) await held
      return found
    })
    using beside = await watches.open(caller, async () => (others++, caller))
    const told: string[] = []
    const toldBeside: string[] = []
    watch.onChange = ({ threadId }) => told.push(threadId)
    beside.onChange = ({ threadId }) => toldBeside.push(threadId)
    await spool.makeUser(`first-${desk.user.email}`)
    await until('both read their view again', async () => renewals === 1 && others > 0)
    isRevoked = true
    const before = others
    await spool.makeUser(`second-${desk.user.email}`)
    await until('the change has been seen', async () => others > before)
    await desk.receive()
    await until('the mail has been seen', async () => toldBeside.length > 0)
    letGo()
    await until('it has ended', async () => watch.ended.aborted)
    assert.deepEqual(told, [])
  })

  test(`${database}: a merge is announced for both threads, also for the one that is merged away`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const [survivor, absorbed] = await desk.receiveAll([{ subject: 'One' }, { subject: 'Two' }])
    const uris = [survivor!, absorbed!].map(({ threadId }) => `spool://threads/${threadId}`)
    const client = await connectClient(spool.url, desk.token)
    const heard = hear(client)
    await client.listen({ resourceSubscriptions: uris })
    await joinThreads(spool.spool, desk.actor, survivor!.threadId, absorbed!.threadId)
    await until('both are heard', async () => heard.updated.length >= 2)
    assert.deepEqual(heard.updated, uris)
    assert.match(JSON.stringify((await client.readResource({ uri: uris[1]! })).contents), /One.*Two|Two.*One/)
    await client.close()
  })

  for (const revision of revisions) {
    test(`${database}: ${revision}: unread threads are resources, read by address and fenced; other views have none`, async () => {
      const spool = await shared()
      const [desk, other] = [await openDesk(spool), await openDesk(spool)]
      const { threadId } = await desk.receive({
        text: 'Where is it?',
        attachments: [
          { filename: 'a.txt', type: 'text/plain', content: 'Parcel 99' },
          { filename: 'b.png', type: 'image/png', content: Buffer.from(pixel, 'base64') },
        ],
      })
      await desk.receive({}, { seen: true })
      const [message] = (await desk.thread(threadId)).history as MessageEntry[]
      const [text, picture] = message!.attachments.map(({ id }) => `spool://attachments/${id}`)
      const uri = `spool://threads/${threadId}`
      const client = await connectClient(spool.url, desk.token, revision)
      const { resourceTemplates } = await client.listResourceTemplates()
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['spool://threads/{id}', 'spool://attachments/{id}'],
      )
      const { resources } = await client.listResources()
      assert.deepEqual(
        resources.map((each) => [each.uri, each.name]),
        [[uri, threadId]],
      )
      assert.match(
        resources[0]!.description!,
        /^<untrusted (\d{12})>From: [^]*Where is it\?<\/untrusted \1>$/,
      )
      const read = async (uri: string): Promise<string> =>
        JSON.stringify((await client.readResource({ uri })).contents)
      assert.match(await read(uri), /^\[\{"uri":"spool:.*fence=\d{12}.*Where is it\?<\/untrusted/)
      assert.match(await read(text!), /Parcel 99<\/untrusted/)
      assert.ok((await read(picture!)).includes(pixel))
      const notFound = { code: -32_602, message: /Resource not found/ }
      for (const wrong of [`${uri}0`, 'spool://drafts/drf_1', 'file:///etc/passwd'])
        await assert.rejects(client.readResource({ uri: wrong }), notFound)
      await assert.rejects(client.listResources({ cursor: 'nonsense' }), {
        code: -32_602,
        message: /Call again without cursor/,
      })
      await client.close()

      const stranger = await connectClient(spool.url, other.token, revision)
      assert.deepEqual((await stranger.listResources()).resources, [])
      for (const theirs of [uri, text!])
        await assert.rejects(stranger.readResource({ uri: theirs }), notFound)
      await stranger.close()
      const blind = await spool.makeToken(desk.user, { scopes: ['notes:read'] })
      const reader = await connectClient(spool.url, blind, revision)
      assert.equal(reader.getServerCapabilities()?.resources, undefined)
      await reader.close()
    })

    test(`${database}: ${revision}: who subscribes is told of new mail in their view, from any node, and of nothing else`, async () => {
      await using spool = await startSpool(database)
      await using node = await startNode(spool.database)
      const [desk, other] = [await openDesk(spool), await openDesk(spool)]
      const first = `<1@${desk.inbox.address}>`
      const { threadId } = await desk.receive({ messageId: first })
      const theirs = await other.receive({})
      const uri = `spool://threads/${threadId}`
      const client = await connectClient(node.app.url, desk.token, revision)
      const heard = hear(client)
      await subscribe(client, revision, uri)
      // The stream of the older revision opens beside the calls: whoever comes first is told of the next mail.
      for (let mails = 0; heard.updated.length === 0; mails++) {
        assert.ok(mails < 100, 'nothing was heard')
        await addNote(spool.spool, desk.actor, threadId, 'Nobody is told of this.')
        await other.receive({ references: [`<${theirs.threadId}>`] })
        await desk.receive({ references: [first] })
        await until('a change is heard', async () => heard.updated.length > 0, 2_000).catch(() => undefined)
      }
      await until('the list is told to have changed', async () => heard.listChanged > 0)
      assert.deepEqual([...new Set(heard.updated)], [uri])
      await client.close()
    })
  }
}

test('a subscription to nothing that is offered ends by itself and counts no longer', async () => {
  await using spool = await startSpool('sqlite')
  for (let count = 0; count < 12; count++) {
    const listen = writeMessage('2026-07-28', 'subscriptions/listen', { notifications: {} })
    const answer = await post(spool.url, spool.token, listen)
    assert.equal(answer.status, 200, await answer.text())
  }
})

test('a stream ends within a second of its token, and a token has at most ten', async () => {
  await using spool = await startSpool('sqlite')
  const open = async (token: string, mark = ''): Promise<Response[]> => {
    const notifications = { resourcesListChanged: true }
    const { body, ...listen } = writeMessage('2026-07-28', 'subscriptions/listen', { notifications })
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
    return [
      await post(spool.url, token, { ...listen, body: mark + body }),
      await fetch(`${spool.url}/mcp`, { headers }),
    ]
  }
  const token = await spool.makeToken(spool.ada)
  const { id } = (await listTokens(spool.spool, spool.ada.email)).at(-1)!
  const streams: Response[] = []
  for (let pair = 0; pair < 5; pair++) streams.push(...(await open(token)))
  for (const { status, headers } of streams) {
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^text\/event-stream/)
  }
  const message = 'This token has 10 subscriptions open already; close one of them.'
  const refusal = (id: number | null) => ({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
  for (const mark of ['', '\ufeff', '\ufeff\ufeff']) {
    const refused = await open(token, mark)
    assert.deepEqual(
      refused.map(({ status }) => status),
      [429, 429],
      'also with a byte order mark, which JSON.parse refuses and the SDK skips',
    )
    assert.deepEqual(await Promise.all(refused.map((each) => each.json())), [refusal(7), refusal(null)])
    for (const { headers } of refused) assert.match(headers.get('retry-after')!, /^[1-9]/)
  }
  // What only a collected object would have passed on is lost.
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  await revokeToken(spool.spool, id)
  let ended = 0
  for (const stream of streams) void stream.text().then(() => ended++)
  await until('all of them have ended', async () => ended === streams.length)
  const others = await open(spool.token)
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200],
  )
  await Promise.all(others.map(({ body }) => body!.cancel()))
})

test('a stream that is cancelled, or opened while its client leaves or Spool stops, ends at once', async () => {
  await using spool = await startSpool('sqlite')
  const { watch, ...context } = await admit(spool.spool, spool.token)
  const subscriptions = new Subscriptions(watch)
  const open = async (gone: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const headers = { accept: 'text/event-stream' }
    const renew = async () => context.caller
    const request = { method: 'GET', headers, body: '', whenGone: () => gone, renew }
    const reply = await subscriptions.stream(request, { ...context, requestId: 'req_1' })
    return reply!.body as ReadableStream<Uint8Array>
  }
  const readAll = async (gone: AbortSignal): Promise<string> => new Response(await open(gone)).text()
  assert.equal(await readAll(AbortSignal.abort()), ': ready\n\n')

  // As when compressing or sending fails before the client is known to be gone: an error here would end the process.
  const stays = new AbortController().signal
  for (let count = 0; count < 20; count++) await (await open(stays)).cancel()

  watch.endAll()
  assert.equal(await readAll(stays), ': ready\n\n')
})
