import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FoundFolder, InboxSettings } from '../../src/model/settings.ts'
import { findProvider, type MailProvider } from '../../src/model/mail/providers.ts'
import { listMailServers } from '../../src/store/inboxes/mail-servers.ts'
import { databases } from '../support/databases.ts'
import { shareSpool } from '../support/desk.ts'
import { openMailUser } from '../support/mail-user.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const skip = skipWithout('dovecot')
const names = ['try', ...databases.flatMap((database) => [`sync-${database}`, `mend-${database}`])]
let running: Promise<Dovecot> | undefined
after(async () => (await running)?.[Symbol.asyncDispose]())
const dovecotOfFile = (): Promise<Dovecot> =>
  (running ??= startDovecot({ users: Object.fromEntries(names.map((name) => [name, 'secret'])), tls: true }))

type Trial = { ok: true; folders?: FoundFolder[] } | { ok: false; problem: string; message: string }

interface Server {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  username: string | null
}

const imapOf = ({ port }: Dovecot, username: string): Server => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username,
})

async function untilSync(
  page: WebClient,
  id: string,
  what: string,
  is: (sync: NonNullable<InboxSettings['sync']>) => boolean,
): Promise<InboxSettings> {
  return until(what, async () => {
    const inbox = await page.do<InboxSettings>('GET', `/settings/inboxes/${id}`)
    return inbox.sync !== null && is(inbox.sync) && inbox
  })
}

test('the servers of known providers are filled in, and others are guessed from the domain', () => {
  for (const [domain, name] of Object.entries({
    'gmail.com': 'Gmail',
    'googlemail.com': 'Gmail',
    'fastmail.fm': 'Fastmail',
    'mailbox.org': 'mailbox.org',
    'outlook.com': 'Microsoft',
    'hotmail.co.uk': 'Microsoft',
    'live.de': 'Microsoft',
    'icloud.com': 'iCloud',
    'yahoo.co.jp': 'Yahoo',
    'gmx.de': 'GMX',
    'web.de': 'WEB.DE',
    'posteo.net': 'Posteo',
    'zoho.eu': 'Zoho',
  }))
    assert.equal(findProvider(domain)?.name, name, domain)
  for (const domain of ['shop.example', 'notgmail.com', 'gmail.com.evil.example', 'xn--gmail.com'])
    assert.equal(findProvider(domain), null, domain)
  assert.equal(findProvider('outlook.com')!.takesPasswords, false)
  assert.match(findProvider('outlook.com')!.passwordHint!, /forward the mail/)
})

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an address is enough to know its servers`, async () => {
    const spool = await shared()
    const page = await signInAs(spool, spool.ada)
    const ask = async (address: string): Promise<MailProvider & { imap: Server; guessed: boolean }> =>
      (await page.do<{ provider: never }>('POST', '/settings/providers', { address })).provider
    const gmail = await ask(' Team@Gmail.com ')
    assert.deepEqual(gmail.imap, {
      host: 'imap.gmail.com',
      port: 993,
      security: 'tls',
      username: 'team@gmail.com',
    })
    assert.deepEqual([gmail.guessed, gmail.link], [false, 'https://myaccount.google.com/apppasswords'])
    const guessed = await ask('team@shop.example')
    assert.deepEqual([guessed.guessed, guessed.imap.host], [true, 'imap.shop.example'])
    assert.equal((await page.ask('POST', '/settings/providers', { address: 'nobody' })).status, 400)
  })

  test(
    `${database}: a server is tried, and what is wrong is said in words that say what to do`,
    { skip },
    async () => {
      const spool = await shared()
      const dovecot = await dovecotOfFile()
      const page = await signInAs(spool, spool.ada)
      const right = imapOf(dovecot, 'try')
      const attempt = (server: Partial<Server>, password = 'secret', kind = 'imap'): Promise<Trial> =>
        page.do<Trial>('POST', '/settings/try', { kind, server: { ...right, ...server }, password })

      const good = await attempt({})
      assert.ok(good.ok)
      const folders = good.folders!.map(({ path, role, chosen }) => `${path} ${role} ${chosen}`).sort()
      assert.deepEqual(folders, [
        'Archive archive false',
        'Drafts drafts false',
        'INBOX inbox true',
        'Junk junk false',
        'Sent sent true',
        'Trash trash false',
      ])

      const wrong: [problem: string, trial: Trial, words: RegExp][] = [
        ['password', await attempt({}, 'wrong'), /rejected the password for try .* check user name/],
        ['name', await attempt({ host: 'mail.invalid', security: 'tls' }), /mail\.invalid cannot be found/],
        [
          'refused',
          await attempt({ port: 1 }),
          /Nothing is listening at 127\.0\.0\.1:1; check the port \(993/,
        ],
        ['tls', await attempt({ security: 'tls' }), /does not speak TLS at this port; use STARTTLS/],
        [
          'certificate',
          await attempt({ port: dovecot.tlsPort!, security: 'tls' }),
          /not signed by an authority this machine knows/,
        ],
        ['refused', await attempt({ port: 1 }, 'secret', 'smtp'), /check the port \(465/],
      ]
      for (const [problem, trial, words] of wrong) {
        assert.ok(!trial.ok, problem)
        assert.equal(trial.problem, problem)
        assert.match(trial.message, words)
        assert.doesNotMatch(trial.message, /secret|wrong/)
      }
      await using sink = await startSmtpSink({ credentials: { user: 'team', password: 'secret' } })
      const smtp = { host: '127.0.0.1', port: sink.port, username: 'team' }
      assert.deepEqual(await attempt(smtp, 'secret', 'smtp'), { ok: true })
      const refused = await attempt(smtp, 'wrong', 'smtp')
      assert.ok(!refused.ok && refused.problem === 'password')
      const without = await page.ask('POST', '/settings/try', { kind: 'smtp', server: { ...right, ...smtp } })
      assert.match(without.text, /Enter the password of team .*, or leave the user name empty/)

      const elsewhere = { ...right, host: 'mail.example.com' }
      const plain = await page.ask('POST', '/settings/try', {
        kind: 'imap',
        server: elsewhere,
        password: 'x',
      })
      assert.equal(plain.status, 400)
      assert.match(plain.text, /only a server on this machine is spoken to without TLS/)
    },
  )

  test(`${database}: somebody who tries for ever is told to wait, and can still sign in`, async () => {
    const spool = await shared()
    const user = await spool.makeUser(`second-${database}@shop.example`, 'admin')
    const page = await signInAs(spool, user)
    const server = { host: '127.0.0.1', port: 1, security: 'none', username: null }
    const statuses: number[] = []
    for (let count = 0; count < 22; count++)
      statuses.push((await page.ask('POST', '/settings/try', { kind: 'smtp', server })).status)
    assert.deepEqual([statuses[19], statuses.at(-1)], [200, 429])
    await signInAs(spool, user)
  })

  test(
    `${database}: an inbox with a mailbox is followed at once, and its first sync can be watched`,
    { skip },
    async () => {
      const spool = await shared()
      const dovecot = await dovecotOfFile()
      const page = await signInAs(spool, spool.ada)
      const name = `sync-${database}`
      await using mailbox = await openMailUser(dovecot, name)
      await mailbox.client.mailboxCreate('Orders, new')
      for (let count = 0; count < 20; count++) await mailbox.write('INBOX', { subject: `No. ${count}` })
      await mailbox.write('Orders, new', { subject: 'An order' })
      await mailbox.write('Archive', { subject: 'Long ago' })
      const imap = { ...imapOf(dovecot, name), password: 'secret' }
      const made = await page.do<InboxSettings>('POST', '/settings/inboxes', {
        address: `${name}@shop.example`,
        name: 'Sync',
        imap,
        folders: ['INBOX', 'Orders, new'],
      })
      assert.ok(!JSON.stringify(made).includes('secret'), 'no answer holds a password')
      assert.deepEqual(made.imap, imapOf(dovecot, name))
      assert.deepEqual([made.folders, made.markSeen, made.smtp], [['INBOX', 'Orders, new'], false, null])
      assert.equal(made.sync!.state, 'starting')
      assert.ok(made.people.includes(spool.ada.id))
      const idle = await untilSync(page, made.id, 'it is up to date', ({ state }) => state === 'idle')
      assert.ok(Date.parse(idle.sync!.lastSyncAt!) > Date.now() - 60_000)
      assert.deepEqual(
        idle.sync!.folders.map(({ path, role, messages, total }) => [path, role, messages, total]).sort(),
        [
          ['INBOX', 'inbox', 20, 20],
          ['Orders, new', null, 1, 1],
          ['Sent', 'sent', 0, 0],
        ],
      )
      const threads = async (): Promise<number> => (await spool.threads(`?inbox=${made.id}&limit=100`)).length
      assert.equal(await threads(), 21)

      const at = `/settings/inboxes/${made.id}`
      const changed = await page.do<InboxSettings>('PATCH', at, { name: 'All', folders: ['Archive'] })
      assert.deepEqual([changed.name, changed.folders, changed.imap], ['All', ['Archive'], made.imap])
      await until('another folder is fetched', async () => (await threads()) === 22)
      assert.equal((await page.do<InboxSettings>('PATCH', at, { folders: null })).folders, null)
      await page.do('PATCH', at, { openDays: 3 })
      const servers = await listMailServers(spool.spool.db, 'imap')
      assert.equal(servers.find(({ user }) => user === name)?.options['open-days'], '3')

      const trial = { kind: 'imap', server: made.imap, inboxId: made.id }
      assert.equal(
        (await page.do<Trial>('POST', '/settings/try', trial)).ok,
        true,
        'with the stored password',
      )
      for (const other of [{ username: 'try' }, { host: 'localhost' }, { port: 1 }]) {
        const server: Server = { ...imapOf(dovecot, name), ...other }
        const asked = await page.ask('POST', '/settings/try', { ...trial, server })
        assert.equal(asked.status, 400, 'a stored password goes to no other server and for nobody else')
        assert.match(asked.text, /Enter the password of/)
        assert.equal((await page.ask('PATCH', at, { imap: server })).status, 400)
      }
      assert.equal((await page.do<InboxSettings>('PATCH', at, { imap: null })).sync, null)
      assert.equal((await page.ask('POST', `${at}/sync`, {})).status, 409)
      await page.do('DELETE', at)
      assert.equal((await page.ask('GET', at)).status, 404)
      const again = await page.do<InboxSettings>('POST', '/settings/inboxes', { address: made.address })
      assert.deepEqual([again.id, again.imap], [made.id, null], 'its mail is there again, its server is not')
      await page.do('DELETE', at)
    },
  )

  test(
    `${database}: a mailbox that fails says what is wrong and when it is tried again; try now does not wait`,
    { skip },
    async () => {
      const spool = await shared()
      const dovecot = await dovecotOfFile()
      const page = await signInAs(spool, spool.ada)
      const name = `mend-${database}`
      const imap = imapOf(dovecot, name)
      const { id } = await page.do<InboxSettings>('POST', '/settings/inboxes', {
        address: `${name}@shop.example`,
        imap: { ...imap, password: 'wrong' },
      })
      const failed = await untilSync(page, id, 'it fails', ({ state }) => state === 'failed')
      const { message, retryAt, at: seen } = failed.sync!.error!
      assert.match(message, /rejected the password for mend-/)
      assert.doesNotMatch(message, /wrong/)
      const pause = Date.parse(retryAt!) - Date.parse(seen)
      assert.ok(pause > 20_000, `a refused password is not tried at once, but after ${pause} ms`)
      const at = `/settings/inboxes/${id}`
      await page.do('POST', `${at}/sync`, {})
      const retried = await untilSync(
        page,
        id,
        'it was tried again',
        ({ state, error }) => state === 'failed' && error!.at !== seen,
      )
      assert.match(retried.sync!.error!.message, /rejected the password/)
      await page.do('PATCH', at, { imap: { ...imap, password: 'secret' } })
      const mended = await untilSync(page, id, 'it works', ({ state }) => state === 'idle')
      assert.equal(mended.sync!.error, null)
      await page.do('DELETE', at)
    },
  )
}
