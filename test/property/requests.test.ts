import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addNote } from '../../src/core/threads/notes.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { checkAnswer, document } from '../support/openapi.ts'
import { sendRaw, type RawAnswer } from '../support/raw-http.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { badValues, goodValue, headerLines, oddIds, rawValues } from './odd-requests.ts'

const requests = process.env['SPOOL_TEST_LONG'] === '1' ? 20_000 : 2_000
const batch = 40
const seed = Number(process.env['SPOOL_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const codings = ['plain', 'gzip', 'br', 'zstd'] as const
type Coding = (typeof codings)[number]

interface Known {
  ids: string[]
  cursors: string[]
  tokens: { right: string; narrow: string; wrong: string[] }
}

interface Probe {
  method: string
  path: string
  query: string
  headers: string
  body: string
  token: string | null
  coding: Coding
  /** Something is wrong with it: whatever the answer is, it is no 200. */
  flawed: boolean
  /** Bytes changed in the whole of it: where, and to what. */
  scars: [at: number, byte: number][]
}

/** A request of an operation of the document, with parameters good, bad, missing, repeated or invented. */
function probeOf(template: string, { ids, cursors, tokens }: Known): fc.Arbitrary<Probe> {
  const { parameters } = document.paths[template]!.get
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = query.map(({ name, schema }) => {
    const good = goodValue(name, schema, cursors).map((value) => ({
      text: `${name}=${encodeURIComponent(value)}`,
      flawed: false,
    }))
    const bad = fc
      .oneof(fc.constantFrom(...badValues(schema)).map(encodeURIComponent), fc.constantFrom(...rawValues))
      .map((value) => ({ text: `${name}=${value}`, flawed: true }))
    const twice = good.map(({ text }) => ({ text: `${text}&${text}`, flawed: true }))
    return fc.oneof(
      { weight: 24, arbitrary: fc.constant(null) },
      { weight: 8, arbitrary: good },
      { weight: 1, arbitrary: bad },
      { weight: 1, arbitrary: twice },
    )
  })
  const invented = fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'Unread=1',
          'limits=5',
          '__proto__=1',
          'constructor=1',
          '=',
          '%',
          'q[]=a',
          'a;b',
          '🙂=1',
        )
        .map((text) => ({ text: encodeURI(text), flawed: true })),
    },
  )
  const path = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...ids).map((id) => template.replace('{id}', id)) },
    { weight: 3, arbitrary: fc.constantFrom(...oddIds).map((id) => template.replace('{id}', id)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('/', '//', '/.', '/..', ';a=b', '%2e', '%00', '?')
        .map((end) => template + end),
    },
  )
  return fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant('GET') },
        { weight: 2, arbitrary: fc.constant('HEAD') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT'), 'BREW', 'get'),
        },
      ),
      path,
      pairs: fc.tuple(...pairs, invented),
      headers: headerLines,
      coding: fc.constantFrom(...codings),
      token: fc.oneof(
        { weight: 10, arbitrary: fc.constant(tokens.right) },
        { weight: 2, arbitrary: fc.constant(tokens.narrow) },
        { weight: 1, arbitrary: fc.constantFrom(null, ...tokens.wrong) },
      ),
      scars: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Probe['scars']>([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        },
      ),
    })
    .map(({ pairs, headers, ...rest }): Probe => {
      const given = pairs.filter((pair) => pair !== null)
      const refused = rest.token === null || tokens.wrong.includes(rest.token)
      return {
        ...rest,
        query: given.map(({ text }) => text).join('&'),
        headers: headers.lines,
        body: headers.body,
        flawed: refused || given.some(({ flawed }) => flawed),
      }
    })
}

function write({ method, path, query, headers, body, token, coding, scars }: Probe): Buffer {
  const target = `/api/v1${path}${query === '' ? '' : `?${query}`}`
  const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  const accepted =
    coding === 'plain' || headers.includes('Accept-Encoding') ? '' : `Accept-Encoding: ${coding}\r\n`
  const bytes = Buffer.from(
    `${method} ${target} HTTP/1.1\r\nHost: spool.example\r\n${authorization}${accepted}${headers}\r\n${body}`,
    'latin1',
  )
  for (const [at, byte] of scars) bytes[at % bytes.length] = byte
  return bytes
}

/** The path as the document may know it; dots and doubled slashes are not resolved, by Spool neither. */
function documentedPath(path: string): string {
  const template = Object.keys(document.paths).find((candidate) =>
    new RegExp(`^${candidate.replace('{id}', '[^/]+')}$`).test(path),
  )
  return `/api/v1${template?.replace('{id}', 'x') ?? '/nothing'}`
}

async function check(url: string, one: Probe, note: (seen: number | string) => void): Promise<void> {
  const harmed = one.scars.length > 0
  const bytes = write(one)
  const { answers, closed, rest } = await sendRaw(url, bytes, {
    answers: 1,
    // By what is sent: a scar may have made HEAD, or taken it away.
    bodiless: bytes.toString('latin1', 0, 5) === 'HEAD ',
    ...(harmed ? { timeout: 100 } : {}),
  })
  const [answer] = answers
  if (!answer) {
    assert.ok(harmed, `no answer${closed ? ', and the connection closed' : ''}: ${rest}`)
    // Still waited for, or broken off: but not half answered.
    return assert.ok(rest === '' || rest.startsWith('HTTP/1.1 '), rest)
  }
  const { status, headers, body } = answer
  note(status)
  assert.ok(status < 500, `${status}: ${body}`)
  assert.match(headers['x-request-id'] ?? '', /^req_/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  if (harmed) {
    if (status >= 400 && body !== '')
      checkAnswer('/api/v1/nothing', 'GET', status, headers['content-type'] ?? null, body)
    return
  }
  checkAnswer(
    documentedPath(one.path.split('?')[0]!),
    one.method,
    status,
    headers['content-type'] ?? null,
    body,
  )
  if (one.flawed) assert.ok(status >= 400, `${status} in spite of what is wrong with it`)
  if (status !== 200 || one.method !== 'GET' || one.headers !== '') return
  checkCoding(one, answer)
  note(headers['content-encoding'] ?? 'plain')
  await checkAgain(url, one, answer, note)
}

/** What is long comes in the coding that was asked for; bytes that take `Range` never do. */
function checkCoding({ coding }: Probe, { headers, body }: RawAnswer): void {
  const isLong = Buffer.byteLength(body) >= 1000 || headers['transfer-encoding'] === 'chunked'
  const expected = coding === 'plain' || !isLong || headers['accept-ranges'] ? undefined : coding
  assert.equal(headers['content-encoding'], expected)
}

/** The same once more: known by its tag in any coding, or a part of it. */
async function checkAgain(
  url: string,
  one: Probe,
  { headers: { etag, 'accept-ranges': ranges }, body }: RawAnswer,
  note: (seen: string) => void,
): Promise<void> {
  const ask = async (headers: string, coding: Coding): Promise<RawAnswer> => {
    const { answers } = await sendRaw(url, write({ ...one, headers, coding }), { answers: 1 })
    return answers[0]!
  }
  const next = codings[(codings.indexOf(one.coding) + 1) % codings.length]!
  if (etag !== undefined) {
    const { status, headers, body: none } = await ask(`If-None-Match: "x", ${etag}\r\n`, next)
    assert.deepEqual([status, headers['etag'], none], [304, etag, ''])
    note('304 across codings')
  }
  const bytes = Buffer.from(body)
  if (ranges !== 'bytes' || bytes.length === 0) return
  const [from, to] = [Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3)]
  for (const [range, part] of [
    [`bytes=${from}-${to}`, bytes.subarray(from, to + 1)],
    [`bytes=${from}-`, bytes.subarray(from)],
    ['bytes=-1', bytes.subarray(-1)],
  ] as const) {
    const answer = await ask(`Range: ${range}\r\nIf-Range: ${etag}\r\n`, next)
    assert.deepEqual([answer.status, answer.body], [206, part.toString()], range)
  }
  assert.equal((await ask(`Range: bytes=${bytes.length}-\r\n`, next)).status, 416)
  note('ranges')
}

async function prepare(database: DatabaseKind): Promise<{ spool: TestSpool; known: Known }> {
  const spool = await startSpool(database)
  const other = await spool.makeInbox('other@shop.example')
  const first = await spool.receive({
    attachments: [{ filename: 'ä"\\.txt', type: 'text/plain', content: 'abc'.repeat(500) }],
  })
  // Long enough to be compressed.
  for (const text of ['Order 4711 🙂 ', 'Größe '])
    await spool.receive({ subject: 'Grüße 🙂', text: text.repeat(200) })
  await spool.receive({ subject: 'elsewhere' }, { inbox: other })
  const noteId = await addNote(spool.spool, spool.actor, first.threadId, 'A note')
  await addNote(spool.spool, spool.actor, first.threadId, 'Another')
  const [message] = (await spool.thread(first.threadId)).history
  assert.ok(message?.type === 'message')
  const right = await spool.makeToken(spool.ada, { inboxes: [spool.inbox] })
  const narrow = await spool.makeToken(spool.ada, { inboxes: [other], scopes: ['threads:read'] })
  const page = await spool.get('/api/v1/threads?limit=1', { token: right })
  const notes = await spool.get(`/api/v1/threads/${first.threadId}/notes?limit=1`, { token: right })
  const cursors = [page, notes].map((answer) => answer.json<{ nextCursor: string }>().nextCursor)
  return {
    spool,
    known: {
      ids: [
        first.threadId,
        first.messageId,
        message.attachments[0]!.id,
        noteId,
        spool.inbox.id,
        spool.ada.id,
      ],
      cursors: [...cursors, ...cursors.map((cursor) => cursor.slice(0, -2)), `${cursors[0]}A`, 'AAAA', '=='],
      tokens: { right, narrow, wrong: ['x', `${right}0`, right.toUpperCase(), `${right.slice(0, -1)}!`] },
    },
  }
}

for (const database of databases) {
  test(`${database}: ${requests} requests made from the document, and mutilated, in four codings: no 5xx, all as documented`, async (t) => {
    t.diagnostic(`SPOOL_TEST_SEED=${seed}`)
    const { spool, known } = await prepare(database)
    await using _ = spool
    const seen = new Map<number | string, number>()
    const note = (what: number | string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
    const probe = fc.oneof(...Object.keys(document.paths).map((template) => probeOf(template, known)))
    await fc.assert(
      fc.asyncProperty(fc.array(probe, { minLength: batch, maxLength: batch }), async (probes) => {
        await Promise.all(
          probes.map((one) =>
            check(spool.url, one, note).catch((error: Error) => {
              error.message += `\n${JSON.stringify(write(one).toString('latin1'))}`
              throw error
            }),
          ),
        )
      }),
      { seed, numRuns: requests / batch },
    )
    t.diagnostic(
      `answers: ${[...seen]
        .sort()
        .map(([status, count]) => `${status} × ${count}`)
        .join(', ')}`,
    )
    for (const what of [200, 304, 400, 401, 403, 404, 405, ...codings, '304 across codings', 'ranges'])
      assert.ok((seen.get(what) ?? 0) > 0, `there was no ${what}: the probes are too narrow`)
    const faults = spool.log.filter((line) => line.includes('failed with an internal error'))
    assert.deepEqual(faults, [])
  })
}
