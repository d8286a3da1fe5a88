import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { noticeLease } from '../../src/core/notices/lease.ts'
import { listNotices } from '../../src/core/notices/reading.ts'
import { addBrowser, changeNoticeSettings } from '../../src/core/notices/settings.ts'
import { addUser } from '../../src/core/people/people.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import type { Spool } from '../../src/core/spool.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { person, type User } from '../../src/model/access.ts'
import { Child } from '../support/child.ts'
import { freshDatabase, oneDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { mustHold } from '../support/must-hold.ts'
import { concerning } from '../support/notice-world.ts'
import { startPushService, type PushServiceOfTests } from '../support/push-service.ts'
import { makeSession } from '../support/session.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const people = long ? 2000 : 200
const kills = long ? 12 : 3
const nodes = 3

async function addListener(
  spool: Spool,
  push: PushServiceOfTests,
  number: number,
  inbox: string,
): Promise<User> {
  const name = `P${number}`
  const email = `${name.toLowerCase()}@team.example`
  const user = await addUser(spool, { email, name, role: 'member', inboxes: [inbox], password: null })
  const { actor } = await makeSession(spool, user)
  await addBrowser(spool, actor, push.subscribe())
  await changeNoticeSettings(spool, actor, concerning)
  return user
}

/** The process that delivers. */
async function findHolder({ db }: Spool): Promise<number | null> {
  const lease = await db.first(db.build.selectFrom('leases').select('holder').where('name', '=', noticeLease))
  return lease ? Number(lease.holder.split('/')[1]) : null
}

/** How often each was told by a way, in the order of the people. */
function countPer<Item>(told: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of told) counts.set(nameOf(each), (counts.get(nameOf(each)) ?? 0) + 1)
  return counts
}

for (const database of oneDatabase(1))
  test(`${database}: three nodes are killed while ${people} notices go out: none is lost, hardly any comes twice, on the page none`, async (t) => {
    await using fresh = await freshDatabase(database)
    await using sink = await startSmtpSink()
    const environment = {
      ...fresh.env,
      SPOOL_URL: 'http://127.0.0.1:4100',
      SPOOL_FETCH_ALLOW: '127.0.0.0/8',
      SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${sink.port}?tls=none`,
      SPOOL_NOTICE_FROM: 'spool@team.example',
    }
    await using spool = await openSpool(readConfig(environment), 'inline')
    await using push = await startPushService(spool.keys.push.publicKey)
    const inbox = await addInbox(spool, 'support@shop.example', null)
    const ada = await addUser(spool, {
      email: 'ada@shop.example',
      name: 'Ada',
      role: 'admin',
      inboxes: [],
      password: null,
    })
    const mail = await parseMail(Buffer.from(writeMail({})))
    const how = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
    const [received] = await receiveMail(spool, inbox, [{ mail, ...how }])
    const team: User[] = []
    for (let number = 0; number < people; number++)
      team.push(await addListener(spool, push, number, inbox.id))

    const start = async (): Promise<Child> => {
      const child = new Child('test/faults/child/notices.ts', [], environment)
      await child.says(/tells/, 180_000)
      return child
    }
    const running = await Promise.all(Array.from({ length: nodes }, start))
    let [isWriting, hits] = [true, 0]
    const killing = (async () => {
      for (let count = 0; count < kills; count++) {
        // All along the way, by what has gone out so far.
        const share = ((count + Math.random()) / kills) * people
        await until('the next kill', async () => push.received.length >= share - 1 || !isWriting, 120_000)
        const victim = Math.floor(Math.random() * nodes)
        if ((await findHolder(spool)) === running[victim]!.process.pid) hits++
        await running[victim]!.kill()
        running[victim] = await start()
      }
    })()
    for (const { name } of team) {
      await addNote(spool, person(ada), received!.threadId, `@${name}`)
      await sleep(10)
    }
    isWriting = false
    await killing
    const pushed = (): Map<string, number> => countPer(push.received, ({ endpoint }) => endpoint)
    const mailed = (): Map<string, number> => countPer(sink.mails, ({ to }) => to.join())
    await until(
      'everybody is told',
      async () => pushed().size === people && mailed().size === people,
      180_000,
    )
    for (const child of running) await child.kill()

    for (const user of team) {
      const { data } = await listNotices(spool, { user, inboxes: [inbox] }, { cursor: null, limit: 10 })
      mustHold.deepEqual(
        data.map(({ kind, count }) => `${kind} ${count}`),
        ['mentioned 1'],
      )
    }
    assert.deepEqual(push.faults, [])
    const again = { push: push.received.length - people, mail: sink.mails.length - people }
    t.diagnostic(
      `${kills} kills, ${hits} of the node that delivers, ${people} notices; repeated: ${again.push} pushes, ${again.mail} mails`,
    )
    // At most what was in flight at each kill: one by each way, unless a busy machine took long for it.
    const most = long ? people * 0.005 - 1 : kills
    assert.ok(again.push <= most && again.mail <= most, JSON.stringify(again))
  })
