import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { secret } from '../mail/hidden/ways.ts'
import { databases } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { callTool, type ToolAnswer } from '../support/mcp.ts'
import { sendBy } from '../support/outgoing.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { hostileMails } from './hostile/mails.ts'
import { textOf } from '../support/written-form.ts'
import { brand, hostileWords } from './hostile/words.ts'

/** Where text of others may stand, by the last name on the way to it. */
const untrusted = new Set(
  'letter subject name address preview newText text filename contentType contentId messageId inReplyTo reason quote href'.split(
    ' ',
  ),
)
/** Names that are the team's own, though they are called the same. */
const ours = /^(data\.\d+\.)?(inbox|assignment)\.|\.(actor|author|by|sentBy)\.name$/
/** In a list of entries this is an id of Spool. */
const idOfSpool = /^(outcome|citations\.\d+)\.messageId$/

const trustedForms = [
  /^(thr|msg|inb|att|his|drf|usr|tok|note)_[0-9a-z]+$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^(message|draft_proposed|draft_withdrawn|inbound|open|proposed|withdrawn|agent|person)$/,
  /^\/api\/v1\/attachments\/att_[0-9a-z]+$/,
  /^http:\/\/127\.0\.0\.1:\d+\/threads\/thr_[0-9a-z]+$/,
  /^(hidden_text|parts_differ|truncated|unparsable)$/,
  /^(number|amount|date|link|address)$/,
  /^[A-Za-z0-9_-]{20,120}$/,
]

function* strings(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value))
      yield* strings(each, path === '' ? key : `${path}.${key}`)
}

/** Every string is either fenced from its first to its last letter, or of a form that only Spool or the team makes. */
function checkFences(
  what: string,
  { structured, text, isError }: ToolAnswer,
  own: ReadonlySet<string>,
): void {
  assert.equal(isError, false, `${what}: ${text}`)
  const nonce = String(structured['fence'])
  assert.match(nonce, /^[a-z0-9]{12}$/)
  const [open, close] = [`<untrusted ${nonce}>`, `</untrusted ${nonce}>`]
  const mark = / \[cut: \d+ of \d+ characters; get_thread with full: true has the rest\]$/
  for (const [path, value] of strings(structured)) {
    if (path === 'fence' || path === 'nextStep') continue
    const name = path.split('.').at(-1)!
    if (untrusted.has(name) && !ours.test(path) && !idOfSpool.test(path)) {
      const fenced = value.replace(mark, '')
      assert.ok(
        fenced.startsWith(open) && fenced.endsWith(close),
        `${what}: ${path} is not fenced: ${value.slice(0, 200)}`,
      )
      const inside = fenced.slice(open.length, -close.length)
      assert.ok(!inside.includes(nonce), `${what}: ${path} holds the nonce`)
      assert.doesNotMatch(inside, /<\s*\/?\s*untrusted/i, `${what}: ${path} holds what looks like a fence`)
    } else {
      const known = own.has(value) || trustedForms.some((form) => form.test(value))
      assert.ok(known, `${what}: ${path} is ${JSON.stringify(value.slice(0, 200))}`)
    }
  }
  // As somebody reads it who knows nothing of JSON: what is left without the fences says nothing of the mail.
  const rest = text.replaceAll(new RegExp(`${open}[\\s\\S]*?${close}`, 'g'), '')
  assert.ok(!rest.includes(brand), `${what}: ${rest}`)
  for (const word of ['evil.example', 'mallory', secret]) assert.ok(!rest.includes(word), `${what}: ${word}`)
}

const names = Object.keys(hostileMails)
/** The second database reads a part of them, unless there is time. */
const partOf = (database: string): string[] =>
  database === 'sqlite' || process.env['SPOOL_TEST_LONG'] === '1'
    ? names
    : names.filter((name, index) => index % 3 === 0 || name.endsWith(', in subject and name'))
const hidden = names.filter((name) => name.startsWith('hidden: '))

test(`there are ${names.length} hostile messages`, () => {
  assert.ok(partOf('sqlite').length >= 100 && partOf('postgres').length >= 100)
  assert.ok(Object.keys(hostileWords).length >= 40 && hidden.length >= 20)
})

for (const database of databases)
  test(`${database}: no hostile message gets out of its fence, none is obeyed, and nothing is sent`, async () => {
    await using sink = await startSmtpSink()
    await using spool = await startSpool(database, { SPOOL_UNDO_SECONDS: '0' })
    const desk = await openDesk(spool)
    await sendBy(spool.spool, desk.inbox, sink.port)
    const own = new Set([desk.inbox.name, desk.inbox.address, desk.user.name, 'Test'])
    const call = async (what: string, tool: string, input: object): Promise<ToolAnswer> => {
      const answer = await callTool(spool.url, desk.token, tool, input)
      checkFences(`${what}, ${tool}`, answer, own)
      return answer
    }
    const read = partOf(database)
    const received = await desk.receiveAll(read.map((name) => hostileMails[name]!))
    for (const [index, name] of read.entries()) {
      const { threadId } = received[index]!
      const short = await call(name, 'get_thread', { threadId })
      const full = await call(name, 'get_thread', { threadId, full: true, order: 'newest' })
      const detailed = await call(name, 'get_thread', { threadId, full: true, format: 'detailed' })
      for (const { structured } of [short, full, detailed]) {
        assert.equal(structured['status'], 'open', name)
        const [message] = structured['history'] as Record<string, unknown>[]
        assert.deepEqual(
          [message!['html'] ?? null, message!['verifiedDomain'] ?? null, message!['direction']],
          [null, null, 'inbound'],
        )
      }
      // What hides itself from people is hidden from agents; what does not is shown to both.
      if (hidden.includes(name) && full.raw.includes(secret)) {
        const [message] = (await desk.thread(threadId)).history as MessageEntry[]
        assert.ok(textOf(message!.html ?? '').includes(secret), `${name} is read and not shown`)
      }
    }
    for (const format of ['concise', 'detailed'])
      for (let cursor: unknown = undefined; cursor !== null;) {
        const page = { limit: 100, format, ...(cursor ? { cursor } : {}) }
        const { structured } = await call('the list', 'list_threads', page)
        assert.ok((structured['data'] as unknown[]).length > 0)
        cursor = structured['nextCursor']
      }
    // Words of others reach notes and drafts too, by whoever copies them there.
    for (const [kind, words] of Object.entries(hostileWords)) {
      const { threadId } = received[read.indexOf(`${kind}, in subject and name`)]!
      await addNote(spool.spool, desk.actor, threadId, words)
      await call(kind, 'list_notes', { threadId })
      const { structured } = await call(kind, 'propose_draft', {
        threadId,
        text: `Thank you for 4711. ${brand}`,
      })
      await call(kind, 'get_draft', { draftId: structured['id'] })
    }
    assert.deepEqual(sink.mails, [], 'nothing was sent')
    const events = await spool.get('/api/v1/events?type=message.sent')
    assert.deepEqual(events.json<{ data: unknown[] }>().data, [])
  })
