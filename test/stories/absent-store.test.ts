import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { Child } from '../support/child.ts'
import { runCommands } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'

for (const database of databases) {
  /** In a folder that is not there either. */
  const nowhere = async () => {
    const fresh = await freshDatabase(database)
    const { SPOOL_SECRET: _, ...withoutSecret } = fresh.env
    const folder = join(fresh.folder, 'new')
    const env: Record<string, string> = {
      ...(database === 'sqlite' ? withoutSecret : fresh.env),
      SPOOL_DATA: folder,
    }
    return { fresh, folder, env }
  }

  test(`${database}: a command on a store that does not exist says so and makes none`, async () => {
    const { fresh, folder, env } = await nowhere()
    await using _ = fresh
    const by = ['--by', 'ada@shop.example']
    const refused = [
      ['inbox', 'list', '--json'],
      ['inbox', 'set', 'a@shop.example', '--name', 'A'],
      ['inbox', 'remove', 'a@shop.example'],
      ['user', 'list'],
      ['user', 'set', 'ada@shop.example', '--name', 'A'],
      ['user', 'remove', 'ada@shop.example'],
      ['token', 'create', '--user', 'ada@shop.example', '--name', 'A', '--scope', 'threads:read'],
      ['token', 'list'],
      ['token', 'revoke', 'tok_1'],
      ['thread', 'status', 'thr_1', 'open', ...by],
      ['note', 'add', 'thr_1', 'Text', ...by],
      ['webhook', 'list'],
      ['backup', join(fresh.folder, 'copy.db')],
    ]
    const ran = await runCommands([...refused, ['doctor']].map((words) => ({ words, env })))
    const said =
      database === 'sqlite' ? `in ${folder}; check SPOOL_DATA` : 'in the database of SPOOL_DATABASE_URL'
    for (const [index, words] of refused.entries()) {
      const { code, stdout, stderr } = ran[index]!
      assert.deepEqual([code, stdout], [1, ''], words.join(' '))
      assert.match(stderr, /^[^\n]+\.\n$/, 'one sentence')
      assert.ok(stderr.startsWith(`There is no store ${said}`), stderr)
    }
    const doctor = ran.at(-1)!
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /^MEND {2}store: There is no store in /m)
    assert.deepEqual(readdirSync(fresh.folder), [], 'neither folder nor secret')
    if (database === 'postgres') {
      const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
      await client.connect()
      const { rows } = await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)
      await client.end()
      assert.deepEqual(rows, [], 'no table')
    }
  })

  test(`${database}: what begins a store makes it, and says so beside its one JSON value`, async () => {
    const makers: [words: string[], code: number][] = [
      [['inbox', 'add', 'a@shop.example', '--json'], 0],
      [['user', 'add', 'ada@shop.example', '--name', 'Ada', '--json'], 0],
      [['import', '.', '--inbox', 'a@shop.example', '--json'], 1],
    ]
    for (const [words, code] of makers) {
      const { fresh, folder, env } = await nowhere()
      await using _ = fresh
      const [made, again] = await runCommands([words, words].map((words) => ({ words, env })))
      const place = database === 'sqlite' ? folder : 'the database of SPOOL_DATABASE_URL'
      assert.equal(made!.code, code, made!.stderr)
      assert.ok(made!.stderr.startsWith(`Made a new store in ${place}.\n`), made!.stderr)
      if (code === 0) assert.equal(typeof made!.json()['id'], 'string')
      assert.doesNotMatch(again!.stderr, /Made a new store/)
    }
    const { fresh, env } = await nowhere()
    await using _ = fresh
    await using server = new Child('bin/spool.js', ['serve', '--json'], {
      ...env,
      SPOOL_PORT: '0',
      SPOOL_LOG_LEVEL: 'silent',
    })
    await server.says(/"url"/)
    server.process.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    assert.match(server.stderr, /^Made a new store in .*\.\n$/)
    assert.equal(typeof JSON.parse(server.stdout), 'object')
  })
}
