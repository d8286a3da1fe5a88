import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { App } from '../../src/app.ts'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { markMoved, refuseStore } from '../../src/config/data-folder.ts'
import { countToRenew } from '../../src/core/forms/forms.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { textQuery } from '../../src/store/statement.ts'
import { Child } from '../support/child.ts'
import { runCommand, runCommands } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { damagePages } from '../support/damage.ts'
import { openDesk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { openClient, readAnswers, restore, serve, settings, type Asked } from '../support/old-store/store.ts'
import { startNode } from '../support/nodes.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const { SPOOL_SECRET } = settings
const { asked: questions, ...who } = readAnswers('sqlite')

/** Of all that was ever asked of that store: lists with their cursors, threads, events, counts, tools. */
const some = questions.filter((_, at) => process.env['SPOOL_TEST_LONG'] === '1' || at % 5 === 0)

async function askAll(app: App): Promise<Asked[]> {
  await until('its mail is in the form of today', async () => (await countToRenew(app.spool)) === 0)
  const ask = await openClient(app, who)
  const answers: Asked[] = []
  for (const { door, ask: question } of some) answers.push(await ask(door, question))
  return answers
}

async function receive({ spool }: App, address: string): Promise<string> {
  const mail = await parseMail(Buffer.from(writeMail({ subject: 'After the move' })))
  const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
  const inbox = await addInbox(spool, address, null)
  return (await receiveMail(spool, inbox, [{ mail, ...how }]))[0]!.threadId
}

if (databases.includes('postgres'))
  test('a store moves to PostgreSQL and back through a backup, and every answer stays what it was', async () => {
    await using sqlite = await restore('sqlite')
    await using postgres = await freshDatabase('postgres')
    const url = postgres.env['SPOOL_DATABASE_URL']!
    const move = ['move', '--to', url, '--json']
    const env = { SPOOL_DATA: sqlite.folder, SPOOL_SECRET }
    let before: Asked[]
    {
      await using app = await serve(sqlite)
      before = await askAll(app)
      assert.ok(before.filter(({ status }) => status === 200).length > some.length / 2)
      const [refused, listed] = await runCommands([
        { words: move, env },
        { words: ['inbox', 'list'], env: { ...env, SPOOL_DATABASE_URL: url } },
      ])
      assert.deepEqual([refused!.code, listed!.code], [1, 1])
      assert.match(refused!.stderr, /^Stop the server first/)
      assert.match(listed!.stderr, /^There is no store/, 'the target is as it was')
    }
    const [moved, again, old, doctor] = await runCommands([
      { words: move, env },
      { words: move, env },
      { words: ['inbox', 'list'], env },
      { words: ['doctor', '--json'], env: { ...env, SPOOL_DATABASE_URL: url } },
    ])
    assert.equal(moved!.code, 0, moved!.stderr)
    const { messages, rows, to } = moved!.json<{ messages: number; rows: number; to: string }>()
    assert.ok(messages > 60 && rows > messages * 5, `${messages} messages, ${rows} rows`)
    assert.match(to, /^PostgreSQL at [^@]+\/t_\w+$/, 'without user and password')
    assert.deepEqual([again!.code, old!.code, doctor!.code], [1, 1, 0])
    assert.match(again!.stderr, /There is a store in this database already/)
    assert.match(
      old!.stderr,
      /was moved to PostgreSQL at .*set SPOOL_DATABASE_URL.*delete .*spool\.db-moved\.$/m,
    )

    const file = join(scratchFolder('backup'), 'copy.db')
    {
      await using app = await serve(postgres)
      assert.deepEqual(await askAll(app), before, 'on PostgreSQL')
      const ran = await runCommand({ ...postgres.env, SPOOL_SECRET }, ['backup', file, '--json'])
      assert.equal(ran.code, 0, ran.stderr)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      // Numbers go on where they were: neither this inbox nor its thread gets one that is taken.
      const threadId = await receive(app, 'new@shop.example')
      const answer = await fetch(`${app.url}/api/v1/threads/${threadId}`, {
        headers: { authorization: `Bearer ${who.token}` },
      })
      assert.equal(answer.status, 200)
    }
    // Where the store was before it was moved.
    const back = scratchFolder('back')
    copyFileSync(join(sqlite.folder, 'spool.db-moved'), join(back, 'spool.db-moved'))
    const ran = await runCommand({ SPOOL_DATA: back, SPOOL_SECRET }, ['restore', file, '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.json()['messages'], messages)
    await using app = await serve({ ...sqlite, env: { SPOOL_DATA: back } })
    assert.deepEqual(await askAll(app), before, 'on SQLite again')
    await receive(app, 'new@shop.example')
  })

test('whoever waited while the store was moved does not write to the old one', async () => {
  await using old = await restore('sqlite')
  await using move = new Child('test/faults/child/hold-lock.ts', [join(old.folder, 'spool.db')])
  await move.says(/held/)
  const config = readConfig({ SPOOL_DATA: old.folder, SPOOL_SECRET })
  const opening = openSpool(config, 'inline', { earlier: 'migrate' })
  markMoved(config, 'PostgreSQL at db.example.com/spool')
  move.process.stdin.end()
  await assert.rejects(opening, /^SpoolError: This store was moved to PostgreSQL at db\.example\.com/)
})

for (const database of databases) {
  test(`${database}: a backup of an earlier version is restored, with its secret beside it or by name`, async () => {
    await using target = await freshDatabase(database)
    await using old = await restore('sqlite')
    const [file, secret] = [join(old.folder, 'spool.db'), join(old.folder, 'kept-secret')]
    writeFileSync(secret, `${SPOOL_SECRET}\n`)
    const { SPOOL_SECRET: _, ...env } = target.env
    const wrong = join(old.folder, 'wrong')
    writeFileSync(wrong, 'f'.repeat(64))
    const words = ['restore', file, '--json', '--secret-file']
    const [none, bad, done, again] = await runCommands([
      { words: ['restore', file], env },
      { words: [...words, wrong], env },
      { words: [...words, secret], env },
      { words: [...words, secret], env },
    ])
    assert.deepEqual([none!.code, bad!.code, done!.code, again!.code], [1, 1, 0, 1], done!.stderr)
    assert.match(none!.stderr, /^The secret of the backup is needed/)
    assert.match(bad!.stderr, /not the one of the backup/)
    assert.match(again!.stderr, /There is a store in .* already, which is left as it is/)
    const { messages, place } = done!.json<{ messages: number; place: string }>()
    assert.ok(messages > 60)
    assert.match(place, database === 'sqlite' ? /data/ : /SPOOL_DATABASE_URL/)
    if (database === 'sqlite') {
      assert.match(again!.stderr, / Move spool\.db away, or set/)
      const log = join(target.folder, 'spool.db-wal')
      writeFileSync(log, '')
      assert.throws(
        () => refuseStore({ dataFolder: target.folder }),
        / Move spool\.db, spool\.db-wal away together,/,
      )
      rmSync(log)
      assert.deepEqual(readdirSync(target.folder).sort(), ['secret', 'spool.db'])
      assert.equal(readFileSync(join(target.folder, 'secret'), 'utf8').trim(), SPOOL_SECRET)
      assert.equal(statSync(join(target.folder, 'secret')).mode & 0o777, 0o600)
    }
    await using app = await serve(target)
    const ask = await openClient(app, who)
    assert.match((await ask('api', '/threads?q=parcels&limit=3')).body, /parcels/, 'it can be searched')
  })

  test(`${database}: a restored store repeats no ETag of the one before it`, async () => {
    const SPOOL_URL = 'https://spool.example'
    await using spool = await startSpool(database, { SPOOL_URL })
    await spool.receive({ subject: 'One' })
    const file = join(scratchFolder('backup'), 'copy.db')
    const made = await runCommand(spool.database.env, ['backup', file])
    assert.equal(made.code, 0, made.stderr)
    await spool.receive({ subject: 'Two' })
    const etag = (await spool.get('/api/v1/threads')).headers.get('etag')!

    const env = { SPOOL_DATA: scratchFolder('restored'), SPOOL_SECRET: spool.database.env['SPOOL_SECRET']! }
    const restored = await runCommand(env, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    await using node = await startNode({ ...spool.database, env: { ...env, SPOOL_URL } })
    const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
    const mail = await parseMail(Buffer.from(writeMail({ subject: 'Three' })))
    await receiveMail(node.app.spool, spool.inbox, [{ mail, ...how }])
    const headers = { authorization: `Bearer ${spool.token}`, 'if-none-match': etag }
    const answer = await fetch(`${node.app.url}/api/v1/threads`, { headers })
    assert.equal(answer.status, 200, 'the counters are the same again, the content is not')
  })

  test(`${database}: mail that was about to leave when the backup was made does not leave by itself`, async () => {
    await using spool = await startSpool(database)
    const desk = await openDesk(spool)
    const file = join(scratchFolder('backup'), 'copy.db')
    const { threadId } = await desk.receive({})
    // As a node left them that was killed in the middle, and as one within the undo window.
    const draft = (id: string, status: string, phase: string | null): Promise<unknown> =>
      spool.spool.db.transaction(async (db) => {
        await db.run(
          textQuery(
            `INSERT INTO drafts (id, inbox, thread, kind, status, revision, author, user_id, edited, created_at, updated_at,
               message_id, due_at, phase, attempts, sender)
             SELECT ?, inbox, number, 'reply', ?, 1, '{"type":"user","id":"u","name":"Ada"}', ?, 1, 1, 1, ?, ?, CAST(? AS TEXT), 0, ?
             FROM threads WHERE id = ?`,
            [
              id,
              status,
              desk.user.id,
              `<${id}@shop.example>`,
              Date.now() + 3_600_000,
              phase,
              JSON.stringify({ actor: desk.actor, userId: desk.user.id, closes: false }),
              threadId,
            ],
          ),
        )
        await db.run(
          textQuery('INSERT INTO outgoing (draft, letter, source) VALUES (?, ?, ?)', [
            id,
            '{}',
            status === 'sending' ? Buffer.from('Subject: Hi\r\n\r\nHi') : null,
          ]),
        )
      })
    await draft('drf_scheduled', 'scheduled', null)
    await draft('drf_sending', 'sending', 'ready')
    const into = scratchFolder('restored')
    const env = { SPOOL_DATA: into, SPOOL_SECRET: spool.database.env['SPOOL_SECRET']! }
    const [made, restored] = await runCommands([
      { words: ['backup', file], env: spool.database.env },
      { words: ['restore', file, '--json'], env },
    ])
    assert.deepEqual([made!.code, restored!.code], [0, 0], made!.stderr + restored!.stderr)
    assert.equal(restored!.json()['held'], 2)
    await using node = await startNode({ ...spool.database, env })
    const rows = await node.app.spool.db.all(
      textQuery<{ id: string; status: string }>('SELECT id, status FROM drafts ORDER BY id', []),
    )
    assert.deepEqual(rows, [
      { id: 'drf_scheduled', status: 'editing' },
      { id: 'drf_sending', status: 'unknown' },
    ])
  })
}

test('what cannot be restored is said in a sentence, and leaves nothing', async () => {
  await using old = await restore('sqlite')
  const file = join(old.folder, 'spool.db')
  const from = scratchFolder('from')
  const [damaged, text, empty, live] = ['damaged.db', 'text.db', 'empty.db', 'live.db'].map((name) =>
    join(from, name),
  )
  copyFileSync(file, damaged!)
  damagePages(damaged!, ['rows of a table'])
  writeFileSync(text!, 'no store at all')
  writeFileSync(empty!, '')
  copyFileSync(file, live!)
  writeFileSync(`${live}-wal`, 'something')
  const folder = join(scratchFolder('to'), 'data')
  const env = { SPOOL_DATA: folder, SPOOL_SECRET }
  const ran = await runCommands(
    [damaged!, text!, empty!, live!, join(from, 'gone.db')].map((each) => ({
      words: ['restore', each],
      env,
    })),
  )
  const sentences = [
    /damaged\.db is damaged or no backup \(.*\)\. Restore another one/,
    /text\.db is damaged or no backup/,
    /empty\.db is damaged or no backup \(there is no store in it\)/,
    /live\.db is a store in use and no backup; make one of it with "spool backup"/,
    /There is no file or folder .*gone\.db/,
  ]
  for (const [at, sentence] of sentences.entries()) {
    assert.deepEqual([ran[at]!.code, ran[at]!.stdout], [1, ''])
    assert.match(ran[at]!.stderr, sentence)
  }
  assert.equal(existsSync(join(folder, 'spool.db')), false)
  assert.deepEqual(readdirSync(folder), [])
})
