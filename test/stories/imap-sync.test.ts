import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { readSyncProgress } from '../../src/core/mailboxes/state.ts'
import type { Event } from '../../src/model/events.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { openOffice } from '../support/mail-office.ts'
import { followMailbox, unfollowMailbox } from '../support/mail-user.ts'
import { skipWithout } from '../support/parts/install.ts'
import { storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('dovecot')

/** A server with Gmail's labels and a folder of all mail. */
async function startLabels(mails: readonly { labels: string; raw: string }[]): Promise<Server> {
  const server = createServer((socket) => {
    const say = (...lines: string[]): unknown => socket.write(lines.map((line) => `${line}\r\n`).join(''))
    const capabilities = 'CAPABILITY IMAP4rev1 SPECIAL-USE X-GM-EXT-1'
    const answers: Record<string, () => unknown> = {
      CAPABILITY: () => say(`* ${capabilities}`),
      LIST: () => say('* LIST (\\All) "/" "All Mail"'),
      STATUS: () => say(`* STATUS "All Mail" (MESSAGES ${mails.length} UIDNEXT 9 UIDVALIDITY 1)`),
      EXAMINE: () => say(`* ${mails.length} EXISTS`, '* OK [UIDVALIDITY 1]', '* OK [UIDNEXT 9]'),
      'UID SEARCH': () => say(`* SEARCH ${mails.map((_, index) => index + 1).join(' ')}`),
      'UID FETCH': () => {
        for (const [index, { labels, raw }] of mails.entries())
          say(
            `* ${index + 1} FETCH (UID ${index + 1} X-GM-LABELS (${labels}) FLAGS () RFC822.SIZE ${raw.length} BODY[] {${raw.length}}`,
            `${raw})`,
          )
      },
    }
    socket.on('error', () => undefined)
    say(`* OK [${capabilities}] here`)
    createInterface(socket)
      .on('error', () => undefined)
      .on('line', (line) => {
        const [, tag, command] = /^(\S+) ((?:UID )?\S+)/.exec(line)!
        // None of them is large.
        if (line.includes('LARGER')) say('* SEARCH')
        else if (line.endsWith('LIST "" ""')) say('* LIST (\\Noselect) "/" ""')
        else answers[command!.toUpperCase()]?.()
        say(`${tag} OK`)
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

for (const database of databases) {
  const started = shareSpool(database)

  test(
    `${database}: mail that arrives is in the API within two seconds, unread and told`,
    { skip },
    async (t) => {
      await using office = await openOffice(started)
      await office.follow()
      await office.upToDate()
      const { desk, user } = office
      const waits: number[] = []
      let cursor = '0'
      // Five in time, or as many more as a busy machine needs: one that is not told of mail is late each time.
      const inTime = (): number => waits.filter((wait) => wait < 2_000).length
      for (let n = 0; n < 6 || (n < 40 && inTime() < 5); n++) {
        const raw = writeMail({ subject: `arrival ${n}` })
        const begun = performance.now()
        await user.append('INBOX', raw, ['\\Seen'])
        const answer = await desk.get(`/api/v1/events?after=${cursor}&type=message.received&wait=30`)
        waits.push(performance.now() - begun)
        const { data, nextCursor } = answer.json<{ data: Event[]; nextCursor: string }>()
        cursor = nextCursor
        const thread = await desk.thread(data[0]!.data.threadId!)
        assert.deepEqual([thread.subject, thread.unread], [`arrival ${n}`, true])
      }
      t.diagnostic(`from APPEND to GET /events: ${waits.map((wait) => Math.round(wait)).join(', ')} ms`)
      assert.ok(inTime() >= 5)
    },
  )

  // Much of the rest is waiting for a server: all at once.
  describe(database, { concurrency: true }, () => {
    test(
      `${database}: the first sync brings history, newest first, quietly, and leaves the mailbox as it was`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        const { user, desk, spool } = office
        for (let n = 0; n < 6; n++)
          await user.write('INBOX', { subject: `history ${n}` }, n % 2 === 0 ? ['\\Seen'] : [])
        const flags = await user.flags('INBOX')
        await office.follow()
        await office.upToDate()

        const events = await desk.events('message.received')
        const subjects = await Promise.all(
          events.map(async ({ data }) => (await desk.thread(data.threadId!)).subject),
        )
        assert.deepEqual(
          subjects,
          [5, 4, 3, 2, 1, 0].map((n) => `history ${n}`),
        )
        const unread = (await desk.threads('?unread=1')).map(({ subject }) => subject)
        assert.deepEqual(unread.sort(), ['history 1', 'history 3', 'history 5'])
        const loud = textQuery<{ seq: number }>('SELECT seq FROM events WHERE inbox = ? AND quiet = 0', [
          desk.inbox.number,
        ])
        assert.deepEqual(await spool.spool.db.all(loud), [], 'history is delivered to nobody')
        assert.deepEqual(await user.flags('INBOX'), flags)

        const progress = (await readSyncProgress(spool.spool)).find(({ inbox }) => inbox.id === desk.inbox.id)
        assert.deepEqual(progress!.folders[0], { name: 'INBOX', isSent: false, total: 6, done: 6 })
        const metrics = (await spool.get('/metrics')).text
        assert.match(metrics, new RegExp(`spool_imap_first_sync_done\\{inbox="${desk.inbox.id}"\\} 6`))
        assert.match(metrics, new RegExp(`spool_imap_connected\\{inbox="${desk.inbox.id}"\\} 1`))
        const told = spool.log.filter((line) => line.includes(desk.inbox.id) && line.includes('first sync'))
        assert.match(told.at(-1)!, /"done":6,"total":6/)
      },
    )

    test(
      `${database}: mail of the Sent folder joins its thread as outbound, and the thread waits`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        const { desk, user } = office
        await user.write('INBOX', {
          messageId: '<old@a.example>',
          subject: 'Old question',
          date: Date.now() - 9e6,
        })
        await user.write('Sent', {
          from: desk.inbox.address,
          inReplyTo: '<old@a.example>',
          date: Date.now() - 8e6,
        })
        await user.write('INBOX', {
          messageId: '<open@a.example>',
          subject: 'Open question',
          date: Date.now() - 7e6,
        })
        await office.follow()
        await office.upToDate()
        const history = await desk.threads()
        assert.deepEqual(
          history.map(({ subject, status, messageCount }) => [subject, status, messageCount]),
          [
            ['Open question', 'open', 1],
            ['Old question', 'waiting', 2],
          ],
        )
        await user.write('Sent', {
          from: desk.inbox.address,
          inReplyTo: '<open@a.example>',
          text: 'Here it is.',
        })
        const answered = await until('the thread waits', async () => {
          const found = await desk.thread(history[0]!.id)
          return found.messageCount === 2 && found
        })
        assert.equal(answered.status, 'waiting')
        const message = answered.history.findLast(({ type }) => type === 'message')
        assert.ok(message?.type === 'message' && message.direction === 'outbound')
      },
    )

    test(
      `${database}: every source is kept byte for byte: without Message-ID, 8-bit rubbish, lone headers`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        const { desk, user } = office
        const rubbish = Buffer.from(Array.from({ length: 4096 }, (_, index) => ((index * 7919) % 254) + 1))
        const raws = [
          Buffer.from('From: a@b.example\r\nSubject: no id\r\n\r\nfirst\r\n'),
          Buffer.from('From: a@b.example\r\nSubject: no id\r\n\r\nsecond\r\n'),
          Buffer.from('Subject: nothing but this\r\n\r\n'),
          Buffer.concat([
            Buffer.from('From: \xff\xfe <x@y.example>\r\nSubject: \x80\x81\r\n\r\n', 'latin1'),
            Buffer.from(
              rubbish
                .toString('latin1')
                .replaceAll(/[\r\n]/g, ' ')
                .replaceAll(/.{900}/gs, '$&\r\n'),
              'latin1',
            ),
            Buffer.from('\r\n'),
          ]),
          Buffer.from(writeMail({ messageId: '<twin@a.example>', text: 'one' })),
          Buffer.from(writeMail({ messageId: '<twin@a.example>', text: 'another with the same id' })),
        ]
        for (const raw of raws.slice(0, 3)) await user.append('INBOX', raw)
        await office.follow()
        await office.upToDate()
        for (const raw of raws.slice(3)) await user.append('INBOX', raw)
        await until(
          'all are here',
          async () => (await storedSources(office.spool.spool, desk.inbox.number)).length === raws.length,
        )
        assert.deepEqual(await storedSources(office.spool.spool, desk.inbox.number), raws.map(sum).sort())
      },
    )

    test(
      `${database}: what is deleted, moved or copied in the mailbox stays here, once`,
      { skip },
      async () => {
        await using office = await openOffice(started)
        const { desk, user } = office
        await user.client.mailboxCreate('Orders')
        for (let n = 0; n < 4; n++) await user.write('INBOX', { subject: `mail ${n}` })
        await office.follow('&folders=INBOX,Orders')
        await office.upToDate()
        const lock = await user.client.getMailboxLock('INBOX')
        await user.client.messageDelete('1')
        await user.client.messageMove('1', 'Orders')
        await user.client.messageCopy('1', 'Orders')
        lock.release()
        await user.write('Orders', { subject: 'straight to Orders' })
        await until('the mail of the other folder', async () => (await desk.threads()).length === 5)
        const subjects = (await desk.threads()).map(({ subject, messageCount }) => [subject, messageCount])
        assert.deepEqual(subjects.sort(), [
          ['mail 0', 1],
          ['mail 1', 1],
          ['mail 2', 1],
          ['mail 3', 1],
          ['straight to Orders', 1],
        ])
      },
    )

    test(`${database}: what somebody is still writing is not mail`, { skip }, async () => {
      await using office = await openOffice(started)
      const { desk, user } = office
      await user.client.mailboxCreate('All')
      await user.write('All', { subject: 'asked' })
      await user.write('All', { subject: 'half an answer' }, ['\\Draft', '\\Seen'])
      await office.follow('&folders=All')
      await office.upToDate()
      await user.write('All', { subject: 'most of an answer' }, ['\\Draft'])
      const moved = `Received: from mx.brandt.example\r\n${writeMail({ subject: 'moved here' })}`
      await user.append('All', moved, ['\\Draft'])
      await user.write('All', { subject: 'asked again' })
      const threads = await until('the mail', async () => {
        const found = await desk.threads()
        return found.length > 2 && found
      })
      assert.deepEqual(threads.map(({ subject }) => subject).toSorted(), [
        'asked',
        'asked again',
        'moved here',
      ])
    })

    test(`${database}: a folder of all mail holds what was sent, too`, async () => {
      const spool = await started()
      const desk = await openDesk(spool)
      const own = desk.inbox.address
      const server = await startLabels([
        { labels: '"\\\\Inbox"', raw: writeMail({ messageId: '<asked@a.example>' }) },
        { labels: '"\\\\Sent" Done', raw: writeMail({ from: own, inReplyTo: '<asked@a.example>' }) },
        // As a form on the team's own site sends it.
        {
          labels: '"\\\\Inbox" "\\\\Sent"',
          raw: writeMail({ from: own, inReplyTo: '<asked@a.example>', text: 'x' }),
        },
      ])
      await followMailbox(spool.spool, desk.inbox, server.address() as AddressInfo, {
        options: '&folders=All Mail',
      })
      const threads = await until('the mail', async () => {
        const found = await desk.threads()
        return found[0]?.messageCount === 3 && found
      })
      const messages = (await desk.thread(threads[0]!.id)).history.filter(({ type }) => type === 'message')
      const directions = messages.map((message) => message.type === 'message' && message.direction)
      assert.deepEqual(directions.toSorted(), ['inbound', 'inbound', 'outbound'])
      await unfollowMailbox(spool.spool, desk.inbox)
      server.close()
    })

    test(`${database}: only the own server is believed about senders`, { skip }, async () => {
      await using office = await openOffice(started)
      const { desk, user } = office
      const result = (id: string, verdict: string): string =>
        `Authentication-Results: ${id} 1;\r\n spf=${verdict} (a; comment) smtp.mailfrom=a@b.example;\r\n dkim=${verdict} header.d=b.example; dmarc=${verdict}\r\n`
      const mails = {
        ours: result('mx.shop.example', 'pass') + result('mx.elsewhere.example', 'fail'),
        forged: result('mx.elsewhere.example', 'fail') + result('mx.shop.example', 'pass'),
        none: '',
      }
      for (const [subject, header] of Object.entries(mails))
        await user.append('INBOX', header + writeMail({ subject }))
      await office.follow('&authserv-id=MX.shop.example')
      await office.upToDate()
      const found = new Map<string, unknown>()
      for (const { id, subject } of await desk.threads()) {
        const message = (await desk.thread(id)).history[0]
        found.set(subject, message?.type === 'message' ? message.authentication : undefined)
      }
      assert.deepEqual(found.get('ours'), { spf: 'pass', dkim: 'pass', dmarc: 'pass' })
      assert.deepEqual([found.get('forged'), found.get('none')], [null, null])
    })
  })
}
