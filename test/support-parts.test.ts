import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Redis as RedisClient } from 'ioredis'
import { Client } from 'pg'
import { freshDatabase, freshRedis } from './support/databases.ts'
import { launchChromium } from './support/parts/chromium.ts'
import { startDovecot } from './support/parts/dovecot.ts'
import { skipWithout } from './support/parts/install.ts'
import { startPostgres } from './support/parts/postgres.ts'
import { until } from './support/until.ts'

async function ask<T>(url: string, query: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows as T[]
  } finally {
    await client.end()
  }
}

/** A dead process that nobody has waited for still has its number, but no command line. */
function runs(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

test(
  'PostgreSQL keeps what was committed over a stop, and over a kill when durable',
  { skip: skipWithout('postgres') },
  async () => {
    await using postgres = await startPostgres({ durable: true })
    await ask(postgres.url, 'CREATE TABLE t (word text)')
    await ask(postgres.url, `INSERT INTO t VALUES ('grüße')`)
    await postgres.restart()
    assert.deepEqual(await ask(postgres.url, 'SELECT word FROM t'), [{ word: 'grüße' }])
    await postgres.kill()
    await assert.rejects(ask(postgres.url, 'SELECT 1'), (error: NodeJS.ErrnoException) =>
      ['ECONNREFUSED', 'ECONNRESET'].includes(error.code ?? ''),
    )
    await postgres.restart()
    assert.deepEqual(await ask(postgres.url, 'SELECT word FROM t'), [{ word: 'grüße' }])
    assert.deepEqual(await ask(postgres.url, 'SHOW fsync'), [{ fsync: 'on' }])
  },
)

test(
  'a fresh database on PostgreSQL is empty, UTF-8, and gone afterwards',
  { skip: skipWithout('postgres') },
  async () => {
    const database = await freshDatabase('postgres')
    const url = database.env['SPOOL_DATABASE_URL']!
    assert.deepEqual(await ask(url, 'SHOW server_encoding'), [{ server_encoding: 'UTF8' }])
    await database[Symbol.asyncDispose]()
    await assert.rejects(ask(url, 'SELECT 1'), { code: '3D000' })
  },
)

test('Redis answers, and comes back empty on the same port', { skip: skipWithout('redis') }, async () => {
  await using redis = await freshRedis()
  const client = new RedisClient(redis.url)
  client.on('error', () => {})
  try {
    assert.equal(await client.ping(), 'PONG')
    await client.set('k', 'v')
    await redis.restart()
    assert.equal(await client.get('k'), null)
  } finally {
    client.disconnect()
  }
})

test(
  'a process that is killed leaves neither daemon nor folder',
  { skip: skipWithout('redis') },
  async () => {
    const part = new URL('./support/parts/redis.ts', import.meta.url).href
    const script = `const { startRedis } = await import(${JSON.stringify(part)})
    const redis = await startRedis()
    console.log(redis.pid() + ' ' + redis.folder)
    setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(child.stdout, 'data')
    const [pid, folder] = String(said).trim().split(' ')
    assert.ok(runs(pid!) && existsSync(folder!))
    child.kill('SIGKILL')
    await until(`${pid} and ${folder} are gone`, async () => !runs(pid!) && !existsSync(folder!))
  },
)

/** Says a line, where there is one, and returns what came up to the expected words. */
async function converse(socket: Socket, expected: string, line?: string): Promise<string> {
  if (line !== undefined) socket.write(`${line}\r\n`)
  let heard = ''
  while (!heard.includes(expected)) {
    const [data] = await once(socket, 'data', { signal: AbortSignal.timeout(60_000) })
    heard += String(data)
  }
  return heard
}

test(
  'Dovecot takes mail, tells an idle client, and keeps it over a kill',
  { skip: skipWithout('dovecot') },
  async () => {
    await using dovecot = await startDovecot({ users: { 'anna@example.com': 'pass:word ä' } })
    const login = 'a LOGIN anna@example.com {12+}\r\npass:word ä'

    const idle = connect(dovecot.port, dovecot.host)
    await converse(idle, '* OK')
    assert.match(await converse(idle, 'a OK', login), /IDLE.*CONDSTORE|CONDSTORE.*IDLE/)
    const folders = await converse(idle, 'b OK', 'b LIST (SPECIAL-USE) "" "*"')
    for (const name of ['Sent', 'Drafts', 'Trash', 'Junk']) assert.ok(folders.includes(`\\${name}`), folders)
    await converse(idle, 'c OK', 'c SELECT INBOX (CONDSTORE)')
    await converse(idle, '+ idling', 'd IDLE')

    const writer = connect(dovecot.port, dovecot.host)
    await converse(writer, '* OK')
    await converse(writer, 'a NO', 'a LOGIN anna@example.com wrong')
    await converse(writer, 'a OK', login)
    const told = converse(idle, '* 1 EXISTS')
    await converse(writer, 'b OK', 'b APPEND INBOX {18+}\r\nSubject: one\r\n\r\nHi')
    await told
    idle.destroy()
    writer.destroy()

    await dovecot.kill()
    await dovecot.restart()
    const again = connect(dovecot.port, dovecot.host)
    await converse(again, '* OK')
    await converse(again, 'a OK', login)
    assert.match(await converse(again, 'b OK', 'b STATUS INBOX (MESSAGES)'), /MESSAGES 1/)
    again.destroy()
  },
)

test('Dovecot speaks TLS with the certificate it names', { skip: skipWithout('dovecot') }, async () => {
  await using dovecot = await startDovecot({ users: { ben: 'secret' }, tls: true })
  const socket = connectTls({ port: dovecot.tlsPort!, host: 'localhost', ca: dovecot.certificate! })
  await converse(socket, '* OK')
  await converse(socket, 'a OK', 'a LOGIN ben secret')
  socket.destroy()
})

test('Chromium opens a page and runs its script', { skip: skipWithout('chromium') }, async () => {
  await using browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto('data:text/html,<title>…</title><script>document.title = 6 * 7</script>')
  assert.equal(await page.title(), '42')
})
