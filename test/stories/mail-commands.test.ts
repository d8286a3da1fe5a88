import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { explainFailure } from '../../src/mail/connection-trouble.ts'
import { tryMailServer } from '../../src/mail/try-connection.ts'
import { readMailServerAddress } from '../../src/model/mail/server.ts'
import { runCommand, type Ran } from '../support/command.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

const skip = skipWithout('dovecot')
let running: Promise<Dovecot> | undefined
after(async () => (await running)?.[Symbol.asyncDispose]())
const dovecotOfFile = (): Promise<Dovecot> =>
  (running ??= startDovecot({ users: { 'team@shop.example': 'pass word' }, tls: true }))

/** A server that says one thing and then nothing. */
async function mumble(words: string): Promise<{ port: number; server: Server } & Disposable> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(words)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, server, [Symbol.dispose]: () => void server.close() }
}

async function add(database: FreshDatabase, imap: string, input = 'pass word\n', env = {}): Promise<Ran> {
  const words = ['inbox', 'add', 'team@shop.example', '--imap', imap, '--credentials-stdin', '--json']
  return runCommand({ ...database.env, ...env }, words, input)
}

const words: [imap: string, password: string, sentence: RegExp][] = [
  ['imaps://mail.invalid', 'x', /^The name mail\.invalid cannot be found; check its spelling/],
  ['imap://127.0.0.1:1?tls=none', 'x', /^Nothing is listening at 127\.0\.0\.1:1; check the port \(993/],
  ['imaps://127.0.0.1:TLS', 'pass word', /^The certificate of 127\.0\.0\.1 is not signed by an authority/],
  [
    'imaps://127.0.0.1:PLAIN',
    'pass word',
    /does not speak TLS at this port; use STARTTLS here.* In an address imap:\/\/ is STARTTLS\./,
  ],
  ['imap://127.0.0.1:PLAIN?tls=none&folders=Nowhere', 'pass word', /has no folder Nowhere; it has /],
  ['imap://127.0.0.1:PLAIN?tls=none&flders=INBOX', 'pass word', /"flders" is none of them/],
  [
    'imap://127.0.0.1:PLAIN?tls=none',
    'wrong',
    /^127\.0\.0\.1 rejected the password for team@shop\.example \(it says: Authentication failed\.\); check user/,
  ],
]

test(
  'what is wrong with a mailbox is said in words: name, port, TLS, certificate, password, folder',
  { skip },
  async () => {
    const { port, tlsPort } = await dovecotOfFile()
    for (const [text, password, sentence] of words) {
      const url = text.replace('PLAIN', String(port)).replace('TLS', String(tlsPort))
      const address = { ...readMailServerAddress('imap', url), user: 'team@shop.example' }
      await assert.rejects(tryMailServer({ ...address, password }), (error: Error) => {
        assert.match(error.message, sentence, text)
        assert.doesNotMatch(error.message, /pass word|wrong/)
        return true
      })
    }
  },
)

test('inbox add tries the mailbox and adds nothing that cannot be used', { skip }, async () => {
  const { port } = await dovecotOfFile()
  await using database = await freshDatabase('sqlite')
  await (await openSpool(readConfig(database.env), 'inline'))[Symbol.asyncDispose]()
  for (const [input, sentence] of [
    ['wrong\n', /^127\.0\.0\.1 rejected the password/],
    ['', /^Standard input is empty: write the password to it/],
  ] as const) {
    const ran = await add(database, `imap://127.0.0.1:${port}?tls=none`, input)
    assert.equal(ran.code, 1, ran.stdout)
    assert.match(ran.stderr, sentence)
    assert.equal(ran.stderr.trimEnd().split('\n').length, 1, 'one sentence')
  }
  const list = await runCommand(database.env, ['inbox', 'list', '--json'])
  assert.deepEqual(list.json(), [])
})

for (const kind of databases)
  test(`${kind}: inbox add, set and list with a mailbox; doctor tries it again`, { skip }, async () => {
    const { tlsPort, certificate } = await dovecotOfFile()
    const file = join(scratchFolder('authority'), 'cert.pem')
    writeFileSync(file, certificate!)
    const env = { NODE_EXTRA_CA_CERTS: file }
    await using database = await freshDatabase(kind)
    const added = await add(database, `imaps://127.0.0.1:${tlsPort}`, 'pass word\n', env)
    assert.equal(added.code, 0, added.stderr)
    const address = `imaps://team%40shop.example@127.0.0.1:${tlsPort}`
    assert.deepEqual([added.json()['address'], added.json()['imap']], ['team@shop.example', address])
    const run = (...words: string[]): Promise<Ran> => runCommand({ ...database.env, ...env }, words)
    const options = ['--mark-seen', '--open-days', 'all', '--json']
    const set = await run('inbox', 'set', 'team@shop.example', ...options)
    assert.equal(set.json()['imap'], `${address}?mark-seen=1&open-days=all`, set.stderr)
    const unset = await run('inbox', 'set', 'team@shop.example', '--no-mark-seen', '--name', 'Team')
    assert.match(
      unset.stdout,
      /is now called Team\.\nIMAP: 127\.0\.0\.1 lets team@shop\.example in: 0 messages in INBOX, 0 messages in Sent \(sent\)\.\n/,
    )
    const [listed] = (await run('inbox', 'list', '--json')).json<Record<string, unknown>[]>()
    assert.deepEqual([listed!['imap'], listed!['smtp']], [`${address}?open-days=all`, null])
    assert.equal((listed!['sync'] as { state: string }).state, 'connecting')

    const well = (await run('doctor', '--json')).json<{
      ok: boolean
      checks: { check: string; ok: boolean }[]
    }>()
    assert.ok(well.checks.some(({ check, ok }) => check === 'IMAP of team@shop.example' && ok))
    const ill = await runCommand(database.env, ['doctor'])
    assert.equal(ill.code, 1)
    assert.match(
      ill.stdout,
      /^MEND {2}IMAP of team@shop\.example: The certificate of 127\.0\.0\.1 is not signed/m,
    )
    const replace = ['inbox', 'set', 'team@shop.example', '--imap']
    const other = await run(...replace, `${address}?sent=Sent&folders=INBOX,Sent`)
    assert.match(other.stdout, /in Sent \(sent\)\. No longer set: open-days=all\.\n$/)
    const plain = await run(...replace, `${address}?sent=Sent`, '--mark-seen')
    assert.match(plain.stdout, /\. No longer set: folders=INBOX,Sent\.\n$/)
    const none = await run(...replace, 'none', '--json')
    assert.equal(none.json()['imap'], null)
  })

test('an SMTP server is tried too', async () => {
  await using database = await freshDatabase('sqlite')
  const run = (smtp: string): Promise<Ran> =>
    runCommand(
      database.env,
      ['inbox', 'add', 'team@shop.example', '--smtp', smtp, '--credentials-stdin'],
      'x\n',
    )
  assert.match(
    (await run('smtp://127.0.0.1:1?tls=none')).stderr,
    /^Nothing is listening at 127\.0\.0\.1:1; check the port \(465/m,
  )
  using plain = await mumble('220 mail.example ESMTP\r\n')
  plain.server.on('connection', (socket) =>
    socket.on('data', (line) =>
      socket.write(/^EHLO/i.test(String(line)) ? '250 mail.example\r\n' : '221 bye\r\n'),
    ),
  )
  assert.match(
    (await run(`smtp://127.0.0.1:${plain.port}`)).stderr,
    /does not offer STARTTLS, and a password is not sent in the clear.*, or no encryption, as it is on this machine\. In an address smtps:\/\/ is TLS, and \?tls=none no encryption\./,
  )
  const open = await run(`smtp://127.0.0.1:${plain.port}?tls=none`)
  assert.match(open.stdout, /SMTP: 127\.0\.0\.1 answers, without a sign-in\./, open.stderr)
})

for (const kind of databases)
  test(`${kind}: an SMTP server on this machine that wants a sign-in gets the inbox’s address and password`, async () => {
    const credentials = { user: 'team@shop.example', password: 'second' }
    await using sink = await startSmtpSink({ credentials })
    await using open = await startSmtpSink()
    await using database = await freshDatabase(kind)
    const at = (port: number): string => `smtp://127.0.0.1:${port}?tls=none`
    const run = (words: string[], input = ''): Promise<Ran> => runCommand(database.env, words, input)
    const set = (port: number, input: string): Promise<Ran> => {
      const words = ['inbox', 'set', 'team@shop.example', '--smtp', at(port)]
      return run(input === '' ? words : [...words, '--credentials-stdin'], input)
    }
    assert.equal((await run(['inbox', 'add', 'team@shop.example'])).code, 0)

    const wrong = await set(sink.port, 'first\nwrong\n')
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /^127\.0\.0\.1 rejected the password for team@shop\.example/)
    const right = await set(sink.port, 'first\nsecond\n')
    assert.match(right.stdout, /SMTP: 127\.0\.0\.1 lets team@shop\.example in\./, right.stderr)
    assert.match((await set(sink.port, 'second\n')).stdout, /lets team@shop\.example in\./)
    assert.match((await run(['doctor'])).stdout, /^ok {4}SMTP of team@shop\.example: 127\.0\.0\.1 lets/m)

    // Without a password there is nothing to sign in with: that is said, here and by the doctor.
    const unused =
      /127\.0\.0\.1 answers, without a sign-in, though it offers one: if it refuses mail, give a password/
    assert.match((await set(sink.port, '')).stdout, unused)
    const doctor = await run(['doctor'])
    assert.match(doctor.stdout, new RegExp(`^LOOK {2}SMTP of team@shop\\.example: ${unused.source}`, 'm'))
    assert.equal(doctor.code, 0, 'it may be meant so')

    // One that knows no sign-in gets none, unless a password is for it alone.
    assert.match((await set(open.port, 'first\n')).stdout, /answers, without a sign-in\.\n/)
    assert.match(
      (await set(open.port, 'first\nsecond\n')).stderr,
      /offers no sign-in without encryption: choose STARTTLS/,
    )
  })

test('a mistyped ?tls= is answered with a list that has tls in it', { skip }, async () => {
  const { port } = await dovecotOfFile()
  await using database = await freshDatabase('sqlite')
  const ran = await add(database, `imap://127.0.0.1:${port}?tsl=none`)
  assert.match(ran.stderr, /and \?tls=none after the host; "tsl" is none of them\./)
})

test('an import says how many drafts and deleted messages of a Maildir it left out', async () => {
  await using database = await freshDatabase('sqlite')
  const folder = scratchFolder('maildir')
  for (const box of ['cur', 'new', '.Trash/cur']) mkdirSync(join(folder, box), { recursive: true })
  for (const file of ['cur/1.a.host:2,S', 'cur/2.a.host:2,D', '.Trash/cur/3.a.host:2,S'])
    writeFileSync(join(folder, file), `Subject: ${file}\n\nText\n`)
  await runCommand(database.env, ['inbox', 'add', 'team@shop.example'])
  const words = ['import', folder, '--inbox', 'team@shop.example']
  assert.equal(
    (await runCommand(database.env, words)).stdout,
    '1 message in 1 new thread; 0 were there already, 0 failed. Drafts and deleted messages left out: 2.\n',
  )
  assert.equal((await runCommand(database.env, [...words, '--json'])).json()['leftOut'], 2)
})

test('the large providers: what their refusal means', () => {
  const refused = {
    authenticationFailed: true,
    message: 'Command failed',
    response: '3 NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)',
  }
  const explain = (host: string): string =>
    explainFailure(readMailServerAddress('imap', `imaps://a%40b.example@${host}`), refused)
  assert.match(
    explain('imap.gmail.com'),
    /^imap\.gmail\.com rejected the password for a@b\.example \(it says: Invalid credentials \(Failure\)\); Google requires an app password here/,
  )
  assert.match(explain('imap.fastmail.com'), /Fastmail requires an app password/)
  assert.match(explain('imap.mailbox.org'), /mailbox\.org requires an app password/)
  assert.match(explain('outlook.office365.com'), /Microsoft no longer accepts passwords/)
  assert.match(explain('mail.shop.example'), /whether the provider needs an app password/)
})
