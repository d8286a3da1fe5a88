import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { describeLine } from '../../src/app/log.ts'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { runCommand, runCommands, startCommand } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

const password = 'hunter2-very-secret'
const file = join(scratchFolder('config'), 'a-file')
writeFileSync(file, '')

async function makeStore(env: Record<string, string>): Promise<void> {
  await (await openSpool(readConfig(env), 'inline'))[Symbol.asyncDispose]()
}

/** Values that stop the start; those with a password must not be repeated. */
const bad: [variable: string, value: string, besides?: Record<string, string>][] = [
  ['SPOOL_DATA', file],
  ['SPOOL_DATA', file, { SPOOL_SECRET: 'x'.repeat(32) }],
  ['SPOOL_DATA', join(file, 'below')],
  ['SPOOL_DATA', '/proc/spool/data'],
  ['SPOOL_HOST', 'two words'],
  ['SPOOL_HOST', '-'],
  ['SPOOL_HOST', '192.0.2.1'],
  ['SPOOL_PORT', 'http'],
  ['SPOOL_PORT', '65536'],
  ['SPOOL_PORT', '-1'],
  ['SPOOL_PORT', '80.5'],
  ['SPOOL_URL', 'spool.example.com'],
  ['SPOOL_URL', `ftp://user:${password}@spool.example.com`],
  ['SPOOL_URL', `https://spool:${password}@spool.example.com`],
  ['SPOOL_URL', 'https://spool@spool.example.com'],
  ['SPOOL_URL', 'https://spool.example.com/?'],
  ['SPOOL_URL', `https://spool.example.com/?key=${password}`],
  ['SPOOL_URL', 'https://spool.example.com/#inbox'],
  ['SPOOL_DATABASE_URL', `mysql://spool:${password}@127.0.0.1/spool`],
  ['SPOOL_DATABASE_URL', `spool:${password}@127.0.0.1/spool`],
  ['SPOOL_DATABASE_URL', `postgres://spool:${password}#1@127.0.0.1/spool`],
  ['SPOOL_DATABASE_URL', `postgres://spool:${password}%@127.0.0.1/spool`],
  ['SPOOL_REDIS_URL', `redis://:${password}#1@127.0.0.1`],
  ['SPOOL_REDIS_URL', `http://:${password}@127.0.0.1`],
  ['SPOOL_RATE_LIMIT', 'fast'],
  ['SPOOL_RATE_LIMIT', '0/60'],
  ['SPOOL_RATE_LIMIT', '300/0'],
  ['SPOOL_RATE_LIMIT', '300'],
  ['SPOOL_RATE_LIMIT_ANONYMOUS', '-1/60'],
  ['SPOOL_RATE_LIMIT_PERSON', 'many'],
  ['SPOOL_SECRET', password.slice(0, 12)],
  ['SPOOL_SECRET', '', { SPOOL_DATABASE_URL: `postgres://spool:${password}@127.0.0.1:1/spool` }],
  ['SPOOL_TRUST_PROXY', 'maybe'],
  ['SPOOL_MCP_HOSTS', 'spool:4100'],
  ['SPOOL_MCP_HOSTS', '*.internal'],
  ['SPOOL_MCP_HOSTS', 'spool,,inbox'],
  ['SPOOL_MCP_HOSTS', 'http://spool'],
  ['SPOOL_WEBHOOK_ALLOW', 'intranet'],
  ['SPOOL_FETCH_ALLOW', 'intranet'],
  ['SPOOL_WEBHOOK_ALLOW', '10.0.0.0/33'],
  ['SPOOL_FETCH_ALLOW', 'intranet'],
  ['SPOOL_FETCH_ALLOW', '10.0.0.0/33'],
  ['SPOOL_TRUST_PROXY', '10.0.0.0/33'],
  ['SPOOL_TRUST_PROXY', '::1/129'],
  ['SPOOL_TRUST_PROXY', '10.0.0.0/8/8'],
  ['SPOOL_TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
  ['SPOOL_MAX_MESSAGE', 'large'],
  ['SPOOL_MAX_MESSAGE', '10'],
  ['SPOOL_MAX_MESSAGE', '50TB'],
  ['SPOOL_SMTP_LISTEN', '25'],
  ['SPOOL_SMTP_LISTEN', '127.0.0.1:99999'],
  ['SPOOL_LMTP_LISTEN', 'host name:24'],
  ['SPOOL_TLS_CERT', '/nowhere/cert.pem'],
  ['SPOOL_TLS_KEY', import.meta.filename],
  ['SPOOL_NAME_SERVERS', 'dns.example'],
  ['SPOOL_EVENT_DAYS', '0'],
  ['SPOOL_EVENT_DAYS', 'month'],
  ['SPOOL_METRICS_TOKEN', password.slice(0, 12)],
  ['SPOOL_LOG_LEVEL', 'loud'],
  ['SPOOL_NOTICE_SMTP', `smtps://spool:100%-${password}@smtp.example`],
]

test('a bad value stops the start with a sentence that names the variable and repeats no password', async () => {
  const ran = await runCommands(
    bad.map(([variable, value, besides = {}]) => ({
      words: ['serve'],
      env: {
        SPOOL_DATA: scratchFolder('data'),
        SPOOL_PORT: '0',
        SPOOL_LOG_LEVEL: 'silent',
        ...besides,
        [variable]: value,
      },
    })),
  )
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    const [variable, value] = bad[index]!
    const what = `${variable}=${value}: ${stderr}`
    assert.deepEqual([code, stdout], [1, ''], what)
    assert.ok(stderr.includes(variable), what)
    assert.match(stderr, /^[^\n]{20,}[.)]\n$/, what)
    if (/secret(%|#1)@/.test(value)) assert.match(stderr, /in a password write # as %23/)
    assert.equal(stderr.includes(password.slice(0, 12)), false, what)
  }
})

test('a store out of reach and a port that is taken are said in a sentence, without the password', async () => {
  const env = { SPOOL_DATA: scratchFolder('data'), SPOOL_SECRET: 'x'.repeat(32), SPOOL_PORT: '0' }
  const url = `postgres://spool:${password}@127.0.0.1:1/spool`
  const [away, doctor, moved] = await runCommands([
    { words: ['inbox', 'list'], env: { ...env, SPOOL_DATABASE_URL: url } },
    { words: ['doctor', '--json'], env: { ...env, SPOOL_DATABASE_URL: url } },
    { words: ['move', '--to', url.replace('postgres', 'mysql')], env },
  ])
  assert.deepEqual([away!.code, away!.stdout], [1, ''])
  assert.match(away!.stderr, /cannot be reached.*ECONNREFUSED/)
  assert.equal((away!.stderr + doctor!.stdout + doctor!.stderr + moved!.stderr).includes(password), false)
  assert.equal(doctor!.code, 1)
  assert.equal(doctor!.json()['ok'], false)
  assert.match(doctor!.stdout, /cannot be reached[^"]*ECONNREFUSED/, 'as every other command says it')
  assert.equal(moved!.stderr, '--to must be an address that begins with postgres:// or postgresql://.\n')
})

test('a mistyped variable is told, by every command and by doctor, with the one that was meant', async () => {
  const env = { SPOOL_DATA: scratchFolder('data') }
  await makeStore(env)
  const list = ['inbox', 'list', '--json']
  const [typo, far, empty, own, doctor] = await runCommands([
    { words: list, env: { ...env, SPOOL_PRT: '4200' } },
    { words: list, env: { ...env, SPOOL_COLOUR: 'green' } },
    { words: list, env: { ...env, SPOOL_PRT: '' } },
    { words: list, env: { ...env, SPOOL_TOKEN: 'spool_pat_x', SPOOL_METRICS_TOKEN: 'x'.repeat(16) } },
    { words: ['doctor'], env: { ...env, SPOOL_DATABSE_URL: 'postgres://127.0.0.1/spool' } },
  ])
  assert.deepEqual([typo!.code, typo!.stdout], [0, '[]\n'])
  assert.equal(
    typo!.stderr,
    'SPOOL_PRT is no variable of Spool and has no effect; did you mean SPOOL_PORT?\n',
  )
  assert.match(far!.stderr, /^SPOOL_COLOUR is no variable of Spool.*docs\/running\.md lists them\.\n$/)
  assert.deepEqual([empty!.stderr, own!.stderr], ['', ''])
  assert.equal(doctor!.code, 0, doctor!.stdout)
  assert.match(
    doctor!.stdout,
    /^LOOK {2}configuration: SPOOL_DATABSE_URL .* did you mean SPOOL_DATABASE_URL\?$/m,
  )
})

test('doctor says once that SPOOL_DATA is a file', async () => {
  const [ran] = await runCommands([{ words: ['doctor'], env: { SPOOL_DATA: file } }])
  assert.equal(ran!.code, 1)
  assert.match(ran!.stdout, /^MEND {2}data folder: SPOOL_DATA must be a folder; .* is a file\.$/m)
  assert.doesNotMatch(ran!.stdout, /is writable/)
})

test('the public address is written so that headers can hold it', () => {
  assert.equal(
    readConfig({ SPOOL_URL: 'https://ящик.example/team/' }).url,
    'https://xn--h1ae7bxa.example/team',
  )
  assert.equal(readConfig({ SPOOL_URL: 'https://mail.example' }).url, 'https://mail.example')
  assert.equal(readConfig({ SPOOL_URL: 'HTTPS://Mail.example/' }).url, 'https://mail.example')
  // One that cannot be read is told how to write it, not how to write a password.
  assert.throws(() => readConfig({ SPOOL_URL: 'http://' }), /, such as https:\/\/spool\.example\.com\.$/)
})

test('an empty variable is one that is not set', async () => {
  const env = {
    SPOOL_DATA: scratchFolder('data'),
    SPOOL_PORT: '',
    SPOOL_RATE_LIMIT: ' ',
    SPOOL_DATABASE_URL: '',
  }
  await makeStore(env)
  const [ran] = await runCommands([{ words: ['inbox', 'list', '--json'], env }])
  assert.deepEqual([ran!.code, ran!.stdout], [0, '[]\n'])
})

test('an empty file is no secret', async () => {
  const env = { SPOOL_DATA: scratchFolder('data') }
  writeFileSync(join(env.SPOOL_DATA, 'secret'), '\n')
  const { code, stderr } = await runCommand(env, ['inbox', 'add', 'a@shop.example'])
  assert.equal(code, 1)
  assert.match(stderr, /^The file \S+\/secret is empty: put the secret back into it/)
})

for (const database of databases) {
  test(`${database}: a store opens only with the secret it was first used with`, async () => {
    await using fresh = await freshDatabase(database)
    await makeStore(fresh.env)
    const words = ['inbox', 'list', '--json']
    const other = { ...fresh.env, SPOOL_SECRET: 'another secret than the first' }
    const [first, second, again] = await runCommands([
      { words, env: fresh.env },
      { words, env: other },
      { words, env: fresh.env },
    ])
    assert.deepEqual([first!.code, second!.code, again!.code], [0, 1, 0])
    assert.match(second!.stderr, /SPOOL_SECRET/)
    assert.equal(second!.stderr.includes(other.SPOOL_SECRET), false)
  })

  test(`${database}: doctor says what is in order, and what to mend with exit code 1`, async () => {
    await using fresh = await freshDatabase(database)
    const secret = join(fresh.folder, 'secret')
    const { SPOOL_SECRET: _, ...open } = fresh.env
    const env = database === 'sqlite' ? open : fresh.env
    await makeStore(env)
    const [empty, , , healthy, words] = await runCommands([
      { words: ['doctor', '--json'], env },
      { words: ['inbox', 'add', 'support@shop.example'], env },
      { words: ['user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin'], env },
      { words: ['doctor', '--json'], env },
      { words: ['doctor'], env },
    ])
    type Report = { ok: boolean; checks: { check: string; ok: boolean; message: string }[] }
    const messages = (report: Report) => report.checks.map(({ message }) => message).join('\n')
    assert.deepEqual([empty!.code, empty!.json<Report>().ok], [0, true])
    assert.match(messages(empty!.json<Report>()), /no inbox yet: spool inbox add/)
    assert.match(messages(healthy!.json<Report>()), /1 inbox, 1 person/)
    assert.match(
      words!.stdout,
      /^LOOK {2}mail of support@shop\.example: no mail arrives automatically and answers cannot be sent until/m,
    )
    assert.match(words!.stdout, /^ok {4}configuration: .*\nok {4}data folder/)
    const troubles: [env: Record<string, string>, said: RegExp][] = [
      [{ ...env, SPOOL_REDIS_URL: 'redis://127.0.0.1:1' }, /Redis.*SPOOL_REDIS_URL/s],
      [{ ...env, SPOOL_PORT: 'x' }, /SPOOL_PORT/],
      [{ ...env, SPOOL_SECRET: 'another secret than the first' }, /SPOOL_SECRET/],
    ]
    if (database === 'sqlite') {
      assert.equal(statSync(secret).mode & 0o777, 0o600, 'made at the first start, for its owner only')
      assert.match(readFileSync(secret, 'utf8'), /^[0-9a-f]{64}\n$/)
    }
    if (database === 'sqlite') {
      chmodSync(secret, 0o644)
      troubles.push([env, /chmod 600/])
    }
    const ran = await runCommands(troubles.map(([env]) => ({ words: ['doctor'], env })))
    for (const [index, { code, stdout }] of ran.entries()) {
      assert.equal(code, 1, stdout)
      assert.match(stdout, /^MEND {2}/m)
      assert.match(stdout, troubles[index]![1])
    }
  })
}

test('settings may stand in a file, which the environment overrules', async () => {
  const folder = scratchFolder('settings')
  const [named, bare, broken] = ['named.env', 'spool.env', 'broken.env'].map((name) => join(folder, name))
  const stores = { file: scratchFolder('data'), environment: scratchFolder('data') }
  for (const path of Object.values(stores)) await makeStore({ SPOOL_DATA: path })
  await runCommands([
    { words: ['inbox', 'add', 'file@shop.example'], env: { SPOOL_DATA: stores.file } },
    { words: ['inbox', 'add', 'environment@shop.example'], env: { SPOOL_DATA: stores.environment } },
  ])
  writeFileSync(named!, `# Of the service.\nSPOOL_DATA="${stores.file}"\nexport SPOOL_PRT=4200\n\n`)
  writeFileSync(bare!, `SPOOL_DATA=${stores.file}\n`)
  writeFileSync(broken!, `SPOOL_PORT=4100\n${password}\n`)
  const words = ['inbox', 'list', '--json']
  const [read, overruled, missing, refused, agent] = await runCommands([
    { words, env: { SPOOL_CONFIG: named! } },
    { words, env: { SPOOL_CONFIG: named!, SPOOL_DATA: stores.environment } },
    { words, env: { SPOOL_CONFIG: join(folder, 'none.env') } },
    { words, env: { SPOOL_CONFIG: broken! } },
    { words: ['mcp'], env: { SPOOL_CONFIG: broken! } },
  ])
  assert.match(read!.stdout, /"file@shop\.example"/)
  assert.match(read!.stderr, /^SPOOL_PRT is no variable/, 'a slip in the file is told too')
  assert.match(overruled!.stdout, /"environment@shop\.example"/)
  assert.deepEqual([missing!.code, refused!.code], [1, 1])
  assert.match(
    missing!.stderr,
    /^The configuration file .*none\.env does not exist; SPOOL_CONFIG can name another\.\n$/,
  )
  assert.match(refused!.stderr, /^Line 2 of .*broken\.env is no setting: .*\n$/)
  assert.doesNotMatch(refused!.stderr, new RegExp(password))
  assert.match(agent!.stderr, /^SPOOL_TOKEN must be/, 'an agent reads no settings of the server')

  // A # within a value would cut it, and its rest may be that of a password.
  writeFileSync(broken!, `SPOOL_DATA=${stores.file} # the store\nSPOOL_SECRET=${password}#1\n`)
  writeFileSync(named!, `SPOOL_DATA=${stores.file}\nSPOOL_METRICS_TOKEN="${password}#1" # quoted\n#\n`)
  const [cut, whole] = await runCommands([
    { words, env: { SPOOL_CONFIG: broken! } },
    { words, env: { SPOOL_CONFIG: named! } },
  ])
  assert.match(
    cut!.stderr,
    /^Line 2 of .*broken\.env has a # in its value: put the value in quotes, or .*\n$/,
  )
  assert.doesNotMatch(cut!.stderr, new RegExp(password))
  assert.match(whole!.stdout, /"file@shop\.example"/, whole!.stderr)

  // Some editors begin a file with a mark that nobody sees.
  writeFileSync(named!, `\ufeffSPOOL_DATA=${stores.file}\n`)
  const marked = await runCommand({ SPOOL_CONFIG: named! }, words)
  assert.match(marked.stdout, /"file@shop\.example"/, marked.stderr)

  // From the folder that it is called in.
  using child = startCommand({}, words, undefined, folder)
  assert.match(await text(child.stdout), /"file@shop\.example"/)
})

test(
  'what is missing is told from what this user may not see',
  { skip: process.getuid?.() !== 0 },
  async () => {
    const closed = scratchFolder('closed')
    chmodSync(closed, 0o700)
    const secretive = scratchFolder('secretive')
    chmodSync(secretive, 0o755)
    writeFileSync(join(secretive, 'spool.env'), '', { mode: 0o600 })
    const inside = join(closed, 'inside')
    mkdirSync(inside, { mode: 0o755 })
    for (const [words, told, cwd] of [
      [['doctor'], /^MEND {2}data folder: .*data cannot be reached by this user \(EACCES\)/m, '/'],
      [
        ['inbox', 'add', 'a@b.example'],
        /^.*data cannot be created or opened by this user \(EACCES\); check its owner/m,
        '/',
      ],
      [['inbox', 'list'], /^The configuration file .*spool\.env cannot be read by this user/, secretive],
      // With sudo, the working folder is the home of somebody else, or in it.
      [['inbox', 'list'], /data\/spool\.db cannot be read or written by this user/, closed],
      [['inbox', 'list'], /data\/spool\.db cannot be read or written by this user/, inside],
    ] as const) {
      using child = startCommand({ SPOOL_DATA: join(closed, 'data') }, words, undefined, cwd, 65_534)
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      assert.match(stdout + stderr, told)
    }
    // The folder of another user's Spool.
    using child = startCommand(
      { SPOOL_DATA: closed },
      ['inbox', 'add', 'a@b.example'],
      undefined,
      '/',
      65_534,
    )
    assert.match(
      await text(child.stderr),
      /^\S*closed\S* cannot be created or opened by this user \(EACCES\)/,
    )
    // Linux keeps ports below 1024 for root.
    const theirs = scratchFolder('theirs')
    chownSync(theirs, 65_534, 65_534)
    const env = { SPOOL_DATA: theirs, SPOOL_PORT: '1', SPOOL_LOG_LEVEL: 'silent' }
    using low = startCommand(env, ['serve'], undefined, '/', 65_534)
    assert.match(
      await text(low.stderr),
      /^SPOOL_PORT names a port that this user may not bind, such as one below 1024/m,
    )
    // A command that was once run as root left the secret to root.
    const mixed = scratchFolder('mixed')
    await makeStore({ SPOOL_DATA: mixed })
    for (const name of ['', 'spool.db']) chownSync(join(mixed, name), 65_534, 65_534)
    using doctor = startCommand({ SPOOL_DATA: mixed }, ['doctor'], undefined, '/', 65_534)
    const [, , secret, store] = (await text(doctor.stdout)).split('\n')
    assert.match(
      secret!,
      /^MEND {2}secret: \S*secret cannot be read or written by this user; check its owner/,
    )
    assert.match(store!, /^MEND {2}store: \S*secret cannot be read or written by this user; check its owner/)
  },
)

test('user add says what still keeps the person from working', async () => {
  const env = { SPOOL_DATA: scratchFolder('data') }
  const [member, admin] = await runCommands([
    { words: ['user', 'add', 'pia@shop.example', '--name', 'Pia'], env },
    { words: ['user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin'], env },
  ])
  assert.match(
    member!.stdout,
    /^Added Pia .*\nThey cannot sign in yet: spool user set pia@shop\.example --password-stdin\nThey see no inbox yet: .*--inbox ADDRESS\n$/,
  )
  assert.match(admin!.stdout, /^Added Ada .*\nThey cannot sign in yet: .*\n$/)
})

test('on a terminal a line of the log is for people, and holds nothing that a terminal obeys', () => {
  const line = JSON.stringify({
    level: 30,
    time: 0,
    pid: 1,
    hostname: 'x',
    status: 200,
    from: 'a b',
    msg: 'ok\u001b[2J',
  })
  assert.match(describeLine(line), /^\d\d:\d\d:\d\d info {2}ok \[2J status=200 from="a b"\n$/)
})

test('sslmode=require of PostgreSQL is what pg makes of it, without its warning', () => {
  const read = (query: string): string | null =>
    readConfig({ SPOOL_DATABASE_URL: `postgres://db.example/spool?${query}` }).databaseUrl!.split('?')[1]!
  assert.equal(read('sslmode=require&connect_timeout=9'), 'sslmode=verify-full&connect_timeout=9')
  for (const query of ['sslmode=no-verify', 'uselibpqcompat=true&sslmode=require'])
    assert.equal(read(query), query)
})
