import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { person } from '../../src/model/access.ts'
import { freshDatabase, oneDatabase } from '../support/databases.ts'
import { describeTimes, quantile } from '../support/latencies.ts'
import { writeMail } from '../support/letter.ts'
import { openLive } from '../support/live-page.ts'
import { startNode } from '../support/nodes.ts'
import { concerning } from '../support/notice-world.ts'
import { listen } from '../support/notices.ts'
import { startPushService } from '../support/push-service.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { openSession } from '../support/web-client.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const people = long ? 200 : 15

/** How long it takes is told always, and judged in a long run, which has the machine for itself. */
for (const database of oneDatabase(1))
  test(`${database}: a mention on one node reaches the page on another, the browser and the mailbox`, async (t) => {
    await using fresh = await freshDatabase(database)
    await using sink = await startSmtpSink()
    const environment = {
      SPOOL_FETCH_ALLOW: '127.0.0.0/8',
      SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${sink.port}?tls=none`,
      SPOOL_NOTICE_FROM: 'spool@team.example',
    }
    await using one = await startNode(fresh, environment)
    await using other = await startNode(fresh, environment)
    const { spool } = one.app
    await using push = await startPushService(spool.keys.push.publicKey)
    const inbox = await addInbox(spool, 'support@shop.example', null)
    const ada = {
      email: 'ada@shop.example',
      name: 'Ada',
      role: 'admin',
      inboxes: [],
      password: null,
    } as const
    const actor = person(await addUser(spool, ada))
    const mail = await parseMail(Buffer.from(writeMail({})))
    const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
    const [received] = await receiveMail(spool, inbox, [{ mail, ...how }])
    const arrivals = new Map<string, number>()
    sink.deliver = async ({ to }) => void arrivals.set(to.join(), performance.now())
    const times: Record<'page' | 'push' | 'mail', number[]> = { page: [], push: [], mail: [] }
    for (let number = 0; number < people; number++) {
      const [name, email] = [`P${number}`, `p${number}@team.example`]
      const user = await addUser(spool, { email, name, role: 'member', inboxes: [inbox.id], password: null })
      const page = await openSession(spool, other.app.url, user)
      // Not of the first mail, which may be read after this.
      const { endpoint } = await listen(page, push, concerning)
      await using live = await openLive({ url: other.app.url }, page.cookie)
      assert.deepEqual((await live.next('notices'))?.data, { unread: 0 })
      await addNote(spool, actor, received!.threadId, `@${name}`)
      const committed = performance.now()
      const told = await live.next('notices')
      times.page.push(performance.now() - committed)
      assert.deepEqual(told?.data, { unread: 1 })
      const pushed = await until('the push', async () =>
        push.received.find((each) => each.endpoint === endpoint),
      )
      times.push.push(pushed.at - committed)
      times.mail.push((await until('the mail', async () => arrivals.get(email))) - committed)
    }
    for (const [way, each] of Object.entries(times)) {
      t.diagnostic(`${way}: ${describeTimes(each)}`)
      if (long) assert.ok(quantile(each, 0.99) < 2000, `${way}: ${describeTimes(each)}`)
    }
    assert.deepEqual(push.faults, [])
  })
