import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importMail } from '../../src/cli/import-mail.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { readSyncProgress } from '../../src/core/mailboxes/state.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import type { InboxSettings } from '../../src/model/settings.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { writeMail, type Letter } from '../support/letter.ts'
import { followMailbox, openMailUser } from '../support/mail-user.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

const skip = skipWithout('dovecot')
const day = 86_400_000
const ago = (days: number): number => Date.now() - days * day
let running: Promise<Dovecot> | undefined
after(async () => (await running)?.[Symbol.asyncDispose]())
const dovecotOfFile = (): Promise<Dovecot> =>
  (running ??= startDovecot({
    users: Object.fromEntries(
      databases.flatMap((each) => [`a-${each}`, `b-${each}`]).map((name) => [name, 'secret']),
    ),
  }))

async function statuses(desk: Desk): Promise<Record<string, string>> {
  const threads = await desk.threads('?limit=100')
  return Object.fromEntries(threads.map(({ subject, status }) => [subject, status]))
}

for (const database of databases) {
  const share = shareSpool(database, {
    SPOOL_LMTP_LISTEN: '127.0.0.1:0',
    SPOOL_AUTHSERV_ID: 'mx.shop.example',
  })

  test(`${database}: a thread of history follows its newest message, in whatever order it comes, without an event`, async () => {
    const desk = await openDesk(await share())
    const run = { id: 1, openDays: 14 }
    const how = { quiet: true, seen: true, run } as const
    const parts: [Letter & { messageId: string }, 'inbound' | 'outbound'][] = [
      [{ messageId: '<asked', date: ago(40) }, 'inbound'],
      [{ messageId: '<again', date: ago(20) }, 'inbound'],
      [{ messageId: '<answered', date: ago(3) }, 'outbound'],
    ]
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    for (const order of orders)
      for (const index of order) {
        const [{ messageId, ...letter }, direction] = parts[index]!
        const name = order.join('')
        await desk.receive(
          {
            ...letter,
            subject: name,
            messageId: `${messageId}-${name}@x.example>`,
            references: parts.slice(0, index).map(([each]) => `${each.messageId}-${name}@x.example>`),
          },
          { ...how, direction },
        )
      }
    for (const [subject, status] of Object.entries(await statuses(desk)))
      assert.equal(status, 'waiting', `in the order ${subject}`)
    await desk.receive({ subject: 'old', date: ago(15) }, how)
    await desk.receive({ subject: 'recent', date: ago(13) }, how)
    await desk.receive({ subject: 'old, ours', date: ago(15) }, { ...how, direction: 'outbound' })
    await desk.receive({ subject: 'all', date: ago(4000) }, { ...how, run: { id: 1, openDays: null } })
    const { old, recent, all, 'old, ours': ours } = await statuses(desk)
    assert.deepEqual([old, recent, all, ours], ['closed', 'open', 'open', 'closed'])
    assert.deepEqual(await desk.events('thread.status_changed'), [])
  })

  test(`${database}: threads of history that turn out to be one follow the newer of the two, without an event`, async () => {
    const desk = await openDesk(await share())
    const how = { quiet: true, seen: true, run: { id: 4, openDays: 14 } } as const
    const parts = [
      [{ messageId: '<asked', date: ago(10) }, 'inbound'],
      [{ messageId: '<answered', date: ago(3) }, 'outbound'],
    ] as const
    for (const [name, order] of Object.entries({
      'asked first': parts,
      'answered first': parts.toReversed(),
    })) {
      for (const [{ messageId, date }, direction] of order)
        await desk.receive(
          { subject: name, messageId: `${messageId} ${name}@x.example>`.replaceAll(' ', '-'), date },
          { ...how, direction },
        )
      const references = parts.map(([{ messageId }]) => `${messageId}-${name.replace(' ', '-')}@x.example>`)
      await desk.receive({ subject: name, date: ago(5), references }, how)
    }
    const threads = await desk.threads()
    assert.deepEqual(
      threads.map(({ status, messageCount }) => [status, messageCount]),
      [
        ['waiting', 3],
        ['waiting', 3],
      ],
    )
    assert.deepEqual(await desk.events('thread.status_changed'), [])
  })

  test(`${database}: threads from before the run, and those that somebody has touched since, are left alone`, async () => {
    const desk = await openDesk(await share())
    const run = { id: 2, openDays: 14 }
    const how = { quiet: true, seen: true, run } as const
    const reply = (to: string, days: number): Letter => ({
      inReplyTo: to,
      messageId: `<r${days}-${to.slice(1)}`,
      date: ago(days),
    })
    await desk.receive({ subject: 'before', messageId: '<before@x.example>', date: ago(60) })
    await desk.receive(reply('<before@x.example>', 50), how)
    await desk.receive(reply('<before@x.example>', 2), { ...how, direction: 'outbound' })
    const touched = await desk.receive({ subject: 'touched', messageId: '<t@x.example>', date: ago(30) }, how)
    await changeStatus((await share()).spool, desk.actor, touched.threadId, 'spam')
    await desk.receive(reply('<t@x.example>', 1), how)
    await desk.receive({ subject: 'live', messageId: '<l@x.example>', date: ago(30) }, how)
    await desk.receive(reply('<l@x.example>', 0))
    await desk.receive({ ...reply('<l@x.example>', 20), messageId: '<late@x.example>' }, how)
    const later = { ...how, run: { id: 3, openDays: 14 } }
    await desk.receive({ subject: 'other run', messageId: '<o@x.example>', date: ago(30) }, how)
    await desk.receive(reply('<o@x.example>', 1), later)
    assert.deepEqual(await statuses(desk), {
      before: 'open',
      touched: 'spam',
      live: 'open',
      'other run': 'closed',
    })
  })

  test(`${database}: import --as-read closes what is old, --open-days says how old, and a plain import stays open`, async () => {
    const spool = await share()
    const bringIn = async (options: { asRead: boolean; openDays?: number | null }): Promise<object> => {
      const desk = await openDesk(spool)
      async function* mailbox() {
        for (const [index, days] of [2, 20, 200].entries()) {
          const raw = Buffer.from(writeMail({ subject: `${days} days`, date: ago(days) }))
          yield { raw, seen: false, receivedAt: null, name: String(index) }
        }
      }
      await importMail(spool.spool, desk.inbox, mailbox(), { limits: defaultLimits, ...options })
      assert.deepEqual(await desk.events('thread.status_changed'), [])
      return statuses(desk)
    }
    const found = (two: string, twenty: string, more: string): object => ({
      '2 days': two,
      '20 days': twenty,
      '200 days': more,
    })
    assert.deepEqual(await bringIn({ asRead: true }), found('open', 'closed', 'closed'))
    assert.deepEqual(await bringIn({ asRead: true, openDays: 30 }), found('open', 'open', 'closed'))
    assert.deepEqual(await bringIn({ asRead: true, openDays: 0 }), found('closed', 'closed', 'closed'))
    assert.deepEqual(await bringIn({ asRead: true, openDays: null }), found('open', 'open', 'open'))
    assert.deepEqual(await bringIn({ asRead: false }), found('open', 'open', 'open'))
    const words = ['import', '-', '--inbox', 'support@shop.example', '--open-days', '3']
    const alone = await runCommand(spool.database.env, words)
    assert.match(alone.stderr, /--open-days needs --as-read/)
    const desk = await openDesk(spool)
    const line = ['import', '-', '--inbox', desk.inbox.address, '--as-read', '--open-days', 'all']
    const ran = await runCommand(spool.database.env, line, writeMail({ subject: 'all', date: ago(200) }))
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(await statuses(desk), { all: 'open' })
  })

  test(
    `${database}: a first sync says what is coming, closes what is old, and what a trusted server marked is spam`,
    {
      skip,
    },
    async () => {
      const spool = await share()
      const dovecot = await dovecotOfFile()
      const user = `a-${database}`
      await using carla = await openMailUser(dovecot, user)
      for (const days of [1, 20, 60])
        await carla.write('INBOX', {
          subject: `${days} days`,
          messageId: `<${days}@x.example>`,
          date: ago(days),
        })
      await carla.write('Sent', { inReplyTo: '<1@x.example>', date: ago(0.5) })
      await carla.write('INBOX', { subject: 'marked', headers: { 'X-Spam-Flag': 'YES' } })
      await carla.write('INBOX', { subject: 'not marked', headers: { 'X-Spam-Flag': 'No' } })
      await carla.write('Junk', { subject: 'among junk' })
      const desk = await openDesk(spool)
      const options = '&folders=INBOX,Junk&authserv-id=mx.shop.example&open-days=30'
      await followMailbox(spool.spool, desk.inbox, dovecot, { user, options })
      const announced = await until('every folder is announced', async () => {
        const mailbox = (await readSyncProgress(spool.spool)).find(({ inbox }) => inbox.id === desk.inbox.id)
        return mailbox && mailbox.folders.length === 3 && mailbox.folders
      })
      assert.deepEqual(
        announced.map(({ name, total }) => [name, total]),
        [
          ['INBOX', 5],
          ['Junk', 1],
          ['Sent', 1],
        ],
      )
      await until('all is here', async () =>
        (await desk.threads()).some(({ messageCount }) => messageCount === 2),
      )
      assert.deepEqual(await statuses(desk), {
        '1 days': 'waiting',
        '20 days': 'open',
        '60 days': 'closed',
        marked: 'spam',
        'not marked': 'open',
        'among junk': 'spam',
      })
      await carla.write('Junk', { subject: 'junk later' })
      await until(
        'spam that comes later is spam too',
        async () => (await statuses(desk))['junk later'] === 'spam',
      )
      assert.deepEqual(await desk.events('thread.status_changed'), [])
    },
  )

  test(
    `${database}: the page asks what is still open, and nobody else's mark is believed`,
    { skip },
    async () => {
      const spool = await share()
      const dovecot = await dovecotOfFile()
      const user = `b-${database}`
      await using carla = await openMailUser(dovecot, user)
      await carla.write('INBOX', { subject: 'today', headers: { 'X-Spam-Flag': 'YES' } })
      const page = await signInAs(spool, spool.ada)
      const server = {
        host: '127.0.0.1',
        port: dovecot.port,
        security: 'none',
        username: user,
        password: 'secret',
      }
      const { id } = await page.do<InboxSettings>('POST', '/settings/inboxes', {
        address: `first-${database}@shop.example`,
        imap: server,
        openDays: 0,
      })
      const thread = await until('it is here', async () => (await spool.threads(`?inbox=${id}`))[0])
      assert.equal(thread.status, 'closed', 'nothing is open, and without authserv-id nobody is believed')

      const desk = await openDesk(spool)
      using client = await SmtpClient.connect(Number(spool.app.lmtp!.split(':').at(-1)))
      await client.hello('LHLO')
      const marked = writeMail({ subject: 'by LMTP', headers: { 'X-Spam-Flag': 'YES' } })
      await client.deliver(marked, [desk.inbox.address])
      assert.deepEqual(await statuses(desk), { 'by LMTP': 'spam' })
    },
  )
}
