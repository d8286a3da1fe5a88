import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { migrations } from '../../src/store/migrations.ts'
import { runCommands } from '../support/command.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { callTool } from '../support/mcp.ts'
import { readAnswers, restore, settings } from '../support/old-store/store.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSpool } from '../support/spool.ts'
import { commands, listMigrations, migrateToTomorrow, tellStore, tomorrow } from '../support/store-version.ts'
import { until } from '../support/until.ts'
import { askWeb, openSession } from '../support/web-client.ts'

const { SPOOL_SECRET } = settings
const names = migrations.map(({ name }) => name).toSorted()

function inFolder(folder: string): FreshDatabase {
  const env = { SPOOL_DATA: folder, SPOOL_SECRET }
  return { kind: 'sqlite', env, folder, [Symbol.asyncDispose]: async () => undefined }
}

for (const kind of databases) {
  test(`${kind}: commands leave a store of an earlier version as it is, and say what to do`, async () => {
    await using store = await restore(kind)
    const env = { ...store.env, SPOOL_SECRET }
    const before = await listMigrations(store)
    assert.ok(before.length < names.length)
    const copy = inFolder(scratchFolder('backup'))
    const backup = join(copy.folder, 'spool.db')
    const ran = await runCommands(
      [...commands, ['backup', backup], ['doctor', '--deep'], ['doctor', '--report']].map((words) => ({
        words,
        env,
      })),
    )
    for (const [index, words] of commands.entries()) {
      const { code, stdout, stderr } = ran[index]!
      assert.deepEqual([code, stdout], [1, ''], words.join(' '))
      assert.match(
        stderr,
        /^This store was made by an earlier version of Spool\. Make a backup .*"spool serve"/,
      )
    }
    const [backedUp, doctor, report] = ran.slice(commands.length)
    assert.deepEqual([backedUp!.code, doctor!.code, report!.code], [0, 0, 0], JSON.stringify(ran.slice(-3)))
    assert.match(doctor!.stdout, /^LOOK {2}version of the store: an earlier version made it/m)
    assert.match(doctor!.stdout, /^ok {4}store: /m)
    assert.match(doctor!.stdout, /^ok {4}stored messages and files: /m)
    assert.deepEqual(await listMigrations(store), before, 'as it was')
    assert.deepEqual(await listMigrations(copy), before, 'so that the earlier version can restore the backup')

    await using target = await freshDatabase(kind)
    const [restored] = await runCommands([
      { words: ['restore', backup, '--json'], env: { ...target.env, SPOOL_SECRET } },
    ])
    assert.equal(restored!.code, 0, restored!.stderr)
    const [{ count }] = (await tellStore(store, ['SELECT count(*) AS count FROM messages'])) as [
      { count: unknown },
    ]
    assert.equal(restored!.json()['messages'], Number(count))
    assert.deepEqual(await listMigrations(target), names, 'this version restores it as a store of its own')
  })

  test(`${kind}: the server migrates a store of an earlier version, logs each step, and sessions survive`, async () => {
    await using store = await restore(kind)
    const secret = randomBytes(32).toString('base64url')
    const hashed = hash('sha256', secret, 'hex')
    const now = Date.now()
    await tellStore(store, [
      `INSERT INTO sessions (id, hash, user_id, created_at, last_seen_at, ends_at)
       SELECT 'ses_before', ${kind === 'sqlite' ? `x'${hashed}'` : `'\\x${hashed}'`}, id, ${now}, ${now}, ${now + 86_400_000}
       FROM users WHERE email = 'ada@shop.example'`,
    ])
    const [done, log] = [await listMigrations(store), [] as Record<string, unknown>[]]
    await using app = await startApp(
      readConfig({ ...store.env, ...settings }),
      pino({}, { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
    )
    assert.deepEqual(await listMigrations(store), names)
    const steps = log.filter(({ msg }) => msg === 'migrated the store')
    assert.deepEqual(
      steps.map(({ migration }) => migration),
      names.filter((name) => !done.includes(name)),
    )
    assert.ok(
      steps.every(
        ({ step, of, seconds }, at) => step === at + 1 && of === steps.length && Number(seconds) >= 0,
      ),
    )
    const session = await askWeb(app.url, 'GET', '/session', undefined, {
      origin: settings.SPOOL_URL,
      cookie: `spool_session=${secret}`,
    })
    assert.equal(session.status, 200, session.text)
    await until('its mail is parsed again', async () =>
      log.some(({ msg }) => msg === 'all stored mail has been parsed again'),
    )
    const [{ messages: begun }, { messages: ended }] = log.filter(({ msg }) =>
      /stored mail/.test(String(msg)),
    ) as [Record<string, unknown>, Record<string, unknown>]
    assert.ok(Number(begun) > 60 && begun === ended, `${begun} of ${ended}`)
  })

  test(`${kind}: a server whose store a newer version migrates says so, answers reads and writes nothing`, async () => {
    await using spool = await startSpool(kind, { SPOOL_SMTP_LISTEN: '127.0.0.1:0' })
    const { threadId } = await spool.receive({ subject: 'Before' })
    const page = await openSession(spool.spool, spool.url, spool.ada)
    const read = async (): Promise<void> => {
      for (const path of ['/api/v1/threads', `/api/v1/threads/${threadId}`, '/api/v1/events', '/api/v1/me'])
        for (let time = 0; time < 2; time++) assert.equal((await spool.get(path)).status, 200, path)
      for (const path of ['/session', '/threads?view=open', `/threads/${threadId}`, '/counts', '/drafts'])
        assert.equal((await page.ask('GET', path)).status, 200, path)
    }
    await read()
    assert.equal((await spool.get('/readyz')).status, 200)
    const closed = { status: 'closed' }
    assert.equal((await page.ask('POST', `/threads/${threadId}/status`, closed)).status, 200)
    await migrateToTomorrow(spool.database)
    const sentence = `A newer version of Spool has migrated the store (${tomorrow}): this process only reads until it is restarted with that version.`

    const change = await page.ask('POST', `/threads/${threadId}/status`, { status: 'open' })
    assert.deepEqual([change.status, change.json()['message']], [503, sentence])
    const draft = await callTool(spool.url, spool.token, 'propose_draft', { threadId, text: 'Too late' })
    assert.ok(draft.isError && draft.text.includes('only reads until it is restarted'), draft.raw)
    // As of a session that was last used more than a minute ago.
    await tellStore(spool.database, ['UPDATE sessions SET last_seen_at = 0'])
    await read()
    const ready = await spool.get('/readyz')
    assert.deepEqual([ready.status, ready.json()['message']], [503, sentence])
    assert.match((await spool.get('/metrics')).text, /^spool_store_newer 1$/m)
    const said = (words: string): boolean => spool.log.some((line) => line.includes(words))
    const errors = spool.log.filter(
      (line) => line.includes(`"level":50`) && line.includes(`"msg":"${sentence}`),
    )
    assert.equal(errors.length, 1, 'once')
    await until('the workers have stopped', async () => said('all workers have stopped'))

    using client = await SmtpClient.connect(Number(spool.app.smtp!.split(':').at(-1)))
    await client.hello()
    const replies = await client.deliver(writeMail({ subject: 'Late' }), [spool.inbox.address])
    assert.match(replies.at(-1)!, /^451 /, replies.join('\n'))
    const [{ count }] = (await tellStore(spool.database, ['SELECT count(*) AS count FROM messages'])) as [
      { count: unknown },
    ]
    assert.equal(Number(count), 1, 'nothing was written')
  })
}

if (databases.includes('postgres'))
  test('a store of an earlier version moves to PostgreSQL as it is, and the next server there migrates it', async () => {
    await using old = await restore('sqlite')
    await using postgres = await freshDatabase('postgres')
    const before = await listMigrations(old)
    const env = { SPOOL_DATA: old.folder, SPOOL_SECRET }
    const used = scratchFolder('used')
    copyFileSync(join(old.folder, 'spool.db'), join(used, 'spool.db'))
    const to = ['move', '--to', postgres.env['SPOOL_DATABASE_URL']!]
    const [moved, again] = await runCommands([
      { words: to, env },
      { words: to, env: { ...env, SPOOL_DATA: used } },
    ])
    assert.equal(moved!.code, 0, moved!.stderr)
    assert.match(again!.stderr, /^There is a store in this database already/)
    assert.deepEqual(await listMigrations(postgres), before)
    await using app = await startApp(readConfig({ ...postgres.env, ...settings }), pino({ level: 'silent' }))
    assert.deepEqual(await listMigrations(postgres), names)
    const { token } = readAnswers('sqlite')
    const answer = await fetch(`${app.url}/api/v1/threads`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200)
  })
