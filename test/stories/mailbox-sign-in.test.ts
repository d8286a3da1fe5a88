import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { backUpStore } from '../../src/core/keeping/backup.ts'
import { tokenFor } from '../../src/core/mailboxes/grants.ts'
import { findInbox } from '../../src/core/access/access.ts'
import type { InboxSettings } from '../../src/model/settings.ts'
import { transaction } from '../../src/store/database.ts'
import { findGrant, updateGrant } from '../../src/store/inboxes/mail-grants.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { shareSpool } from '../support/desk.ts'
import { openMailUser } from '../support/mail-user.ts'
import { startMailProvider, type MailProvider } from '../support/mail-provider.ts'
import { untilStatus } from '../support/outgoing.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebAnswer, type WebClient } from '../support/web-client.ts'

const skip = skipWithout('dovecot')
const users = ['whole', 'again', 'away', 'nodes', 'team', 'app'].map((name) => `${name}@shop.example`)

interface Scene {
  spool: TestSpool
  page: WebClient
  provider: MailProvider
  dovecot: Dovecot
  sink: SmtpSink
}

for (const database of databases) {
  const share = shareSpool(database, {
    SPOOL_FETCH_ALLOW: '127.0.0.1',
    SPOOL_UNDO_SECONDS: '0',
    SPOOL_SEND_RETRIES: '1',
  })
  let started: Promise<Scene> | undefined
  after(async () => {
    const scene = await started
    for (const part of [scene?.dovecot, scene?.sink, scene?.provider]) await part?.[Symbol.asyncDispose]()
  })

  /** A provider, a server that takes its tokens for IMAP and for SMTP, and whoever gets the mail sent through it. */
  const open = (): Promise<Scene> =>
    (started ??= (async () => {
      const spool = await share()
      const provider = await startMailProvider(`${spool.url}/oauth/mailbox`)
      const sink = await startSmtpSink()
      const dovecot = await startDovecot({
        users: Object.fromEntries(users.map((user) => [user, 'secret'])),
        introspectionUrl: provider.introspectionUrl,
        relayPort: sink.port,
      })
      return { spool, page: await signInAs(spool, spool.ada), provider, dovecot, sink }
    })())

  const wishFor = ({ provider, dovecot }: Scene, address: string, more: object = {}): object => ({
    provider: 'other',
    address,
    client: provider.client,
    imap: { host: '127.0.0.1', port: dovecot.port, security: 'none' },
    smtp: { host: '127.0.0.1', port: dovecot.submissionPort, security: 'none' },
    ...more,
  })

  const begin = async ({ page }: Scene, wish: object): Promise<string> =>
    (await page.do<{ url: string }>('POST', '/settings/mailbox-sign-in', wish)).url

  const finish = (page: WebClient, back: URL): Promise<WebAnswer> => {
    const read = (name: string): string | null => back.searchParams.get(name)
    const answer = { code: read('code'), iss: read('iss'), error: read('error') }
    return page.ask('POST', '/settings/mailbox-sign-in/finish', { state: read('state') ?? '', ...answer })
  }

  const connect = async (scene: Scene, address: string, more: object = {}): Promise<InboxSettings> => {
    const back = await scene.provider.consent(await begin(scene, wishFor(scene, address, more)), address)
    const answer = await finish(scene.page, back)
    assert.equal(answer.status, 200, answer.text)
    return answer.json<InboxSettings>()
  }

  const untilSync = ({ page }: Scene, id: string, state: string): Promise<InboxSettings> =>
    until(`the mailbox is ${state}`, async () => {
      const inbox = await page.do<InboxSettings>('GET', `/settings/inboxes/${id}`)
      return inbox.sync?.state === state && inbox
    })

  test(
    `${database}: a mailbox is opened by consent alone, read and answered from, and renewed as its tokens end`,
    {
      skip,
    },
    async () => {
      const scene = await open()
      const { spool, page, provider, dovecot, sink } = scene
      const address = 'whole@shop.example'
      await using carla = await openMailUser(dovecot, address)
      await carla.write('INBOX', { to: address, subject: 'Before' })
      provider.life = 4
      const inbox = await connect(scene, address)
      assert.deepEqual(inbox.signIn, { provider: 'other', way: 'delegated', account: address, failure: null })
      const thread = await until('the mail is here', async () =>
        (await spool.threads(`?inbox=${address}`)).find(({ subject }) => subject === 'Before'),
      )
      const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread.id, text: 'By token' })
      await page.send(draft)
      await untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['sent'])
      assert.ok(sink.mails.some(({ from, source }) => from === address && source.includes('By token')))
      await until('the copy is in Sent', async () => (await carla.read('Sent')).length === 1)
      // Each new connection needs a token that is still good.
      for (let count = 1; count <= 3; count++) {
        const known = provider.refreshes.size
        await until('the token is renewed', async () => {
          await page.do('POST', `/settings/inboxes/${inbox.id}/sync`, {})
          return provider.refreshes.size > known
        })
      }
      await carla.write('INBOX', { to: address, subject: 'After' })
      await until('later mail is here too', async () =>
        (await spool.threads(`?inbox=${address}`)).some(({ subject }) => subject === 'After'),
      )
      provider.life = 3600
      assert.ok(
        [...provider.refreshes.values()].every((count) => count === 1),
        'no refresh token is used twice',
      )
      const subjects = (await spool.threads(`?inbox=${address}`)).map(({ subject }) => subject)
      assert.deepEqual(subjects.toSorted(), ['After', 'Before'], 'nothing is there twice')
      hasNoSecret(provider, 'the log', spool.log.join('\n'))
      hasNoSecret(provider, 'an answer', (await page.ask('GET', `/settings/inboxes/${inbox.id}`)).text)
      const backup = join(scratchFolder('backup'), 'copy.db')
      await backUpStore(spool.spool.db, backup, { evenIfDamaged: false, progress: () => undefined })
      hasNoSecret(provider, 'a backup', readFile(backup))
      hasNoSecret(provider, 'the process list', listProcesses())
      if (database === 'sqlite')
        for (const name of readdirSync(spool.database.folder))
          hasNoSecret(provider, name, readFile(join(spool.database.folder, name)))
      await page.do('DELETE', `/settings/inboxes/${inbox.id}`)
      const left = await spool.spool.db.all(spool.spool.db.build.selectFrom('mail_grants').select('account'))
      assert.ok(!left.some(({ account }) => account === address), 'the grant is gone with its inbox')
    },
  )

  test(`${database}: what goes wrong at the provider is told, and nothing is stored`, { skip }, async () => {
    const scene = await open()
    const { spool, page, provider } = scene
    const address = 'again@shop.example'
    const wish = wishFor(scene, address)
    const told = async (answer: WebAnswer, words: RegExp): Promise<void> => {
      assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
      assert.match(answer.json<{ message: string }>().message, words)
      hasNoSecret(provider, 'an error', answer.text)
      await assert.rejects(findInbox(spool.spool.db, address), /There is no inbox/)
    }
    const url = await begin(scene, wish)
    await told(await finish(page, await provider.consent(url, address, 'refuse')), /consent was refused/)
    const other = await provider.consent(await begin(scene, wish), 'boss@shop.example')
    await told(await finish(page, other), /You signed in as boss@shop\.example, but this inbox is again@shop/)
    await told(await finish(page, other), /already finished/)
    const tampered = await provider.consent(await begin(scene, wish), address)
    const right = tampered.searchParams.get('state')!
    tampered.searchParams.set('state', `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`)
    await told(await finish(page, tampered), /not started in this session/)
    tampered.searchParams.set('state', right)
    const stranger = await signInAs(spool, await spool.makeUser(`admin-${database}@shop.example`, 'admin'))
    await told(await finish(stranger, tampered), /not started in this session/)
    const code = tampered.searchParams.get('code')!
    tampered.searchParams.set('code', 'made-up')
    await told(await finish(page, tampered), /invalid_grant.*sign in again/)
    const used = await provider.consent(await begin(scene, wish), address)
    used.searchParams.set('code', code)
    await told(await finish(page, used), /refuses this sign-in/)
    const away = await provider.consent(await begin(scene, wish), address)
    provider.away = true
    await told(await finish(page, away), /does not answer as a sign-in server should/)
    provider.away = false
    const nowhere = { ...scene.provider.client, issuer: 'http://127.0.0.1:9' }
    await told(
      await page.ask('POST', '/settings/mailbox-sign-in', wishFor(scene, address, { client: nowhere })),
      /does not answer/,
    )
    const inside = { ...scene.provider.client, issuer: 'https://192.168.7.1' }
    await told(
      await page.ask('POST', '/settings/mailbox-sign-in', wishFor(scene, address, { client: inside })),
      /SPOOL_FETCH_ALLOW/,
    )
  })

  test(
    `${database}: a dead grant stops only its mailbox, is told everywhere, and a sign-in mends it`,
    {
      skip,
    },
    async () => {
      const scene = await open()
      const { spool, page, provider, dovecot } = scene
      const address = 'again@shop.example'
      await using carla = await openMailUser(dovecot, address)
      await carla.write('INBOX', { to: address, subject: 'First' })
      const inbox = await connect(scene, address)
      await untilSync(scene, inbox.id, 'idle')
      const { number } = await findInbox(spool.spool.db, address)
      const end = (): Promise<void> =>
        transaction(spool.spool.db, (db) => updateGrant(db, number, { ends_at: 0, access: null }))
      // Merely away: nobody has to do anything.
      provider.away = true
      await end()
      await page.do('POST', `/settings/inboxes/${inbox.id}/sync`, {})
      await untilSync(scene, inbox.id, 'waiting')
      assert.equal((await findGrant(spool.spool.db, number))!.failure, null)
      provider.away = false
      await page.do('POST', `/settings/inboxes/${inbox.id}/sync`, {})
      await untilSync(scene, inbox.id, 'idle')

      provider.revoked = true
      await end()
      await page.do('POST', `/settings/inboxes/${inbox.id}/sync`, {})
      const stopped = await untilSync(scene, inbox.id, 'failed')
      provider.revoked = false
      assert.match(stopped.signIn!.failure!, /invalid_grant.*sign in again/)
      assert.equal(stopped.sync!.error!.message, stopped.signIn!.failure)
      const metrics = await (await fetch(`${spool.url}/metrics`)).text()
      assert.match(metrics, new RegExp(`spool_mail_grant_refused\\{inbox="${inbox.id}"\\} 1`))
      const session = await page.do<{ stopped?: { id: string }[] }>('GET', '/session')
      assert.deepEqual(
        session.stopped?.map(({ id }) => id),
        [inbox.id],
        'admins are told',
      )
      const doctor = await runCommand({ ...spool.database.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }, ['doctor'])
      assert.match(doctor.stdout, /MEND {2}IMAP of again@shop\.example: .*sign in again/)

      const report = await runCommand({ ...spool.database.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }, [
        'doctor',
        '--report',
      ])
      assert.match(report.stdout, /sign-in: other, delegated, as …@shop\.example, at http:\/\/127/)
      assert.match(report.stdout, /granted \S+Z, renewed 1 times, token until/)
      assert.match(report.stdout, /refused .*invalid_grant/)
      assert.doesNotMatch(report.stdout, /again@|ada@/, 'addresses are redacted')
      hasNoSecret(provider, 'the report', report.stdout)
      assert.ok(!report.stdout.includes(spool.database.folder))

      const again = { ...wishFor(scene, address, { inboxId: inbox.id }), client: undefined }
      const wrong = await provider.consent(await begin(scene, again), 'boss@shop.example')
      assert.match((await finish(page, wrong)).text, /You signed in as boss@shop\.example/)
      const mended = await finish(page, await provider.consent(await begin(scene, again), address))
      assert.equal(mended.json<InboxSettings>().signIn!.failure, null, mended.text)
      await carla.write('INBOX', { to: address, subject: 'Second' })
      await until('mail arrives again', async () => (await spool.threads(`?inbox=${address}`)).length === 2)
      const { stopped: none } = await page.do<{ stopped?: unknown[] }>('GET', '/session')
      assert.deepEqual(none, [])
    },
  )

  test(
    `${database}: a shared mailbox opens by its own address, and one that is not shared with you does not`,
    {
      skip,
    },
    async () => {
      const scene = await open()
      const { page, provider } = scene
      const wish = wishFor(scene, 'team@shop.example', { shared: true })
      const refused = await finish(page, await provider.consent(await begin(scene, wish), 'pia@shop.example'))
      assert.match(
        refused.text,
        /You signed in as pia@shop\.example\. .*does not let this sign-in open team@shop\.example/,
      )
      provider.mailboxes.set('pia@shop.example', 'team@shop.example')
      const answer = await finish(page, await provider.consent(await begin(scene, wish), 'pia@shop.example'))
      const inbox = answer.json<InboxSettings>()
      assert.deepEqual([inbox.address, inbox.signIn?.account], ['team@shop.example', 'pia@shop.example'])
      await untilSync(scene, inbox.id, 'idle')
    },
  )

  test(`${database}: client credentials open a mailbox without a person`, { skip }, async () => {
    const scene = await open()
    const { page, provider } = scene
    provider.mailboxes.set('app', 'app@shop.example')
    const wish = wishFor(scene, 'app@shop.example', { way: 'app', client: provider.app })
    const wrong = { ...wish, client: { ...provider.app, clientSecret: 'not this one' } }
    assert.match((await page.ask('POST', '/settings/mailbox-sign-in', wrong)).text, /invalid_client/)
    const { inbox } = await page.do<{ inbox: InboxSettings }>('POST', '/settings/mailbox-sign-in', wish)
    assert.equal(inbox.signIn!.way, 'app')
    await untilSync(scene, inbox.id, 'idle')
  })

  test(`${database}: two nodes that need a token at once ask the provider once`, { skip }, async () => {
    const scene = await open()
    const { spool, provider } = scene
    await connect(scene, 'nodes@shop.example')
    const { number } = await findInbox(spool.spool.db, 'nodes@shop.example')
    await using other = await openSpool(
      readConfig({ ...spool.database.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }),
      'inline',
    )
    await transaction(spool.spool.db, (db) => updateGrant(db, number, { ends_at: 0 }))
    const known = provider.refreshes.size
    const nodes = [spool.spool, other, spool.spool, other, spool.spool, other]
    const tokens = await Promise.all(nodes.map((node) => tokenFor(node, number, 'mailbox')))
    assert.equal(new Set(tokens).size, 1)
    assert.equal(provider.refreshes.size, known + 1)
    assert.ok([...provider.refreshes.values()].every((count) => count === 1))
    // It is renewed before it ends, so an absent provider does no harm yet.
    await transaction(spool.spool.db, (db) => updateGrant(db, number, { ends_at: 0 }))
    provider.away = true
    assert.equal(await tokenFor(other, number, 'mailbox'), tokens[0])
    provider.away = false
  })
}

/** A process may end while it is looked at. */
function listProcesses(): string {
  return execFileSync('bash', ['-c', 'cat /proc/[0-9]*/cmdline 2> /dev/null; true'], { encoding: 'latin1' })
}

/** In another process: closing a file of SQLite's would drop the locks that this one has on it. */
function readFile(path: string): string {
  return execFileSync('cat', [path], { encoding: 'latin1', maxBuffer: 100_000_000 })
}

function hasNoSecret({ secrets }: MailProvider, where: string, text: string): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `a token or secret is in ${where}`)
}
