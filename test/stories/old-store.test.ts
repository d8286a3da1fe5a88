import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { countToRenew } from '../../src/core/forms/forms.ts'
import { describeThread } from '../../src/store/threads/summary.ts'
import { databases } from '../support/databases.ts'
import { openClient, readAnswers, restore, serve, settings, type Asked } from '../support/old-store/store.ts'
import { until } from '../support/until.ts'

/** What is read from a mail follows the rules of today; the rest of an answer is as it was. */
const ofMail = new Set(['preview', 'newText', 'html', 'links', 'hiddenTextRemoved', 'warnings'])

function withoutMail(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMail)
  if (typeof value !== 'object' || value === null) return value
  const isText = 'type' in value && (value.type === 'message' || value.type === 'text')
  const kept = Object.entries(value).filter(([name]) => !ofMail.has(name) && !(isText && name === 'text'))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutMail(each)]))
}

/** Of an answer that may have grown, what it had before. */
function asBefore(now: unknown, before: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(before)) return now.map((each, at) => asBefore(each, before[at]))
  if (typeof now !== 'object' || typeof before !== 'object' || !now || !before) return now
  const kept = Object.entries(now).filter(([name]) => name in before)
  return Object.fromEntries(
    kept.map(([name, each]) => [name, asBefore(each, before[name as keyof typeof before])]),
  )
}

/** The shape that agents were given before is one they ask for now. */
function detailed({ door, ask }: Asked): string {
  if (door !== 'mcp') return ask
  const request = JSON.parse(ask) as { headers: Record<string, string>; body: string }
  const body = JSON.parse(request.body) as { params?: { name?: string; arguments?: object } }
  if (!/^(?:list_threads|get_thread)$/.test(body.params?.name ?? '')) return ask
  body.params!.arguments = { ...body.params!.arguments, format: 'detailed' }
  return JSON.stringify({ ...request, body: JSON.stringify(body) })
}

/** What an error says in words may change, its code may not. */
const wording = /("message":|"text":)"(?:[^"\\]|\\.)*"/g

function assertAsBefore(now: Asked, before: Asked, message: string): void {
  const failed = before.status >= 400 || before.body.includes('"isError":true')
  const read = ({ body }: Asked): unknown => {
    if (failed) return body.replaceAll(wording, '$1')
    return body.startsWith('{') ? withoutMail(JSON.parse(body)) : body
  }
  assert.equal(now.status, before.status, message)
  assert.deepEqual(asBefore(read(now), read(before)), read(before), message)
}

for (const database of databases) {
  test(`${database}: a store of the version before is opened and answers every request as it did`, async () => {
    const { asked: recorded, ...who } = readAnswers(database)
    // How the tools are described is no answer out of the store: a golden file has it.
    const asked = recorded.filter(({ ask }) => !ask.includes('tools/list'))
    assert.ok(asked.length > 200)
    await using store = await restore(database)
    await using app = await serve(store)
    const ask = await openClient(app, who)
    await until('its mail is renewed', async () => (await countToRenew(app.spool)) === 0, 120_000)
    // Twice: the second time out of the cache.
    for (const time of ['first', 'second'])
      for (const before of asked)
        assertAsBefore(
          await ask(before.door, detailed(before)),
          before,
          `${time} time: ${before.door} ${before.ask}`,
        )
  })

  test(`${database}: a list of the version before is stored as it would be written today, byte for byte`, async () => {
    await using store = await restore(database)
    await using spool = await openSpool(readConfig({ ...store.env, ...settings }), 'inline', {
      earlier: 'migrate',
    })
    const { db } = spool
    const rows = await db.all(
      db.build
        .selectFrom('threads')
        .innerJoin('thread_summaries', 'thread_summaries.thread', 'threads.number')
        .selectAll(),
    )
    assert.equal(rows.length, (await db.all(db.build.selectFrom('threads').select('id'))).length)
    assert.ok(rows.length > 20)
    const inbox = { id: 'inb_1', name: 'I', address: 'i@shop.example' }
    for (const { item, ...thread } of rows) {
      const written = JSON.stringify(describeThread(thread, { unread: false, inbox, url: '' }))
      assert.equal(item, written.slice(0, written.indexOf(',"unread":false,"inbox":{"id":"inb_1"')))
    }
  })
}
