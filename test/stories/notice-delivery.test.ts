import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetOldNotices } from '../../src/core/notices/reading.ts'
import { removeInbox } from '../../src/core/inboxes/inboxes.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { addNote, editNote } from '../../src/core/threads/notes.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import type { NoticeSettings } from '../../src/model/notices/notices.ts'
import { transaction } from '../../src/store/database.ts'
import { appendEvent } from '../../src/store/log/events.ts'
import { databases } from '../support/databases.ts'
import type { Letter } from '../support/letter.ts'
import { openLive } from '../support/live-page.ts'
import { buildNoticeWorld, concerning, failSending, kindsOf, type Somebody } from '../support/notice-world.ts'
import { everyWay, listen, noticesOf, settingsWith } from '../support/notices.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases) {
  test(`${database}: notices come once, are judged when they leave, and end when they are read`, async (t) => {
    await using world = await buildNoticeWorld(database)
    const { spool, push, sink } = world
    const { spool: core, actor } = spool
    const mia = await world.somebody('mia', 'member')
    const newThread = async (letter: Letter = {}): Promise<string> => (await spool.receive(letter)).threadId

    await t.test('a note that is edited tells only who was not mentioned before', async () => {
      const thread = await newThread()
      const other = await world.somebody('other', 'member')
      await world.settle()
      world.told()
      const note = await addNote(core, actor, thread, 'Look, @mia')
      await world.settle()
      await editNote(core, actor, note, 'Look, @mia and @other')
      await world.settle()
      assert.deepEqual(world.told().pushes, ['mia: Ada mentioned you', 'other: Ada mentioned you'])
      const [told] = await noticesOf(mia.page)
      assert.equal(told!.link, `/threads/${thread}?note=${note}`)
      await removeUser(core, other.user.email)
    })

    await t.test('machines, spam and imported history ring nobody', async () => {
      world.pass(2)
      await world.settle()
      world.told()
      const generated = { headers: { 'Auto-Submitted': 'auto-generated' } }
      const { settings } = await mia.page.do<{ settings: NoticeSettings }>('GET', '/notices/settings')
      await mia.page.do('PUT', '/notices/settings', settingsWith(everyWay))
      await newThread(generated)
      await newThread({ headers: { 'Auto-Submitted': 'auto-replied' } })
      await spool.receive({ subject: 'Spam' }, { spam: true })
      await spool.receive({ subject: 'Old' }, { quiet: true })
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: [] })
      await mia.page.do('PUT', '/notices/settings', settings)
      const thread = await newThread({ messageId: '<mine@x.example>' })
      await world.settle()
      await assignThread(core, actor, thread, mia.user)
      await world.settle()
      assert.deepEqual(world.told().pushes, ['mia: Ada assigned a thread to you'])
      world.pass(2)
      await spool.receive({ inReplyTo: '<mine@x.example>', ...generated })
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: [] })
    })

    await t.test('the page hears of it at once, and reading it takes it away everywhere', async () => {
      await mia.page.do('POST', '/notices/read', { ids: null })
      await using live = await openLive(spool, mia.page.cookie)
      assert.deepEqual((await live.next('notices'))!.data, { unread: 0 })
      const [one, two] = [await newThread(), await newThread()]
      await mia.page.do('POST', '/notices/read', { ids: null })
      for (const thread of [one, one, two]) await addNote(core, actor, thread, '@mia')
      await until(
        'three on the badge',
        async () =>
          (live.heard.findLast(({ event }) => event === 'notices')?.data as { unread?: number })?.unread ===
          3,
      )
      await mia.page.do('POST', `/threads/${one}/read`, {})
      const left = (await noticesOf(mia.page)).filter(({ read }) => !read)
      assert.deepEqual(
        left.map(({ thread }) => thread?.id),
        [two],
        'the thread that was opened is read',
      )
      const { unread } = await mia.page.do<{ unread: number }>('POST', '/notices/read', {
        ids: [left[0]!.id],
      })
      assert.equal(unread, 0)
    })

    await t.test('what waits for the end of quiet hours goes only to who may still have it', async () => {
      const hour = (offset: number): string =>
        new Date(core.now() + offset * 3_600_000).toISOString().slice(11, 16)
      const quiet = { ...concerning, quiet: { from: hour(-1), until: hour(2) } }
      const names = ['waits', 'loses', 'leaves', 'mutes', 'reads', 'declines'] as const
      const people = new Map<string, Somebody>()
      for (const name of names) people.set(name, await world.somebody(name, 'member', true, quiet))
      const thread = await newThread()
      await addNote(core, actor, thread, names.map((name) => `@${name}`).join(' '))
      await world.settle()
      world.told()
      const { waits, loses, leaves, mutes, reads, declines } = Object.fromEntries(people) as Record<
        string,
        Somebody
      >
      assert.equal((await noticesOf(waits!.page)).length, 1, 'the page shows it meanwhile')
      const closing = await spool.makeInbox('closing@shop.example')
      await changeUser(core, waits!.user.email, { inboxes: [spool.inbox.id, closing.id] })
      const { threadId } = await spool.receive({ subject: 'Of an inbox that is removed' }, { inbox: closing })
      await addNote(core, actor, threadId, '@waits')
      await world.settle()
      assert.equal((await noticesOf(waits!.page)).length, 2)
      await removeInbox(core, closing.id)
      assert.equal((await noticesOf(waits!.page)).length, 1, 'an inbox that was removed tells nothing')
      await changeUser(core, loses!.user.email, { inboxes: [] })
      assert.deepEqual(await noticesOf(loses!.page), [], 'and no longer to who has lost the inbox')
      await removeUser(core, leaves!.user.email)
      await mutes!.page.do('PUT', `/threads/${thread}/following`, { following: 'mute' })
      assert.deepEqual(await noticesOf(mutes!.page), [])
      await reads!.page.do('POST', `/threads/${thread}/read`, {})
      await declines!.page.do(
        'PUT',
        '/notices/settings',
        settingsWith({ ...everyWay, push: false, mail: 'off' }),
      )
      world.pass(121)
      await world.settle()
      assert.deepEqual(world.told(), { pushes: ['waits: Ada mentioned you'], mails: ['waits@team.example'] })
      await addNote(core, actor, thread, '@mutes @loses')
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: [] })
      // Whoever is given the inbox again starts with everything read.
      await changeUser(core, loses!.user.email, { inboxes: [spool.inbox.id] })
      assert.deepEqual(await noticesOf(loses!.page), [])
      for (const name of names.filter((each) => each !== 'leaves'))
        await removeUser(core, `${name}@team.example`)
    })

    await t.test(
      'a browser that is gone is forgotten, one that fails is tried again, one signed out is silent',
      async () => {
        const pia = await world.somebody('pia', 'member')
        const browsers = async (): Promise<number> =>
          (await pia.page.do<{ browsers: unknown[] }>('GET', '/notices/settings')).browsers.length
        const thread = await newThread()
        await world.settle()
        world.told()
        push.answer = (endpoint) => (endpoint === pia.endpoint ? 503 : 201)
        await addNote(core, actor, thread, '@pia')
        await world.settle()
        assert.deepEqual(world.told().pushes, [])
        push.answer = () => 201
        world.pass(2)
        await world.settle()
        assert.deepEqual(world.told().pushes, ['pia: Ada mentioned you'])
        // A new password ends the session that subscribed.
        const again = await signInAs(spool, pia.user)
        await addNote(core, actor, thread, '@pia')
        await world.settle()
        assert.deepEqual(world.told().pushes, [], 'a new password ended the session that subscribed')
        const { endpoint } = await listen(again, push)
        push.answer = (at) => (at === endpoint ? 410 : 201)
        pia.page = again
        assert.equal(await browsers(), 1)
        await addNote(core, actor, thread, '@pia')
        await world.settle()
        assert.equal(await browsers(), 0)
        push.answer = () => 201
        await removeUser(core, pia.user.email)
      },
    )

    await t.test('a test is sent at once, even while an earlier one waits for a retry', async () => {
      const tia = await world.somebody('tia', 'member')
      const test = async (): Promise<unknown> => {
        for (const way of ['push', 'mail']) await tia.page.do('POST', '/notices/test', { way })
        await world.settle()
        return world.told()
      }
      await world.settle()
      world.told()
      ;[push.answer, sink.refuse] = [() => 503, () => 451]
      assert.deepEqual(await test(), { pushes: [], mails: [] })
      ;[push.answer, sink.refuse] = [() => 201, () => null]
      assert.deepEqual(await test(), {
        pushes: ['tia: This is a test notice'],
        mails: ['tia@team.example'],
      })
      await removeUser(core, tia.user.email)
    })

    await t.test('a mail says who, what and where, and nothing of what others wrote', async () => {
      world.pass(2)
      await world.settle()
      world.told()
      const thread = await newThread({
        subject: 'Zimtstern',
        from: 'Nelke <nelke@spice.example>',
        text: 'Kardamom',
      })
      await addNote(core, actor, thread, '@mia Piment')
      await world.settle()
      const { source, to, from } = sink.mails.at(-1)!
      assert.deepEqual([from, to], ['spool@shop.example', ['mia@team.example']])
      assert.match(source, /^Auto-Submitted: auto-generated\r$/im)
      assert.match(source, /Ada mentioned you/)
      assert.match(source.replaceAll('=\r\n', ''), new RegExp(`/threads/${thread}`))
      assert.doesNotMatch(source, /Zimtstern|Nelke|spice|Kardamom|Piment/i)
      const message = push.received.at(-1)!.message
      assert.equal(message.body, 'Nelke: Zimtstern')
      // Somebody whose address is an inbox's own gets none: it would come in as mail.
      const own = await world.somebody('own', 'member')
      await spool.makeInbox('own@team.example')
      await addNote(core, actor, thread, '@own')
      world.pass(2)
      await world.settle()
      assert.ok(!sink.mails.some((mail) => mail.to.includes(own.user.email)))
      await mia.page.do('PUT', '/notices/settings', { ...concerning, pushDetails: false })
      await addNote(core, actor, thread, '@mia')
      await world.settle()
      assert.equal(push.received.at(-1)!.message.body, '')
    })

    await t.test('who has no browser is not pushed to, and gets the mail', async () => {
      const user = await spool.makeUser('bare@team.example', 'member', [spool.inbox])
      const page = await signInAs(spool, user)
      await page.do('PUT', '/notices/settings', concerning)
      const note = await addNote(core, actor, await newThread(), '@bare')
      await world.settle()
      const { db } = core
      const columns = ['push_at', 'pushed_at', 'mailed_at'] as const
      const told = db.build.selectFrom('notices').select(columns).where('about', '=', `mentioned:${note}`)
      const { mailed_at, ...pushed } = (await db.first(told))!
      assert.deepEqual(pushed, { push_at: null, pushed_at: null })
      assert.ok(mailed_at !== null && sink.mails.some(({ to }) => to.includes(user.email)))
      await removeUser(core, user.email)
    })

    await t.test('each is recorded before the next leaves, so that a crash repeats one', async () => {
      const names = Array.from({ length: 6 }, (_, number) => `crew${number}`)
      for (const name of names) await world.somebody(name, 'member')
      const thread = await newThread()
      await world.settle()
      const handed = { pushed_at: 0, mailed_at: 0 }
      /** Handed over and not recorded, whenever another one is handed over. */
      const inFlight = { pushed_at: [] as number[], mailed_at: [] as number[] }
      const arrive = async (way: keyof typeof handed): Promise<void> => {
        const count = ++handed[way]
        const { db } = core
        const recorded = db.build.selectFrom('notices').select('id').where(way, 'is not', null)
        const rows = await db.all(recorded.where('about', '=', `mentioned:${await note}`))
        inFlight[way].push(count - rows.length)
      }
      push.answer = async () => {
        await arrive('pushed_at')
        return 201
      }
      sink.deliver = () => arrive('mailed_at')
      const note = addNote(core, actor, thread, names.map((name) => `@${name}`).join(' '))
      await until('all recorded', async () => {
        const { db } = core
        const told = db.build
          .selectFrom('notices')
          .select('id')
          .where('about', '=', `mentioned:${await note}`)
        const done = told.where('pushed_at', 'is not', null).where('mailed_at', 'is not', null)
        return (await db.all(done)).length === names.length
      })
      for (const counts of Object.values(inFlight)) {
        assert.equal(counts.length, names.length)
        // A busy machine may take so long for one that the next does not wait for it.
        assert.ok(counts.filter((count) => count > 1).length <= names.length / 3, String(counts))
      }
      push.answer = () => 201
      sink.deliver = async () => undefined
      for (const name of names) await removeUser(core, `${name}@team.example`)
    })

    await t.test('many at once are one push and one mail, and a digest comes when it is time', async () => {
      world.pass(2)
      await world.settle()
      world.told()
      const thread = await newThread()
      await world.settle()
      await mia.page.do('POST', '/notices/read', { ids: null })
      world.pass(2)
      world.told()
      await transaction(core.db, async (db) => {
        const { user } = mia
        for (let count = 0; count < 200; count++)
          await appendEvent(db, {
            type: 'message.failed',
            inbox: spool.inbox.number,
            timestamp: core.now(),
            quiet: false,
            data: {
              threadId: thread,
              draftId: `drf_${count}`,
              actor: { type: 'person', id: user.id, name: user.name },
            },
          })
      })
      await world.settle()
      assert.deepEqual(world.told(), { pushes: ['mia: 200 new notices'], mails: ['mia@team.example'] })
      const digestAt = new Date(core.now() + 3_600_000).toISOString().slice(11, 16)
      await mia.page.do(
        'PUT',
        '/notices/settings',
        settingsWith({ page: false, push: false, mail: 'digest' }, { digestAt }),
      )
      await mia.page.do('POST', '/notices/read', { ids: null })
      await addNote(core, actor, thread, '@mia')
      await failSending(world, mia, 'message.unknown')
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: [] })
      assert.deepEqual(await kindsOf(mia.page), [], 'neither of them is for the page')
      world.pass(61)
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: ['mia@team.example'] })
      assert.match(sink.mails.at(-1)!.source, /Subject: Spool: 2 notices/)
      await addNote(core, actor, thread, '@mia again')
      await world.settle()
      await mia.page.do('POST', `/threads/${thread}/read`, {})
      world.pass(24 * 60)
      await world.settle()
      assert.deepEqual(world.told(), { pushes: [], mails: [] }, 'a thread that was opened is in no digest')
    })

    await t.test('what waits for the digest follows what is chosen meanwhile', async () => {
      const choose = async (mail: 'now' | 'digest', minutes = 0): Promise<void> => {
        const digestAt = new Date(core.now() + minutes * 60_000).toISOString().slice(11, 16)
        const wanted = settingsWith({ ...everyWay, push: false, mail }, { digestAt })
        await mia.page.do('PUT', '/notices/settings', wanted)
      }
      const mails = async (): Promise<string[]> => {
        await world.settle()
        return world.told().mails
      }
      await mia.page.do('POST', '/notices/read', { ids: null })
      await choose('digest', 60)
      await addNote(core, actor, await newThread(), '@mia')
      assert.deepEqual(await mails(), [])
      await choose('digest', 120)
      world.pass(61)
      assert.deepEqual(await mails(), [], 'it comes later now')
      await choose('now')
      assert.deepEqual(await mails(), ['mia@team.example'])
    })

    await t.test('following and muting survive a merge, and what is 90 days old is forgotten', async () => {
      const one = await newThread({ messageId: '<a@x.example>' })
      const two = await newThread({ messageId: '<b@x.example>' })
      await world.settle()
      await mia.page.do('PUT', '/notices/settings', { ...concerning, zone: 'Europe/Berlin' })
      await mia.page.do('PUT', `/threads/${two}/following`, { following: 'follow' })
      await joinThreads(core, actor, one, two)
      await assignThread(core, actor, one, spool.ada)
      await world.settle()
      world.told()
      await spool.receive({ inReplyTo: '<a@x.example>' })
      await world.settle()
      assert.deepEqual(world.told().pushes, ['mia: New message in your thread'])
      const { following } = await mia.page.do<{ following: string }>('GET', `/threads/${one}`)
      assert.equal(following, 'follow')
      world.pass(91 * 24 * 60)
      await forgetOldNotices(core)
      assert.equal((await core.db.all(core.db.build.selectFrom('notices').select('id'))).length, 0)
    })
  })
}
