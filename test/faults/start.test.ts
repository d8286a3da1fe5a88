import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, sharedPostgres } from '../support/databases.ts'
import { startNode } from '../support/nodes.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startPostgres } from '../support/parts/postgres.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

for (const kind of databases) {
  test(`${kind}: another SPOOL_SECRET than the store's is refused with a sentence`, async () => {
    await using database = await freshDatabase(kind)
    await (await openSpool(readConfig(database.env), 'inline'))[Symbol.asyncDispose]()
    const other = { ...database.env, SPOOL_SECRET: 'another secret of sufficient length' }
    await assert.rejects(openSpool(readConfig(other), 'inline'), {
      message: /^SPOOL_SECRET is not the secret of this store, .*start with the one it has/,
    })
    await using child = new Child('bin/spool.js', ['serve', '--json'], { ...other, SPOOL_PORT: '0' })
    assert.equal((await child.ended).code, 1)
    // A busy PostgreSQL may be slow to accept the connection.
    const said = child.stdout.split('\n').filter((line) => !line.includes('waiting for it'))
    assert.deepEqual([said.join(), child.stderr.trim().split('\n').length], ['', 1])
    assert.match(child.stderr, /^SPOOL_SECRET is not the secret of this store/)
    // The right one is still right.
    await (await openSpool(readConfig(database.env), 'inline'))[Symbol.asyncDispose]()
  })

  test(`${kind}: servers that start at the same moment on an empty store all come up`, async () => {
    await using database = await freshDatabase(kind)
    const nodes = await Promise.all(Array.from({ length: 5 }, () => startNode(database)))
    for (const { app } of nodes) assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
    for (const node of nodes) await node[Symbol.asyncDispose]()
    assert.equal(await checkWhole(database), 0)
  })

  test(`${kind}: so do processes, with commands beside them`, async () => {
    await using database = await freshDatabase(kind)
    const { SPOOL_SECRET: secret, ...env } = database.env
    // On SQLite they have to agree on a secret, too.
    const environment = { ...env, ...(kind === 'postgres' ? { SPOOL_SECRET: secret! } : {}), SPOOL_PORT: '0' }
    const servers = [1, 2, 3].map(() => new Child('bin/spool.js', ['serve', '--json'], environment))
    const command = new Child('bin/spool.js', ['inbox', 'add', 'support@shop.example', '--json'], environment)
    try {
      assert.equal((await command.ended).code, 0, command.stderr)
      for (const server of servers) {
        const [, url] = await server.says(/\{"url":"([^"]+)"/)
        assert.equal((await fetch(`${url}/readyz`)).status, 200)
        // One that starts while others have the store open checks it, and leaves a mark if it is stopped meanwhile.
        await until('it has nothing to remark', async () => {
          const answer = await fetch(`${url}/readyz`)
          return (await answer.text()) === '{"status":"ready"}'
        })
      }
      for (const server of servers) server.process.kill('SIGTERM')
      for (const server of servers) assert.equal((await server.ended).code, 0, server.stderr)
    } finally {
      for (const child of [...servers, command]) await child[Symbol.asyncDispose]()
    }
    if (kind === 'sqlite')
      assert.deepEqual(
        readdirSync(database.folder).sort(),
        ['secret', 'spool.db'],
        'nothing is left lying about',
      )
  })
}

test('sqlite: the secret is made at the first start, for this user alone, and kept', async () => {
  const folder = join(scratchFolder('data'), 'new')
  const config = readConfig({ SPOOL_DATA: folder })
  await (await openSpool(config, 'inline'))[Symbol.asyncDispose]()
  const secret = readFileSync(join(folder, 'secret'), 'utf8')
  assert.match(secret, /^[0-9a-f]{64}\n$/)
  assert.equal(statSync(join(folder, 'secret')).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  await (await openSpool(config, 'inline'))[Symbol.asyncDispose]()
  assert.equal(readFileSync(join(folder, 'secret'), 'utf8'), secret)
})

test('postgres: without SPOOL_SECRET nothing starts, and the sentence says what to do', async () => {
  const config = readConfig({
    SPOOL_DATABASE_URL: 'postgres://127.0.0.1:1/none',
    SPOOL_DATA: scratchFolder('data'),
  })
  await assert.rejects(
    openSpool(config, 'inline'),
    /SPOOL_SECRET must be set .* "openssl rand -hex 32" makes one\./,
  )
})

const away = {
  SPOOL_DATABASE_URL: 'postgres://spool:hunter2hunter2@127.0.0.1:1/none',
  SPOOL_SECRET: 'a secret of sufficient length',
  SPOOL_DATA: scratchFolder('data'),
  SPOOL_PORT: '0',
}

test('a command whose database is out of reach fails with one sentence, without the password', async () => {
  await using child = new Child('bin/spool.js', ['inbox', 'list'], away)
  assert.equal((await child.ended).code, 1)
  assert.match(
    child.stderr,
    /^The database cannot be reached\. Try again in a moment\. \(.*ECONNREFUSED.*\)\n$/,
  )
  assert.ok(!child.stderr.includes('hunter2'))
})

test('a server that is told to stop while it waits for its database ends at once', async () => {
  await using child = new Child('bin/spool.js', ['serve'], away)
  await child.says(/"code":"ECONNREFUSED".*the database is unreachable: waiting for it/)
  child.process.kill('SIGTERM')
  assert.deepEqual(await child.ended, { code: 0, signal: null })
  assert.equal((child.stdout + child.stderr).includes('hunter2'), false)
})

const noPostgres = skipWithout('postgres') ?? false

test('a server waits for its database, says so, and goes on by itself', { skip: noPostgres }, async () => {
  await using postgres = await startPostgres({ durable: true })
  await postgres.kill()
  const environment = { ...away, SPOOL_DATABASE_URL: postgres.url, SPOOL_SMTP_LISTEN: '127.0.0.1:0' }
  await using child = new Child('bin/spool.js', ['serve', '--json'], environment)
  const [, port] = await child.says(/"port":(\d+).*the database is unreachable: waiting for it/)
  const url = `http://127.0.0.1:${port}`
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  for (const path of ['/readyz', '/', '/api/v1/threads', '/mcp', '/app/api/session', '/metrics']) {
    const answer = await fetch(url + path)
    assert.equal(answer.status, 503, path)
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    const { code, message } = (await answer.json()) as { code: string; message: string }
    assert.equal(code, 'store_unavailable')
    assert.match(message, /unreachable since the start/)
  }
  await postgres.restart()
  await until('it is ready', async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    return answer?.status === 200
  })
  await child.says(/"smtp":"127\.0\.0\.1:\d+"/)
  assert.equal((await fetch(`${url}/api/v1/threads`)).status, 401)
  child.process.kill('SIGTERM')
  assert.equal((await child.ended).code, 0)
})

test('what waiting does not mend stops the start with a sentence', { skip: noPostgres }, async () => {
  const url = new URL(await sharedPostgres())
  url.pathname = '/there_is_none'
  url.password = 'hunter2'
  await using child = new Child('bin/spool.js', ['serve'], { ...away, SPOOL_DATABASE_URL: url.href })
  assert.equal((await child.ended).code, 1)
  assert.match(
    child.stderr,
    /^PostgreSQL at \S+\/there_is_none cannot be used \(database "there_is_none" does not exist\); check the user, .*\.\n$/,
  )
  assert.doesNotMatch(child.stderr, /hunter2/)

  // Somebody else's tables are no matter of the user and its password.
  await using database = await freshDatabase('postgres')
  const client = new Client(database.env['SPOOL_DATABASE_URL'])
  await client.connect()
  await client.query('CREATE TABLE settings (key TEXT)')
  await client.end()
  await assert.rejects(openSpool(readConfig(database.env), 'inline'), {
    message: /cannot be used \(relation "settings" already exists\)\.$/,
  })
})

test(
  'a database that goes away in the moment in which a server is ready ends no server',
  { skip: noPostgres },
  async () => {
    await using postgres = await startPostgres({ durable: true })
    const environment = { ...away, SPOOL_DATABASE_URL: postgres.url, SPOOL_DRAIN_SECONDS: '0' }
    await (await openSpool(readConfig(environment), 'inline'))[Symbol.asyncDispose]()
    // Whether there is an admin is the first thing that a ready server asks: here it gets no answer.
    const other = new Client({ connectionString: postgres.url })
    other.on('error', () => undefined)
    await other.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
    await using child = new Child('bin/spool.js', ['serve', '--json'], environment)
    await child.says(/Spool is ready/)
    await until('it asks', async () => {
      const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`
      return (await other.query(waiting)).rowCount! > 0
    })
    await postgres.kill()
    const [, url] = await child.says(/^\{"url":"([^"]+)"\}$/m)
    await postgres.restart()
    await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
    await until('it offers the link', async () => /no admin yet[^]*\/setup/.test(child.stderr))
    child.process.kill('SIGTERM')
    assert.equal((await child.ended).code, 0)
  },
)
