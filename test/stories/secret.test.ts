import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { listInboxSettings } from '../../src/core/inboxes/settings.ts'
import { rotateStore } from '../../src/core/keeping/secret.ts'
import { setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { deriveKeys } from '../../src/core/spool.ts'
import { rotateSecret } from '../../src/core/webhooks/webhooks.ts'
import { system } from '../../src/model/access.ts'
import { textQuery } from '../../src/store/statement.ts'
import { runCommand, runCommands, type Ran } from '../support/command.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { startNode } from '../support/nodes.ts'
import {
  grantedAddress,
  makeSealedStore,
  plainAddress,
  readStoredSecrets,
  type SealedStore,
} from '../support/sealed-store.ts'
import { home } from '../support/home.ts'

interface World extends SealedStore {
  database: FreshDatabase
  /** On SQLite the secret is in its file, on PostgreSQL in the environment, as usual. */
  inFile: boolean
  first: string
  run(...words: string[]): Promise<Ran>
  store(environment?: Record<string, string>): ReturnType<typeof openSpool>
}

async function begin(database: FreshDatabase): Promise<World> {
  const made = await makeSealedStore(database)
  const { SPOOL_SECRET: first, ...rest } = made.environment
  const inFile = database.kind === 'sqlite'
  if (inFile) writeFileSync(join(database.folder, 'secret'), `${first}\n`, { mode: 0o600 })
  const environment = inFile ? rest : made.environment
  return {
    ...made,
    environment,
    database,
    inFile,
    first: first!,
    run: (...words) => runCommands([{ words, env: environment }]).then(([ran]) => ran!),
    store: (env = environment) => openSpool(readConfig(env), 'inline', { absent: 'refuse' }),
  }
}

/** What a program and a page have: they must go on. */
async function checkAccess(world: World, environment: Record<string, string>): Promise<void> {
  await using node = await startNode({ ...world.database, env: environment })
  assert.equal(await node.ask('/api/v1/threads', world.token), 200)
  const cookie = `spool_session_${new URL(node.app.url).port}=${world.session}`
  const me = await fetch(`${node.app.url}/app/api/session`, { headers: { cookie } })
  assert.equal(me.status, 200)
}

for (const kind of databases) {
  test(`${kind}: a new secret: everything is encrypted again, and nobody has to enter or sign in again`, async () => {
    await using database = await freshDatabase(kind)
    const world = await begin(database)
    const { environment, inFile, first, run } = world
    const readAll = async (env: Record<string, string>): Promise<Map<string, string>> => {
      await using spool = await world.store(env)
      return await readStoredSecrets(spool)
    }
    const before = await readAll(environment)
    const next = randomBytes(32).toString('hex')

    const asked = await run('secret', 'rotate', ...(inFile ? [] : ['--secret-stdin']))
    assert.equal(asked.code, 1)
    if (inFile) {
      assert.match(asked.stderr, /These end: cursors .* browsers that have signed in/s)
      assert.match(asked.stderr, /Add --yes to do this without a question/)
    } else {
      const bare = await run('secret', 'rotate', '--yes')
      assert.match(bare.stderr, /write the new secret to standard input and add --secret-stdin/)
    }
    {
      await using _node = await startNode({ ...database, env: environment })
      const words = ['secret', 'rotate', '--yes', ...(inFile ? [] : ['--secret-stdin'])]
      const refused = await runCommand(environment, words, next)
      assert.match(refused.stderr, /^Stop the servers? first: /m)
    }
    assert.deepEqual(await readAll(environment), before, 'until now nothing has changed')

    const ran = await runCommand(environment, ['secret', 'rotate', '--secret-stdin', '--yes', '--json'], next)
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(ran.json()['lost'], [])
    for (const secret of [first, next]) assert.ok(!(ran.stdout + ran.stderr).includes(secret))
    const later = inFile ? environment : { ...environment, SPOOL_SECRET: next }
    await world.checkWhole(later)
    const after = await readAll(later)
    const changed = [...before].filter(([name]) => !name.startsWith('settings') || /oauth|check/.test(name))
    assert.ok(changed.length >= 7, [...before.keys()].join())
    for (const [name, value] of changed) assert.notEqual(after.get(name), value, name)
    await checkAccess(world, later)
    {
      await using spool = await world.store(later)
      assert.deepEqual(await spool.db.all(textQuery('SELECT id FROM push_browsers')), [])
    }
    const old = await runCommand({ ...environment, SPOOL_SECRET: first }, ['user', 'list'])
    assert.match(
      old.stderr,
      /SPOOL_SECRET is not the secret of this store, or no longer since a "spool secret rotate"/,
    )
    const short = await runCommand(later, ['secret', 'rotate', '--secret-stdin', '--yes'], 'short')
    assert.match(short.stderr, /^The new secret must have at least 16 characters/m)
  })

  test(`${kind}: the secret is lost: the store opens without it, and says what has to be entered again`, async () => {
    await using database = await freshDatabase(kind)
    const world = await begin(database)
    const { inFile, webhook } = world
    const { run } = world
    const there = await run('secret', 'forget', '--yes')
    assert.match(there.stderr, /The secret is there and opens the store, so nothing is lost/)
    const next = {
      ...world.environment,
      ...(inFile ? {} : { SPOOL_SECRET: randomBytes(32).toString('hex') }),
    }
    if (inFile) rmSync(join(database.folder, 'secret'))
    const doctor = async (): Promise<string[]> => {
      const { stdout } = await runCommand(next, ['doctor'])
      return stdout.split('\n').filter((line) => line.startsWith('MEND'))
    }
    const missing = (await doctor()).join('\n')
    assert.match(missing, /If it is lost, "spool secret forget" opens the store without it/)
    if (inFile) assert.match(missing, /^MEND {2}secret: There is a store in .* but not its secret/m)

    const asked = await runCommand(next, ['secret', 'forget'])
    assert.match(asked.stderr, /have to be entered again.*cannot be undone.*Add --yes/s)
    const ran = await runCommand(next, ['secret', 'forget', '--yes', '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(ran.json()['lost'], [
      { kind: 'imap', of: plainAddress },
      { kind: 'smtp', of: plainAddress },
      { kind: 'sign-in', of: grantedAddress },
      { kind: 'webhook', of: webhook.id },
    ])
    await checkAccess(world, next)

    const mend = (await doctor()).join('\n')
    for (const line of [
      /^MEND {2}IMAP of support@.*was lost with the secret.*enter the password/m,
      /^MEND {2}SMTP of support@.*was lost with the secret/m,
      /^MEND {2}IMAP of sales@.*sign in again/m,
      new RegExp(`^MEND {2}webhook ${webhook.id}: its secret was lost; make a new one`, 'm'),
    ])
      assert.match(mend, line)
    await using spool = await world.store(next)
    const shown = async () =>
      (await listInboxSettings(spool)).map(({ address, passwordsLost, signIn }) => [
        address,
        passwordsLost,
        signIn?.failure ?? null,
      ])
    assert.deepEqual(await shown(), [
      [plainAddress, ['imap', 'smtp'], null],
      [grantedAddress, [], 'The sign-in was lost with the secret of this store; sign in again.'],
    ])
    const list = await runCommand(next, ['webhook', 'list'])
    assert.match(list.stdout, /disabled at .*: its secret was lost; make a new one/)

    // Each is entered again.
    const enabled = await runCommand(next, ['webhook', 'enable', webhook.id])
    assert.match(enabled.stderr, /make a new one and give it to the receiver/)
    assert.match((await rotateSecret(spool, system, webhook.id)).secret, /^whsec_/)
    assert.equal((await runCommand(next, ['webhook', 'enable', webhook.id])).code, 0)
    const [inbox] = await listInboxSettings(spool)
    const { number } = (await spool.db.first(
      textQuery<{ number: number }>('SELECT number FROM inboxes WHERE id = ?', [inbox!.id]),
    ))!
    const at = { host: '127.0.0.1', port: 9, security: 'none', options: {}, user: 'pia' } as const
    for (const kind of ['imap', 'smtp'] as const)
      await setMailServer(spool, { ...inbox!, number }, { kind, ...at, password: 'again' })
    assert.deepEqual((await shown())[0], [plainAddress, [], null])
    assert.doesNotMatch((await doctor()).join('\n'), /lost.*webhook|webhook.*lost|IMAP of support.*lost/)
  })

  test(`${kind}: a process that was started with the secret before writes nothing with it`, async () => {
    await using database = await freshDatabase(kind)
    const world = await begin(database)
    await using old = await world.store()
    const next = deriveKeys(randomBytes(32).toString('hex'))
    {
      await using other = await world.store()
      await rotateStore(other.db, other.keys, { next, now: Date.now(), beforeCommit() {} })
      const again = rotateStore(other.db, other.keys, { next, now: Date.now(), beforeCommit() {} })
      await assert.rejects(again, /was changed meanwhile; nothing was done/)
    }
    const { id } = world.webhook
    await assert.rejects(
      rotateSecret({ ...old, keys: old.keys }, system, id),
      /cannot be decrypted|secret of this store was changed/,
    )
    const server = { kind: 'imap', host: 'x', port: 9, security: 'tls', user: 'x', options: {} } as const
    const [inbox] = await listInboxSettings(old)
    await assert.rejects(
      setMailServer(old, { ...inbox!, number: 1 }, { ...server, password: 'x' }),
      /The secret of this store was changed while this ran: stop it/,
    )
  })
}

test('a server whose store has got another secret says so and asks for no more requests', async () => {
  await using database = await freshDatabase('sqlite')
  const world = await begin(database)
  await using node = await startNode({ ...database, env: world.environment })
  assert.equal(await node.ask('/readyz', ''), 200)
  await using other = await world.store()
  const next = deriveKeys(randomBytes(32).toString('hex'))
  await rotateStore(other.db, other.keys, { next, now: Date.now(), beforeCommit() {} })
  const answer = await fetch(`${node.app.url}/readyz`)
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /The secret of this store was changed while this ran/)
})

test('whatever is encrypted with the secret is encrypted again with a new one', () => {
  const read = (path: string): string => readFileSync(join(home, path), 'utf8')
  const change = read('src/core/keeping/secret.ts')
  const sealing = globSync('src/**/*.ts', { cwd: home }).filter(
    (path) =>
      /\b(?:sealSecret|encryptSecret)\(/.test(read(path)) &&
      !/access\/secrets\.ts|keeping\/secret\.ts/.test(path),
  )
  assert.ok(sealing.length >= 5)
  for (const path of sealing) {
    const again = /export async function (reseal\w+)/.exec(read(path))?.[1]
    // Sign-ins under way end instead.
    const ends = path.endsWith('inboxes/sign-in.ts') && change.includes("deleteLinks(db, 'mailbox', null)")
    assert.ok(ends || (again && change.includes(`await ${again}(db, reseal`)), path)
  }
})
