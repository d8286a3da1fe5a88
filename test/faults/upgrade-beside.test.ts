import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../support/child.ts'
import { runCommand, type Ran } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { commands, listMigrations, tomorrow } from '../support/store-version.ts'
import { home } from '../support/home.ts'
import { until } from '../support/until.ts'
import { openWeb, password } from '../support/web-client.ts'

/** The last commit at which commands of a newer version migrated the store. */
const before = '0f768cc1'

function isKnown(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: home, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const skip =
  process.env['SPOOL_TEST_LONG'] !== '1'
    ? 'only in the long run'
    : isKnown(before)
      ? false
      : 'the history of the repository is not here'

/** Each as the path of its bin/spool.js. */
function checkOut(commit: string): string {
  const folder = scratchFolder('before')
  const archive = execFileSync('git', ['archive', commit], { cwd: home, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return install(folder)
}

function makeTomorrow(): string {
  const folder = scratchFolder('tomorrow')
  for (const part of ['src', 'bin', 'package.json'])
    cpSync(join(home, part), join(folder, part), { recursive: true })
  const statements = ['threads', 'messages', 'users', 'versions'].map(
    (name) => `ALTER TABLE ${name} ADD COLUMN of_tomorrow TEXT`,
  )
  appendFileSync(
    join(folder, 'src/store/migrations.ts'),
    `migrations.push({ name: '${tomorrow}', statements: () => ${JSON.stringify(statements)} })\n`,
  )
  return install(folder)
}

function install(folder: string): string {
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/spool.js')
}

function assertDone(ran: Ran): Ran {
  assert.equal(ran.code, 0, ran.stderr)
  return ran
}

/** A server on a new store, and programs and mail that keep it busy. */
async function startBusy(script: string, env: Record<string, string>) {
  const run = async (...words: string[]): Promise<Ran> =>
    assertDone(await runCommand(env, words, password, script))
  await run('inbox', 'add', 'support@shop.example')
  await run('user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin', '--password-stdin')
  const scopes = ['--scope', 'threads:read']
  const { token } = (
    await run('token', 'create', '--user', 'ada@shop.example', '--name', 'A', ...scopes, '--json')
  ).json<{ token: string }>()
  const server = new Child(script, ['serve'], {
    ...env,
    SPOOL_PORT: '0',
    SPOOL_SMTP_LISTEN: '127.0.0.1:0',
    SPOOL_NAME_SERVERS: '127.0.0.1:9',
    SPOOL_RATE_LIMIT: '1000000/60',
  })
  const [, url, smtp] = await server.says(/"url":"([^"]+)","smtp":"[^"]*:(\d+)"/)
  const answers = new Map<string, number>()
  const count = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1)
  const stop = new AbortController()
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    count(`read ${response.status}`)
    return response.text()
  }
  const page = await openWeb(url!, 'ada@shop.example', password)
  const change = async (id: string): Promise<void> => {
    const { status } = await page.ask('POST', `/threads/${id}/notes`, { text: 'Busy' })
    count(`write ${status}`)
  }
  const deliver = async (): Promise<void> => {
    using client = await SmtpClient.connect(Number(smtp))
    await client.hello()
    const replies = await client.deliver(writeMail({ subject: 'Busy' }), ['support@shop.example'])
    count(`mail ${replies.at(-1)!.slice(0, 3)}`)
  }
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stop.signal.aborted) {
      await work()
      await sleep(5)
    }
  }
  await deliver()
  const { data } = JSON.parse(await ask('/threads')) as { data: { id: string }[] }
  const { id } = data[0]!
  const busy = [
    repeat(() => ask('/threads?limit=20')),
    repeat(() => ask(`/threads/${id}`)),
    repeat(() => change(id)),
    repeat(deliver),
  ]
  return {
    url: url!,
    server,
    answers,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(busy)
      server.process.kill('SIGTERM')
      await server.ended
    },
  }
}

for (const kind of databases) {
  test(
    `${kind}: a server of the version before is not disturbed by any command of a newer one`,
    { skip },
    async (t) => {
      const [old, newer] = [checkOut(before), makeTomorrow()]
      await using store = await freshDatabase(kind)
      const { env } = store
      const backup = join(scratchFolder('backup'), 'copy.db')
      let had: string[]
      {
        await using busy = await startBusy(old, env)
        had = await listMigrations(store)
        for (const words of commands) {
          const ran = await runCommand(env, words, '', newer)
          assert.deepEqual([ran.code, ran.stdout], [1, ''], words.join(' '))
          assert.match(ran.stderr, /^This store was made by an earlier version of Spool\./)
        }
        for (const words of [
          ['doctor', '--deep'],
          ['backup', backup],
        ])
          assertDone(await runCommand(env, words, '', newer))
        await busy[Symbol.asyncDispose]()
        t.diagnostic(JSON.stringify([...busy.answers]))
        const kinds = [...busy.answers.keys()].toSorted()
        assert.deepEqual(kinds, ['mail 250', 'read 200', 'write 200'])
      }
      assert.deepEqual(await listMigrations(store), had)
      // The way back is open.
      assertDone(await runCommand(env, ['inbox', 'list'], '', old))
      for (const script of [old, newer]) {
        await using target = await freshDatabase(kind)
        const restored = { ...target.env, SPOOL_SECRET: env['SPOOL_SECRET']! }
        assertDone(await runCommand(restored, ['restore', backup], '', script))
        assertDone(await runCommand(restored, ['inbox', 'list'], '', script))
      }
      await using server = new Child(newer, ['serve'], { ...env, SPOOL_PORT: '0' })
      await server.says(/"url":/)
      assert.match(server.stdout, /"migration":"9999-of-tomorrow".*"msg":"migrated the store"/)
      assert.ok((await listMigrations(store)).includes(tomorrow))
    },
  )

  test(
    `${kind}: a server whose store a newer one migrates under load answers no request with 500`,
    { skip },
    async (t) => {
      const newer = makeTomorrow()
      await using store = await freshDatabase(kind)
      await using busy = await startBusy(join(home, 'bin/spool.js'), store.env)
      await using server = new Child(newer, ['serve'], { ...store.env, SPOOL_PORT: '0' })
      await server.says(/"url":/)
      await until(
        'writes are refused',
        async () => busy.answers.has('write 503') && busy.answers.has('mail 451'),
      )
      assert.equal((await fetch(`${busy.url}/readyz`)).status, 503)
      const reads = busy.answers.get('read 200')!
      await until('reads go on', async () => busy.answers.get('read 200')! > reads + 100)
      await busy[Symbol.asyncDispose]()
      t.diagnostic(JSON.stringify([...busy.answers]))
      const kinds = [...busy.answers.keys()].toSorted()
      assert.deepEqual(kinds, ['mail 250', 'mail 451', 'read 200', 'write 200', 'write 503'])
      assert.doesNotMatch(server.stdout, /"level":(50|60)/)
    },
  )
}
