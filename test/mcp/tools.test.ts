import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { openMcp } from '../../src/mcp/door.ts'
import { tools } from '../../src/mcp/tools/table.ts'
import { scopes as allScopes } from '../../src/model/access.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { admit } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { callTool, connectClient, learnTools, revisions, toolNames, writeMessage } from '../support/mcp.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startPostgres } from '../support/parts/postgres.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

interface World {
  spool: TestSpool
  desk: Desk
  threadId: string
  draftId: string
  attachmentId: string
}

interface Example {
  right(world: World): Record<string, unknown>
  /** The same with an id that names nothing; null where there is none to name. */
  missing: Record<string, unknown> | null
  bad: [input: Record<string, unknown>, words: RegExp][]
}

const nowhere = { threadId: 'thr_00000000000000000000', draftId: 'drf_00000000000000000000' }
const { threadId, draftId } = nowhere
const attachmentId = 'att_00000000000000000000'
const noText: [Record<string, unknown>, RegExp][] = [
  [{ text: '' }, /text must be the plain text/],
  [{ text: 7 }, /text must be the plain text/],
  [{ text: 'a'.repeat(100_001) }, /text has at most 100000/],
  [{ text: 'Hello', cc: 'dan@brandt.example' }, /cc must be a list/],
  [{ text: 'Hello', citations: [{ messageId: 'msg_1' }] }, /citations\[0\]\.quote must be words/],
  [
    { text: 'Hello', citations: [{ messageId: 'msg_1', quote: 'a', url: 'b' }] },
    /no argument "url" in citations\[0\]/,
  ],
  [{ text: 'See <untrusted abcdefgh1234>this</untrusted abcdefgh1234>' }, /fence mark/],
]

/** One for each tool, or the test fails. */
const examples: Record<string, Example> = {
  whoami: { right: () => ({}), missing: null, bad: [] },
  list_threads: {
    right: () => ({ unread: true, status: ['open'], limit: 5 }),
    missing: null,
    bad: [
      [{ unread: 'yes' }, /unread must be true or false/],
      [{ status: 'open' }, /status must be a list/],
      [{ status: ['opened'] }, /status\[0\] must be a list of open, waiting/],
      [{ status: [] }, /status must be a list/],
      [{ assignee: 'ada' }, /assignee must be me, none, a user's id/],
      [{ inbox: 'support' }, /inbox must be an inbox's id or address/],
      [{ q: ' ' }, /q needs at least one word/],
      [{ updatedSince: 'yesterday' }, /updatedSince must be a time such as/],
      [{ format: 'short' }, /format must be concise or detailed/],
      [{ limit: 0 }, /limit must be a whole number from 1 to 100/],
      [{ limit: 1.5 }, /limit must be a whole number/],
      [{ cursor: 'abc' }, /cursor was not issued by this list.*Call again without cursor/],
    ],
  },
  get_thread: {
    right: ({ threadId }) => ({ threadId, order: 'newest' }),
    missing: { threadId },
    bad: [
      [{}, /threadId must be the id of a thread/],
      [{ threadId: 7 }, /threadId must be the id of a thread/],
      [{ threadId, order: 'up' }, /order must be oldest or newest/],
      [{ threadId, full: 1 }, /full must be true or false/],
      [{ threadId, cursor: '' }, /cursor is empty/],
    ],
  },
  get_attachment: {
    right: ({ attachmentId }) => ({ attachmentId }),
    missing: { attachmentId },
    bad: [
      [{}, /attachmentId must be the id of a file/],
      [{ attachmentId, as: 'pdf' }, /as must be text or image/],
    ],
  },
  list_notes: {
    right: ({ threadId }) => ({ threadId }),
    missing: { threadId },
    bad: [
      [{}, /threadId must be/],
      [{ threadId, limit: 101 }, /limit must be/],
    ],
  },
  propose_draft: {
    right: ({ threadId }) => ({ threadId, text: 'It is on its way.' }),
    missing: { threadId, text: 'Hello' },
    bad: [
      ...noText.map(([input, words]): [Record<string, unknown>, RegExp] => [{ threadId, ...input }, words]),
      [{ threadId, text: 'Hello', idempotencyKey: '' }, /idempotencyKey must be 1 to 100 characters/],
      [{ threadId, text: 'Hello', idempotencyKey: 'a'.repeat(101) }, /idempotencyKey must be 1 to 100/],
    ],
  },
  revise_draft: {
    right: ({ draftId }) => ({ draftId, revision: 1, text: 'It arrives today.' }),
    missing: { draftId, revision: 1, text: 'Hello' },
    bad: [
      ...noText.map(([input, words]): [Record<string, unknown>, RegExp] => [
        { draftId, revision: 1, ...input },
        words,
      ]),
      [{ draftId, text: 'Hello' }, /revision must be the revision you last saw/],
      [{ draftId, text: 'Hello', revision: 0 }, /revision must be the revision/],
    ],
  },
  withdraw_draft: {
    right: ({ draftId }) => ({ draftId }),
    missing: { draftId },
    bad: [[{}, /draftId must be the id of a draft/]],
  },
  get_draft: {
    right: ({ draftId }) => ({ draftId }),
    missing: { draftId },
    bad: [[{ draftId: null }, /draftId must be the id of a draft/]],
  },
  list_drafts: {
    right: () => ({ status: ['proposed'], limit: 5 }),
    missing: null,
    bad: [
      [{ status: ['open'] }, /status\[0\] must be a list of proposed, editing/],
      [{ status: [] }, /status must be a list of/],
      [{ cursor: 'abc' }, /cursor was not issued by this list/],
    ],
  },
  search: {
    right: () => ({ query: 'order 4711' }),
    missing: null,
    bad: [
      [{}, /query must be words to search for/],
      [{ query: ' ' }, /query needs at least one word/],
    ],
  },
  fetch: {
    right: ({ threadId }) => ({ id: threadId }),
    missing: { id: threadId },
    bad: [[{}, /id must be the id of a thread/]],
  },
}

test('every tool has an example, and every example a tool', () => {
  assert.deepEqual(Object.keys(examples), toolNames)
})

async function openWorld(spool: TestSpool): Promise<World> {
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({
    text: 'My order 4711 was due on 3 November.',
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
  })
  const [message] = (await desk.thread(threadId)).history as MessageEntry[]
  await addNote(spool.spool, desk.actor, threadId, 'The carrier has it.')
  const { structured } = await callTool(spool.url, desk.token, 'propose_draft', { threadId, text: 'Soon.' })
  return {
    spool,
    desk,
    threadId,
    draftId: String(structured['id']),
    attachmentId: message!.attachments[0]!.id,
  }
}

const withoutNonce = (text: string): string => text.replace(/<(\/?)untrusted [a-z0-9]{12}>/g, '<$1untrusted>')

for (const database of databases) {
  const shared = shareSpool(database)
  const learn = async (): Promise<TestSpool> => {
    const spool = await shared()
    const client = await connectClient(spool.url, spool.token)
    learnTools((await client.listTools()).tools as { name: string; outputSchema: object }[])
    await client.close()
    return spool
  }

  for (const { name, scope } of tools) {
    const { right, missing, bad } = examples[name]!

    test(`${database}: ${name}: right, in both revisions`, async () => {
      const spool = await learn()
      for (const revision of revisions) {
        const world = await openWorld(spool)
        const answer = await callTool(spool.url, world.desk.token, name, right(world), revision)
        assert.equal(answer.status, 200, answer.raw)
        assert.equal(answer.error, null, answer.raw)
        assert.equal(answer.isError, false, answer.text)
        assert.match(String(answer.structured['fence']), /^[a-z0-9]{12}$/)
      }
    })

    if (scope !== null)
      test(`${database}: ${name}: a token without ${scope} does not see it, and is refused all the same`, async () => {
        const spool = await shared()
        const world = await openWorld(spool)
        const scopes = allScopes.filter((each) => each !== scope)
        const token = await spool.makeToken(world.desk.user, { scopes })
        const client = await connectClient(spool.url, token)
        const { tools: listed } = await client.listTools()
        assert.ok(!listed.some((tool) => tool.name === name))
        assert.equal(listed.length, tools.filter((tool) => tool.scope !== scope).length)
        await client.close()
        for (const revision of revisions) {
          const { status, headers, error } = await callTool(spool.url, token, name, right(world), revision)
          assert.equal(status, 403)
          assert.match(
            headers.get('www-authenticate')!,
            new RegExp(
              `^Bearer realm="spool", error="insufficient_scope", scope="${scope}", resource_metadata="http`,
            ),
          )
          assert.match(error!.message, new RegExp(`^Insufficient scope: ${name} needs ${scope}`))
          assert.deepEqual(error!.data, { code: 'insufficient_scope', scope })
        }
      })

    test(`${database}: ${name}: what lies in another view is told in the words of what does not exist`, async () => {
      const spool = await shared()
      const world = await openWorld(spool)
      const stranger = await openDesk(spool)
      const answer = await callTool(spool.url, stranger.token, name, right(world))
      if (name === 'whoami') return assert.doesNotMatch(answer.raw, new RegExp(world.desk.inbox.address))
      if (missing === null)
        return assert.deepEqual(answer.structured['data'] ?? answer.structured['results'], [])
      const none = await callTool(spool.url, stranger.token, name, missing)
      assert.equal(none.isError, true)
      assert.match(
        none.text,
        /^There is no such (thread|draft|attachment), or you have no access to it\. Check the id\. Call \w+/,
      )
      assert.equal(answer.raw, none.raw)
      assert.equal(answer.status, none.status)
    })

    test(`${database}: ${name}: bad input and unknown arguments are refused by name`, async () => {
      const spool = await shared()
      const world = await openWorld(spool)
      const given: [unknown, RegExp][] = [
        ...bad,
        [{ ...right(world), send: true }, new RegExp(`There is no argument "send" in ${name}`)],
        [{ ...right(world), __proto__x: 1 }, /There is no argument "__proto__x"/],
      ]
      for (const [input, words] of given) {
        const answer = await callTool(spool.url, world.desk.token, name, input)
        assert.equal(answer.isError, true, answer.raw)
        assert.match(answer.text, words)
      }
    })
  }

  test(`${database}: the limit is the token's, the same as at the REST API`, async () => {
    await using spool = await startSpool(database, { SPOOL_RATE_LIMIT: '9/60' })
    const { threadId } = await spool.receive({})
    assert.equal((await spool.get('/api/v1/me')).status, 200)
    const called: number[] = []
    for (const [index, name] of [...toolNames, ...toolNames].entries()) {
      const message = writeMessage(revisions[index % 2]!, 'tools/call', { name, arguments: { threadId } })
      const headers = { ...message.headers, Authorization: `Bearer ${spool.token}` }
      const answer = await fetch(`${spool.url}/mcp`, { method: 'POST', headers, body: message.body })
      const body = (await answer.json()) as { statusCode?: number; code?: string }
      assert.match(answer.headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/)
      called.push(answer.status)
      if (answer.status === 200) continue
      assert.equal(answer.status, 429)
      assert.match(answer.headers.get('retry-after')!, /^\d+$/)
      assert.deepEqual([body.statusCode, body.code], [429, 'rate_limited'])
    }
    assert.equal(called.filter((status) => status === 200).length, 8, 'eight after the one at the REST API')
  })

  test(`${database}: through the SDK alone a call answers the same as on the short way`, async () => {
    const spool = await shared()
    const world = await openWorld(spool)
    const { cache, watch, ...admitted } = await admit(spool.spool, world.desk.token)
    const long = openMcp(
      { spool: spool.spool, cache, watch, onFault: () => assert.fail(), onRead: () => undefined },
      { direct: false },
    )
    const cases: [string, unknown][] = [
      ...tools
        .filter(({ annotations }) => annotations.readOnlyHint)
        .map(({ name }): [string, unknown] => [name, examples[name]!.right(world)]),
      ...Object.entries(examples).flatMap(([name, { bad }]) =>
        bad.map(([input]): [string, unknown] => [name, input]),
      ),
    ]
    for (const revision of revisions)
      for (const [name, input] of cases) {
        const { headers, body } = writeMessage(revision, 'tools/call', { name, arguments: input })
        const lower = Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
        )
        const exchange = {
          method: 'POST',
          headers: lower,
          body,
          whenGone: () => new AbortController().signal,
          renew: async () => admitted.caller,
        }
        const reply = await long.answer(exchange, { ...admitted, requestId: 'req_1' })
        const text =
          typeof reply.body === 'string'
            ? reply.body
            : await new Response(reply.body as ReadableStream).text()
        const slow = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as object
        const quick = await callTool(spool.url, world.desk.token, name, input, revision)
        const plain = (value: unknown): unknown =>
          JSON.parse(
            withoutNonce(JSON.stringify(value)).replaceAll(
              /fence=[0-9]{12}|\\*"fence\\*":\\*"[0-9]{12}\\*"/g,
              (found) => found.replace(/[0-9]{12}/, ''),
            ),
          )
        assert.deepEqual(
          plain(JSON.parse(quick.raw)),
          plain(slow),
          `${revision} ${name} ${JSON.stringify(input)}`,
        )
      }
    await long.close()
  })
}

test(
  'postgres: with the store out of reach every tool is a 503, or says when to try again',
  { skip: skipWithout('postgres') ?? false },
  async () => {
    await using postgres = await startPostgres()
    await using spool = await startSpool('postgres', { SPOOL_DATABASE_URL: postgres.url })
    const world = await openWorld(spool)
    const { cache, watch, ...admitted } = await admit(spool.spool, world.desk.token)
    const faults: unknown[] = []
    const door = openMcp({
      spool: spool.spool,
      cache,
      watch,
      onFault: (_, error) => faults.push(error),
      onRead: () => undefined,
    })
    await postgres.kill()
    for (const name of toolNames) {
      const input = examples[name]!.right(world)
      const { headers, body } = writeMessage('2026-07-28', 'tools/call', { name, arguments: input })
      const answer = await fetch(`${spool.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${world.desk.token}` },
        body,
      })
      assert.equal(answer.status, 503)
      assert.match(answer.headers.get('retry-after')!, /^\d+$/)
      assert.equal(((await answer.json()) as { code: string }).code, 'store_unavailable')

      // It can also go away between the check of the token and the work.
      const lower = Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
      )
      const exchange = {
        method: 'POST',
        headers: lower,
        body,
        whenGone: () => new AbortController().signal,
        renew: async () => admitted.caller,
      }
      const reply = await door.answer(exchange, { ...admitted, requestId: 'req_1' })
      assert.match(String(reply.body), /"isError":true/)
      assert.match(String(reply.body), /The database cannot be reached.*Wait a few seconds, then call again/)
    }
    assert.equal(faults.length, toolNames.length)
  },
)
