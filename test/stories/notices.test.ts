import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { pack, recordDelivery } from '../../src/core/notices/delivery.ts'
import { NoticeLog, passOverLog } from '../../src/core/notices/follow-log.ts'
import { noticeLease } from '../../src/core/notices/lease.ts'
import { storeNotices, type Wanted } from '../../src/core/notices/notices.ts'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { noteSyncState } from '../../src/core/mailboxes/state.ts'
import { leaseOf } from '../../src/core/mailboxes/sync.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import { actorReference, system } from '../../src/model/access.ts'
import type { NoticeKind } from '../../src/model/notices/words.ts'
import { transaction } from '../../src/store/database.ts'
import { claimLease } from '../../src/store/leases.ts'
import { appendEvent } from '../../src/store/log/events.ts'
import { listListeners, readPosition, saveListener } from '../../src/store/notices/audience.ts'
import { readNotices } from '../../src/store/notices/notices.ts'
import { agentOf } from '../support/agents.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { buildNoticeWorld, failSending, kindsOf } from '../support/notice-world.ts'
import { everyWay, settingsWith } from '../support/notices.ts'
import { makeRandom } from '../support/random.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases) {
  test(`${database}: each kind reaches by each way exactly those it concerns, who may see it`, async () => {
    await using world = await buildNoticeWorld(database)
    const { spool } = world
    const { spool: core, inbox } = spool
    const everything = settingsWith(everyWay)
    const people = {
      admin: await world.somebody('admin', 'admin', true, everything),
      member: await world.somebody('member', 'member', true, everything),
      viewer: await world.somebody('viewer', 'viewer', true, everything),
      stranger: await world.somebody('stranger', 'member', false, everything),
      lost: await world.somebody('lost', 'member', true, everything),
      removed: await world.somebody('removed', 'member', true, everything),
    }
    const everyone = Object.values(people)
    const followed = (await spool.receive({ subject: 'Followed', messageId: '<followed@x.example>' }))
      .threadId
    const toAssign: string[] = []
    for (const subject of ['One', 'Two', 'Three']) toAssign.push((await spool.receive({ subject })).threadId)
    await assignThread(core, spool.actor, followed, spool.ada)
    for (const { page } of [people.admin, people.member, people.viewer, people.lost, people.removed])
      await page.do('PUT', `/threads/${followed}/following`, { following: 'follow' })
    await world.settle()
    world.told()
    await changeUser(core, people.lost.user.email, { inboxes: [] })
    await removeUser(core, people.removed.user.email)

    /** What happens, and who hears of it: by all three ways, the same people. */
    const happenings: [NoticeKind, () => Promise<unknown>, (keyof typeof people)[]][] = [
      [
        'mentioned',
        () => addNote(core, spool.actor, followed, everyone.map(({ user }) => `@${user.email}`).join(' ')),
        ['admin', 'member', 'viewer'],
      ],
      [
        'assigned',
        async () => {
          for (const [index, { user }] of [people.admin, people.member, people.viewer].entries())
            await assignThread(core, spool.actor, toAssign[index]!, user)
          await assert.rejects(assignThread(core, spool.actor, followed, people.stranger.user))
        },
        ['admin', 'member', 'viewer'],
      ],
      [
        'mail',
        async () => {
          await assignThread(core, spool.actor, followed, spool.ada)
          await spool.receive({ inReplyTo: '<followed@x.example>', subject: 'Re: Followed' })
        },
        ['admin', 'member', 'viewer'],
      ],
      ['unassigned', () => spool.receive({ subject: 'Fresh' }), ['admin', 'member', 'viewer']],
      [
        'draft',
        async () => {
          const token = await spool.makeToken(people.member.user)
          await assignThread(core, spool.actor, followed, people.member.user)
          await world.settle()
          world.told()
          await people.member.page.do('POST', '/notices/read', { ids: null })
          world.pass(2)
          await proposeDraft(core, await agentOf(core, token), { threadId: followed, text: 'Marzipan' })
        },
        ['member'],
      ],
      [
        'failed',
        async () => {
          for (const one of everyone) await failSending(world, one)
        },
        ['admin', 'member', 'viewer'],
      ],
      [
        'stopped',
        async () => {
          const owner = { inbox, holder: 'tests' }
          await transaction(core.db, (db) => claimLease(db, leaseOf(inbox.number), owner.holder, 60_000))
          await noteSyncState(core, owner, 'failing', { message: 'x', problem: 'x', retryAt: 0 })
          world.pass(6)
        },
        ['admin'],
      ],
    ]
    for (const [kind, happen, whom] of happenings) {
      for (const { page } of [people.admin, people.member, people.viewer])
        await page.do('POST', '/notices/read', { ids: null })
      world.pass(11)
      await happen()
      await world.settle()
      const { pushes, mails } = world.told()
      assert.deepEqual(
        pushes.map((text) => text.split(':')[0]),
        [...whom].sort(),
        `${kind} by push`,
      )
      assert.deepEqual(mails, whom.map((name) => `${name}@team.example`).sort(), `${kind} by mail`)
      for (const name of ['admin', 'member', 'viewer', 'stranger', 'lost'] as const)
        assert.deepEqual(
          await kindsOf(people[name].page),
          whom.includes(name) ? [`${kind} 1`] : [],
          `${kind}: ${name}`,
        )
    }
    // A mailbox with other servers, or none, is not the one that stopped.
    await changeInbox(core, inbox.id, { servers: [{ kind: 'imap', server: null }] })
    assert.deepEqual(await kindsOf(people.admin.page), [])
  })

  test(`${database}: the address for pushes to a browser is one that both databases can store`, async () => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
    const add = (path: string) =>
      page.ask('POST', '/notices/browsers', { endpoint: `https://push.example/${path}`, keys })
    const random = makeRandom(1)
    const long = (from: number, many: number) =>
      Array.from({ length: 1_900 }, () => String.fromCodePoint(from + Math.floor(random() * many))).join('')
    assert.equal((await add(long(0x61, 26))).status, 200)
    const refused = await add(long(0x4e00, 20_000))
    assert.equal(refused.status, 400)
    assert.match(refused.text, /endpoint/)
  })

  test(`${database}: an agent's proposals are one notice in ten minutes, however many they are`, async () => {
    await using world = await buildNoticeWorld(database)
    const { spool, push } = world
    const { spool: core } = spool
    const kai = await world.somebody('kai', 'member')
    const bot = await agentOf(core, await spool.makeToken(kai.user))
    const threads = process.env['SPOOL_TEST_LONG'] === '1' ? 200 : 8
    const quiet = settingsWith({ page: false, push: false, mail: 'off' })
    await kai.page.do('PUT', '/notices/settings', { ...quiet, kinds: { ...quiet.kinds, draft: everyWay } })
    await world.settle()
    const shown: number[] = []
    /** The page's notice is read as soon as it is there; a new one is a new notice. */
    const look = async (): Promise<void> => {
      if ((await kindsOf(kai.page)).length === 0) return
      shown.push(core.now())
      await kai.page.do('POST', '/notices/read', { ids: null })
    }
    for (let count = 0; count < threads; count++) {
      const { threadId } = await spool.receive({})
      for (let each = 0; each < 5; each++) await proposeDraft(core, bot, { threadId, text: 'Marzipan' })
      if (count % (threads / 4) === 1) {
        await world.settle()
        await look()
        world.pass(0.2)
      }
    }
    await world.settle()
    await look()
    assert.deepEqual([shown.length, push.received.length, world.sink.mails.length], [1, 1, 1])
    world.pass(10.1)
    await world.settle()
    await look()
    assert.deepEqual(
      [shown.length, push.received.length, world.sink.mails.length],
      [2, 2, 2],
      'the rest, as one',
    )
    assert.doesNotMatch(world.sink.mails.map(({ source }) => source).join(), /Marzipan/)
    assert.match(push.received[1]!.message.title, /^\d+ drafts are waiting for you$/)
    assert.equal(push.received[1]!.message.body, '', 'of many threads none is named')
  })

  test(`${database}: a thread whose assignee has lost the inbox is nobody's, for mail and for proposals`, async () => {
    await using world = await buildNoticeWorld(database)
    const { spool } = world
    const { spool: core } = spool
    const bo = await world.somebody('bo', 'member', true, settingsWith(everyWay))
    const cy = await world.somebody('cy', 'member', true, settingsWith(everyWay))
    const bot = await agentOf(core, await spool.makeToken(cy.user))
    const { threadId } = await spool.receive({ messageId: '<order@x.example>' })
    await assignThread(core, spool.actor, threadId, bo.user)
    const happen = async (): Promise<string[]> => {
      await world.settle()
      world.told()
      for (const { page } of [bo, cy]) await page.do('POST', '/notices/read', { ids: null })
      world.pass(11)
      await spool.receive({ inReplyTo: '<order@x.example>' })
      await proposeDraft(core, bot, { threadId, text: 'Marzipan' })
      await world.settle()
      return [...(await kindsOf(bo.page)).map((kind) => `bo: ${kind}`), ...(await kindsOf(cy.page))].sort()
    }
    assert.deepEqual(await happen(), ['bo: draft 1', 'bo: mail 1'])
    await changeUser(core, bo.user.email, { inboxes: [] })
    assert.deepEqual(await happen(), ['draft 1', 'unassigned 1'])
    assert.ok(world.told().mails.includes('cy@team.example'))
  })

  test(`${database}: the place in the log is stored after 1,000 events that ring nobody, and not before`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    const { spool } = store
    const { db } = spool
    const [ada] = await listListeners(db)
    await passOverLog(spool)
    await transaction(db, (db) => claimLease(db, noticeLease, 'this node', 600_000))
    const log = new NoticeLog(spool, 'this node')
    const passOn = async (count: number): Promise<number> => {
      await transaction(db, async (db) => {
        for (let each = 0; each < count; each++)
          await appendEvent(db, {
            type: 'webhook.test',
            inbox: null,
            userId: ada!.id,
            timestamp: spool.now(),
            quiet: false,
            data: { threadId: null, webhookId: 'whk_none', actor: actorReference(system) },
          })
      })
      while (await log.readOn());
      return readPosition(db)
    }
    const start = await readPosition(db)
    assert.deepEqual([await passOn(999), await passOn(1)], [start, start + 1000])
    assert.deepEqual([await passOn(999), await passOn(1)], [start + 1000, start + 2000])
  })

  test(`${database}: what is repeated while its mail is on the way is mailed again, also if it was read in between`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    const { spool, inbox } = store
    const { db } = spool
    const [ada] = await listListeners(db)
    const ring: Wanted = {
      userId: ada!.id,
      kind: 'unassigned',
      about: 'unassigned',
      inbox: inbox.number,
      thread: null,
      data: { actor: null, detail: null, id: null },
      choice: everyWay,
      settings: settingsWith(everyWay),
    }
    let now = Date.now()
    spool.now = () => now
    await transaction(db, (db) => saveListener(db, ada!.id, { settings: JSON.stringify(ring.settings) }))
    for (const happens of ['nothing', 'repeated', 'read', 'read and repeated']) {
      now += 3_600_000
      await transaction(db, (db) => storeNotices(db, [ring], now))
      const parcel = await pack(spool, 'mail', ada!.id)
      assert.equal(parcel!.notices.length, 1)
      now += 1
      if (happens.startsWith('read')) await transaction(db, (db) => readNotices(db, ada!.id, 'all', now))
      if (happens.endsWith('repeated')) await transaction(db, (db) => storeNotices(db, [ring], now))
      await recordDelivery(spool, { parcel: parcel!, problem: null, isFinal: false, browsers: [] })
      now += 120_000
      const again = await pack(spool, 'mail', ada!.id)
      assert.equal(again?.notices.length, happens.endsWith('repeated') ? 1 : undefined, happens)
      await transaction(db, (db) => readNotices(db, ada!.id, 'all', now))
    }
  })
}
