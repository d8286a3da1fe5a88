import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { textQuery } from '../../src/store/statement.ts'
import { runCommand, runCommands, startCommand, type Ran } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { shareSpool } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { writeMbox } from '../support/mbox-writer.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

const commands = [
  ['serve'],
  ['demo'],
  ['inbox', 'add'],
  ['inbox', 'list'],
  ['inbox', 'set'],
  ['inbox', 'remove'],
  ['user', 'add'],
  ['user', 'list'],
  ['user', 'set'],
  ['user', 'remove'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'revoke'],
  ['import'],
  ['thread', 'assign'],
  ['thread', 'status'],
  ['thread', 'join'],
  ['note', 'add'],
  ['backup'],
  ['doctor'],
]

function assertOneSentence({ code, stdout, stderr }: Ran, expected: number, about: string): void {
  assert.equal(code, expected, `${about}: ${stdout}${stderr}`)
  assert.equal(stdout, '', about)
  if (expected === 1) assert.match(stderr, /^[^\n]{10,}[.)]\n$/, about)
}

for (const database of databases) {
  const shared = shareSpool(database)
  const run = async (...lines: string[][]): Promise<Ran[]> => {
    const { env } = (await shared()).database
    return runCommands(lines.map((words) => ({ words, env })))
  }

  test(`${database}: commands work beside a running server, and --json is one value on standard output`, async () => {
    const spool = await shared()
    const folder = scratchFolder('mail')
    mkdirSync(join(folder, 'eml'))
    const letters = [
      { messageId: '<c1@cli.example>', subject: 'From the command line' },
      { messageId: '<c2@cli.example>', inReplyTo: '<c1@cli.example>', from: 'help@cli.example' },
      { messageId: '<c3@cli.example>', subject: 'Another' },
    ]
    for (const [index, letter] of letters.entries())
      writeFileSync(join(folder, 'eml', `${index}.eml`), writeMail(letter))
    writeFileSync(join(folder, 'eml', 'cut.eml'), '')
    const inbox = ['--inbox', 'help@cli.example']
    const setup = await run(
      ['inbox', 'add', 'Help@CLI.example', '--name', 'Helpdesk', '--json'],
      ['inbox', 'set', 'help@cli.example', '--name', 'Help', '--json'],
      ['inbox', 'add', 'gone@cli.example', '--json'],
      ['inbox', 'remove', 'gone@cli.example', '--json'],
      ['inbox', 'list', '--json'],
      ['user', 'add', 'cara@cli.example', '--name', 'Cara', ...inbox, '--json'],
      ['user', 'add', 'vic@cli.example', '--name', 'Vic', '--role', 'viewer', ...inbox, '--json'],
      ['user', 'set', 'cara@cli.example', '--name', 'Cara Lund', '--json'],
      ['user', 'list', '--json'],
      [
        'token',
        'create',
        '--user',
        'cara@cli.example',
        '--name',
        'Robot',
        '--scope',
        'threads:read',
        'notes:read',
        ...inbox,
        '--json',
      ],
      [
        'token',
        'create',
        '--user',
        'ada@shop.example',
        '--name',
        'Ever',
        '--scope',
        'events:read',
        '--expires',
        'never',
        '--json',
      ],
      ['token', 'list', '--user', 'cara@cli.example', '--json'],
      ['import', join(folder, 'eml'), ...inbox, '--json'],
      ['import', join(folder, 'eml'), ...inbox, '--json'],
    )
    // An import that takes long on a busy machine shows its progress.
    for (const { code, stderr, stdout } of setup)
      assert.deepEqual(
        [code, stderr.replaceAll(/^(\d+ messages, .*|cut\.eml is empty.*)\n/gm, '')],
        [0, ''],
        stdout,
      )
    const [added, renamed, , , inboxes, cara, vic, changed, people, robot, ever, tokens, imported, again] =
      setup.map((ran) => ran.json<never>() as Record<string, unknown>)
    assert.deepEqual(added, {
      id: added!['id'],
      address: 'help@cli.example',
      aliases: [],
      name: 'Helpdesk',
    })
    assert.equal(renamed!['name'], 'Help')
    assert.ok(
      (inboxes as unknown as { address: string }[]).some(({ address }) => address === 'help@cli.example'),
    )
    assert.equal(JSON.stringify(inboxes).includes('gone@cli.example'), false)
    assert.deepEqual([cara!['role'], vic!['role'], changed!['name']], ['member', 'viewer', 'Cara Lund'])
    const listed = (people as unknown as { email: string; inboxes: string[] }[]).find(
      ({ email }) => email === 'cara@cli.example',
    )
    assert.deepEqual(listed!.inboxes, ['help@cli.example'])
    const token = robot!['token'] as string
    assert.ok(Math.abs(Date.parse(robot!['expiresAt'] as string) - Date.now() - 90 * 86_400_000) < 600_000)
    assert.deepEqual(
      [robot!['scopes'], robot!['inboxes'], ever!['expiresAt']],
      [['threads:read', 'notes:read'], ['help@cli.example'], null],
    )
    assert.equal(JSON.stringify(tokens).includes(token.slice(10)), false, 'shown once')
    const { messages, threads, duplicates, failed } = imported as unknown as Record<string, number>
    assert.deepEqual(
      { messages, threads, duplicates, failed },
      { messages: 3, threads: 2, duplicates: 0, failed: 1 },
    )
    assert.deepEqual([again!['messages'], again!['threads'], again!['duplicates']], [0, 0, 3])

    const found = await spool.threads('', { token })
    assert.equal(found.length, 2)
    const first = found.find(({ subject }) => subject === 'From the command line')!
    const second = found.find(({ subject }) => subject === 'Another')!
    const { history } = await spool.thread(first.id, { token })
    assert.deepEqual(
      (history as MessageEntry[]).map(({ direction }) => direction).sort(),
      ['inbound', 'outbound'],
      'mail from an inbox’s own address is ours',
    )
    const by = ['--by', 'cara@cli.example', '--json']
    const until = new Date(Date.now() + 1e7).toISOString()
    const work = await run(
      ['note', 'add', first.id, 'Look at @Vic', ...by],
      ['thread', 'assign', first.id, '--to', 'cara@cli.example', ...by],
      ['thread', 'status', first.id, 'snoozed', '--until', until, ...by],
      ['thread', 'status', second.id, 'closed', ...by],
      ['thread', 'join', second.id, first.id, ...by],
      ['thread', 'assign', second.id, '--to', 'none', ...by],
      ['token', 'revoke', robot!['id'] as string, '--json'],
      ['user', 'remove', 'vic@cli.example', '--json'],
    )
    for (const { code, stderr, stdout } of work) assert.deepEqual([code, stderr], [0, ''], stdout)
    assert.equal((await spool.get('/api/v1/me', { token })).status, 401)
    const thread = await spool.thread(first.id)
    assert.equal(work[4]!.json()['id'], thread.id)
    assert.deepEqual([thread.noteCount, thread.assignment, thread.messageCount], [1, null, 3])
    const told = new Set<string>(
      thread.history.map((entry) => (entry.type === 'status_changed' ? entry.to : entry.type)),
    )
    for (const entry of ['assigned', 'snoozed', 'closed', 'merged', 'unassigned'])
      assert.ok(told.has(entry), entry)
  })

  test(`${database}: a failure is exit code 1 with one sentence on standard error, wrong usage is 2`, async () => {
    const by = ['--by', 'ada@shop.example']
    const letters = Array.from({ length: 300 }, (_, number) => ({
      raw: writeMail({ subject: `Cut ${number}` }),
    }))
    const whole = gzipSync(writeMbox(letters, 'mboxrd'))
    const damaged = join(scratchFolder('damaged'), 'damaged.mbox.gz')
    writeFileSync(damaged, whole.subarray(0, whole.length / 2))
    const failures = [
      ['inbox', 'add', 'not an address'],
      ['inbox', 'add', 'support@shop.example'],
      ['inbox', 'remove', 'nobody@nowhere.example'],
      ['user', 'add', 'ada@shop.example', '--name', 'Ada'],
      ['user', 'add', 'x@shop.example', '--name', 'X', '--inbox', 'nobody@nowhere.example'],
      ['user', 'set', 'nobody@nowhere.example', '--role', 'viewer'],
      ['user', 'set', 'ada@shop.example', '--role', 'member'],
      ['user', 'remove', 'ada@shop.example'],
      ['token', 'create', '--user', 'nobody@nowhere.example', '--name', 'X', '--scope', 'threads:read'],
      [
        'token',
        'create',
        '--user',
        'ada@shop.example',
        '--name',
        'X',
        '--scope',
        'threads:read',
        '--expires',
        '366d',
      ],
      [
        'token',
        'create',
        '--user',
        'max@cli.example',
        '--name',
        'Ever',
        '--scope',
        'threads:read',
        '--expires',
        'never',
      ],
      ['token', 'revoke', 'tok_0'],
      ['thread', 'assign', 'thr_0', '--to', 'none', ...by],
      ['thread', 'assign', 'thr_0', '--to', 'nobody@nowhere.example', ...by],
      ['thread', 'status', 'thr_0', 'snoozed', ...by],
      ['thread', 'join', 'thr_0', 'thr_1', ...by],
      ['note', 'add', 'thr_0', 'Text', ...by],
      ['note', 'add', 'thr_0', 'Text', '--by', 'nobody@nowhere.example'],
      ['import', '/nowhere/at/all.mbox', '--inbox', 'support@shop.example'],
      ['import', '.', '--inbox', 'nobody@nowhere.example'],
      ['import', damaged, '--inbox', 'support@shop.example'],
      ['backup', '/nowhere/at/all.db'],
    ]
    const usage = [
      [],
      ['explode'],
      ['inbox'],
      ['inbox', 'add'],
      ['inbox', 'add', 'a@b.example', 'extra'],
      ['inbox', 'list', '--colour'],
      ['user', 'add', 'x@shop.example'],
      ['user', 'add', 'x@shop.example', '--name', 'X', '--role', 'boss'],
      ['user', 'add', 'x@shop.example', '--name', 'X', '--password', 'never in an argument'],
      ['token', 'create', '--user', 'ada@shop.example', '--name', 'X'],
      ['token', 'create', '--user', 'ada@shop.example', '--name', 'X', '--scope', 'threads:write'],
      [
        'token',
        'create',
        '--user',
        'ada@shop.example',
        '--name',
        'X',
        '--scope',
        'threads:read',
        '--expires',
        'soon',
      ],
      ['thread', 'status', 'thr_0', 'opened', ...by],
      ['thread', 'status', 'thr_0', 'snoozed', '--until', 'tomorrow', ...by],
      ['thread', 'status', 'thr_0', 'closed'],
      ['import', '.', '--inbox', 'support@shop.example', '--format', 'pst'],
      ['import', '.'],
      ['note', 'add', 'thr_0', ...by],
      ['backup'],
    ]
    await (await shared()).makeUser('max@cli.example')
    const ran = await run(...failures, ...usage)
    for (const [index, words] of failures.entries()) assertOneSentence(ran[index]!, 1, words.join(' '))
    const { stderr: noFolder } = ran[failures.length - 1]!
    assert.equal(noFolder, 'There is no file or folder /nowhere/at; check the path.\n')
    for (const [index, words] of usage.entries())
      assertOneSentence(ran[failures.length + index]!, 2, words.join(' '))
    assert.ok(
      ran.every(({ stderr }) => !/\n {4}at /.test(stderr)),
      'no stack of calls',
    )
  })

  test(`${database}: serve is a whole server, and others work beside it`, async () => {
    await using fresh = await freshDatabase(database)
    const env = { ...fresh.env, SPOOL_PORT: '0', SPOOL_LOG_LEVEL: 'silent' }
    const password = 'a password with spaces'
    await using beside = await openSpool(readConfig(env), 'inline')
    await addInbox(beside, 'support@shop.example', null)
    using server = startCommand(env, ['serve', '--json'])
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const [user, imported] = await Promise.all([
      runCommand(
        env,
        ['user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin', '--password-stdin', '--json'],
        `${password}\n`,
      ),
      runCommand(
        env,
        ['import', '-', '--inbox', 'support@shop.example', '--format', 'mboxrd', '--as-read', '--json'],
        `From carla@brandt.example Tue Mar  3 10:00:00 2026\n${writeMail({ subject: 'By pipe' })
          .replace(/^Date:.*\r\n/m, '')
          .replaceAll('\r', '')}\n`,
      ),
    ])
    assert.deepEqual([user.code, imported.code], [0, 0], user.stderr + imported.stderr)
    assert.equal((user.stdout + user.stderr).includes(password), false)
    assert.equal(imported.json()['messages'], 1)
    const { token } = await createToken(beside, {
      email: 'ada@shop.example',
      name: 'Test',
      scopes: ['threads:read'],
      inboxes: [],
      lifetime: null,
    })
    const response = await fetch(`${url}/api/v1/threads`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await response.json()) as {
      data: { subject: string; timestamp: string; unread: boolean }[]
    }
    assert.deepEqual(
      data.map(({ subject, timestamp, unread }) => [subject, timestamp, unread]),
      [['By pipe', '2026-03-03T10:00:00.000Z', false]],
      'the time of the From_ line; read for everyone',
    )
    const told = await beside.db.all(textQuery('SELECT DISTINCT quiet FROM events', []))
    assert.deepEqual(told, [{ quiet: 1 }], 'in the log, for no webhook')
    server.kill('SIGTERM')
    const [code] = (await once(server, 'exit')) as [number]
    assert.equal(code, 0)
  })
}

test('a mistyped option is told as one, and not as the one that it should have been', async () => {
  await using database = await freshDatabase('sqlite')
  const { env } = database
  const [typo, missing, value, list] = await runCommands([
    { words: ['user', 'add', 'ada@shop.example', '--nme', 'Ada'], env },
    { words: ['user', 'add', 'ada@shop.example'], env },
    { words: ['user', 'add', 'ada@shop.example', '--name', '--ada'], env },
    { words: ['user', 'list'], env },
  ])
  assert.equal(typo!.code, 2)
  assert.match(typo!.stderr, /^error: unknown option '--nme'\n\(Did you mean --name\?\)/)
  assert.match(missing!.stderr, /^error: required option '--name <name>' not specified/)
  assert.equal(value!.code, 0, value!.stderr)
  assert.match(list!.stdout, /^ID +EMAIL +NAME +ROLE +INBOXES\nusr_\S+ +ada@shop\.example +--ada +member\n$/)
})

test('every command has --help and --json', async () => {
  const ran = await runCommands([...commands, []].map((words) => ({ words: [...words, '--help'], env: {} })))
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    const name = ['spool', ...(commands[index] ?? [])].join(' ')
    assert.deepEqual([code, stderr], [0, ''], name)
    assert.ok(stdout.startsWith(`Usage: ${name}`), stdout)
    if (commands[index]) assert.match(stdout, /--json/, name)
    else for (const [first] of commands) assert.match(stdout, new RegExp(`\\b${first}\\b`))
  }
})

test('a word that every object has is no command', async () => {
  const ran = await runCommands(['constructor', 'toString'].map((word) => ({ words: [word], env: {} })))
  for (const { code, stderr } of ran) {
    assert.equal(code, 2, stderr)
    assert.match(stderr, /^error: unknown command/)
  }
})

test('a reader that closes the pipe makes no command fail', async () => {
  const env = { SPOOL_DATA: scratchFolder('data') }
  await (await openSpool(readConfig(env), 'inline'))[Symbol.asyncDispose]()
  using child = startCommand(env, ['inbox', 'list', '--json'])
  ;(child.stdout as Readable).destroy()
  const said = text(child.stderr)
  await once(child, 'exit')
  assert.deepEqual([child.exitCode, await said], [0, ''])
})
