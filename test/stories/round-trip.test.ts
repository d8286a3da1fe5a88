import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { receiveMail, type Received } from '../../src/core/receiving/receive.ts'
import { connectImap, type ImapConnection } from '../../src/mail/imap/connection.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { Draft } from '../../src/model/draft.ts'
import type { MailServer } from '../../src/model/mail/server.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { writeMail, type Letter } from '../support/letter.ts'
import { passTime, sendBy, untilStatus } from '../support/outgoing.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startCuttingProxy } from '../support/smtp-cut.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const skip = skipWithout('dovecot') ?? false

/** How programs write the head of an answer. */
const programs: Record<
  string,
  (mail: { messageId: string; references: string[]; subject: string }) => Letter
> = {
  Gmail: ({ messageId, references, subject }) => ({
    subject: subject.startsWith('Re:') ? subject : `Re: ${subject}`,
    messageId: `<CA+${Math.random().toString(36).slice(2)}@mail.gmail.com>`,
    inReplyTo: messageId,
    references: [...references, messageId],
  }),
  // Outlook's own chain ends with the id twice, and its subject has its own mark.
  Outlook: ({ messageId, references, subject }) => ({
    subject: `RE: ${subject.replace(/^Re: /, '')}`,
    messageId: `<AM0PR${Math.random().toString(36).slice(2)}@AM0.eurprd.prod.outlook.com>`,
    inReplyTo: messageId,
    references: [...references.slice(-1), messageId, messageId],
    headers: { 'Thread-Topic': subject, 'Thread-Index': 'AdyZ0000000000000000000000000==' },
  }),
  'Outlook on a phone, which names only what it answers': ({ messageId, subject }) => ({
    subject: `AW: ${subject.replace(/^Re: /, '')}`,
    messageId: `<DB7PR${Math.random().toString(36).slice(2)}@DB7.eurprd.prod.outlook.com>`,
    inReplyTo: messageId,
  }),
  'Apple Mail': ({ messageId, references, subject }) => ({
    subject: subject.startsWith('Re:') ? subject : `Re: ${subject}`,
    messageId: `<${crypto.randomUUID().toUpperCase()}@brandt.example>`,
    inReplyTo: messageId,
    references: [...references, messageId],
    headers: { 'X-Mailer': 'Apple Mail (2.3826.200.121)' },
  }),
}

interface Scene {
  spool: TestSpool
  desk: Desk
  sink: SmtpSink
  page: WebClient
  imap: MailServer
  thread: string
}

for (const database of databases) {
  const share = shareSpool(database, { SPOOL_UNDO_SECONDS: '0', SPOOL_SEND_RETRIES: '1' })
  let dovecot: Promise<Dovecot> | undefined
  const sink = startSmtpSink()
  after(async () => {
    await (await sink)[Symbol.asyncDispose]()
    await (await dovecot)?.[Symbol.asyncDispose]()
  })

  const open = async (user: string): Promise<Scene> => {
    const spool = await share()
    const desk = await openDesk(spool)
    const { host, port } = await (dovecot ??= startDovecot({
      users: { one: 'secret', two: 'secret', carla: 'secret' },
    }))
    const imap = {
      kind: 'imap',
      host,
      port,
      security: 'none',
      user,
      password: 'secret',
      options: {},
    } as const
    await setMailServer(spool.spool, desk.inbox, imap)
    await sendBy(spool.spool, desk.inbox, (await sink).port)
    const { threadId } = await desk.receive({ to: desk.inbox.address })
    return { spool, desk, sink: await sink, page: await signInAs(spool, desk.user), imap, thread: threadId }
  }
  const sendReply = async ({ page }: Scene, threadId: string, text: string): Promise<Draft> => {
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId, text })
    await page.send(draft)
    return untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['sent'])
  }
  const readFolder = async ({ client }: ImapConnection, folder: string): Promise<Buffer[]> => {
    const lock = await client.getMailboxLock(folder, { readOnly: true })
    try {
      // The server tells of new mail only when it is spoken to.
      await client.noop()
      return client.mailbox && client.mailbox.exists > 0
        ? (await client.fetchAll('1:*', { source: true })).map(({ source }) => source!)
        : []
    } finally {
      lock.release()
    }
  }
  const receive = async (
    { spool, desk }: Scene,
    source: Buffer,
    direction: 'inbound' | 'outbound',
  ): Promise<Received> => {
    const usual = { envelopeDate: null, seen: false, quiet: false }
    const batch = [{ mail: parseMail(source), direction, ...usual }]
    return (await receiveMail(spool.spool, desk.inbox, batch))[0]!
  }

  test(
    `${database}: Spool → Dovecot → Spool: answers of every program stay in one thread`,
    { skip },
    async () => {
      const scene = await open('one')
      const { sink, desk, imap, thread, spool } = scene
      await using team = await connectImap(imap)
      await using customer = await connectImap({ ...imap, user: 'carla' })
      for (const [program, write] of Object.entries(programs)) {
        await sendReply(scene, thread, `An answer that ${program} will get.`)
        // The customer's server has it, and the customer's program answers what it reads there.
        await customer.client.append('INBOX', Buffer.from(sink.mails.at(-1)!.source))
        const read = parseMail((await readFolder(customer, 'INBOX')).at(-1)!)
        const answer = write({
          messageId: read.messageId!,
          references: read.references,
          subject: read.subject,
        })
        await team.client.append(
          'INBOX',
          Buffer.from(writeMail({ ...answer, text: `As ${program} writes.` })),
        )
        const received = await receive(scene, (await readFolder(team, 'INBOX')).at(-1)!, 'inbound')
        assert.equal(received.threadId, thread, program)
      }
      const { messageCount, subject } = await desk.thread(thread)
      assert.equal(messageCount, 1 + 2 * Object.keys(programs).length)
      const last = parseMail(Buffer.from(sink.mails.at(-1)!.source))
      assert.equal(last.subject, `Re: ${subject}`, 'one Re: however long it goes on')
      assert.ok(last.references.length >= 5, 'the whole chain')

      // What was sent lies in the Sent folder once, as read, and is recognised when it comes from there.
      const sent = sink.mails.filter(({ from }) => from === desk.inbox.address)
      await passTime(spool.spool)
      const filed = await until('all are filed', async () => {
        const sources = await readFolder(team, 'Sent')
        return sources.length >= sent.length && sources
      })
      assert.deepEqual(
        filed.map((source) => parseMail(source).messageId).toSorted(),
        sent.map(({ messageId }) => messageId).toSorted(),
      )
      for (const source of filed) {
        const again = await receive(scene, source, 'outbound')
        assert.deepEqual([again.duplicate, again.threadId], [true, thread])
        const rewritten = Buffer.from(source.toString('latin1').replace(/An answer/g, 'The answer'), 'latin1')
        assert.equal((await receive(scene, rewritten, 'outbound')).duplicate, true, 'by its Message-ID')
      }
      assert.equal((await desk.events('message.sent')).length, sent.length)
    },
  )

  test(
    `${database}: an answer that was lost is found in the Sent folder, or told by the copy`,
    { skip },
    async () => {
      const scene = await open('two')
      const { spool, desk, page, sink, imap, thread } = scene
      await using proxy = await startCuttingProxy(sink.port, () => 'answer withheld')
      await sendBy(spool.spool, desk.inbox, proxy.port)
      const lose = async (): Promise<Draft> => {
        const draft = await page.do('POST', '/drafts', {
          kind: 'reply',
          threadId: thread,
          text: 'Did it arrive?',
        })
        await page.send(draft)
        return untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['unknown'])
      }
      const first = await lose()
      assert.match(first.problem!, /No answer came/)
      assert.equal((await desk.events('message.unknown')).length, 1)
      assert.equal((await desk.events('message.sent')).length, 0)
      // The provider keeps its own copies, and this one turns up.
      await using team = await connectImap(imap)
      await team.client.append('Sent', Buffer.from(sink.mails.at(-1)!.source), ['\\Seen'])
      await passTime(spool.spool)
      const sent = await untilStatus(() => page.do('GET', `/drafts/${first.id}`), ['sent'])
      assert.equal(sent.outcome?.by.id, desk.user.id)

      // The same when fetching the folder is faster than looking into it.
      const second = await lose()
      const copy = await receive(scene, Buffer.from(sink.mails.at(-1)!.source), 'outbound')
      assert.equal(copy.threadId, thread)
      assert.equal((await page.do('GET', `/drafts/${second.id}`)).status, 'sent')
      assert.equal((await desk.events('message.sent')).length, 2, 'each once')
      const { history } = await desk.thread(thread)
      assert.deepEqual(
        history.flatMap((entry) =>
          entry.type === 'message' && entry.direction === 'outbound' ? [entry.sentBy?.id] : [],
        ),
        [desk.user.id, desk.user.id],
      )
      await passTime(spool.spool)
      assert.equal((await readFolder(team, 'Sent')).length, 1, 'nothing is filed twice')
    },
  )

  test(`${database}: without a Sent folder a person says what happened, and Spool never sends again by itself`, async () => {
    const spool = await share()
    const desk = await openDesk(spool)
    const { port, mails } = await sink
    await using proxy = await startCuttingProxy(port, () => 'answer withheld')
    await sendBy(spool.spool, desk.inbox, proxy.port)
    const page = await signInAs(spool, desk.user)
    const { threadId } = await desk.receive({ to: desk.inbox.address })
    const before = mails.length
    const lose = async (): Promise<Draft> => {
      const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId, text: 'Did it arrive?' })
      await page.send(draft)
      return untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['unknown'])
    }
    const [arrived, lost] = [await lose(), await lose()]
    proxy.next = () => null
    await passTime(spool.spool)
    await sleep(700)
    assert.equal(mails.length, before + 2, 'nothing was sent again')
    assert.equal(
      (await page.ask('POST', `/drafts/${arrived.id}/send`, { revision: 1, seal: '0'.repeat(64) })).status,
      409,
    )
    await page.do('POST', `/drafts/${arrived.id}/settle`, { as: 'sent' })
    await untilStatus(() => page.do('GET', `/drafts/${arrived.id}`), ['sent'])
    assert.equal((await desk.thread(threadId)).messageCount, 2)
    assert.equal((await desk.events('message.sent')).length, 1)

    const editing = await page.do('POST', `/drafts/${lost.id}/settle`, { as: 'editing' })
    assert.equal(editing.status, 'editing')
    await page.send(editing)
    await untilStatus(() => page.do('GET', `/drafts/${lost.id}`), ['sent'])
    assert.equal(mails.length, before + 3, 'sent again by a person, under a new Message-ID')
    assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, mails.length)
  })
}
