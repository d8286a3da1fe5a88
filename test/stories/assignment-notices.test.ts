import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignThread } from '../../src/core/threads/threads.ts'
import type { Changed } from '../../src/model/work.ts'
import { databases } from '../support/databases.ts'
import { buildNoticeWorld } from '../support/notice-world.ts'
import { noticesOf } from '../support/notices.ts'
import { until } from '../support/until.ts'
import { openSession } from '../support/web-client.ts'

for (const database of databases)
  test(`${database}: an assignment is told once it can no longer be undone, and a bulk action is one notice`, async (t) => {
    await using world = await buildNoticeWorld(database)
    const { spool } = world
    spool.spool.undoSeconds = 20
    const boss = await openSession(spool.spool, spool.url, spool.ada)
    const mia = await world.somebody('mia', 'member')
    const tom = await world.somebody('tom', 'member')
    const received: string[] = []
    for (let at = 0; at < 30; at++) received.push((await spool.receive({ subject: `Order ${at}` })).threadId)
    await world.settle()
    const assign = (ids: readonly string[], to: string | null): Promise<Changed> =>
      boss.do('POST', '/threads/bulk', { ids, action: { type: 'assign', to } })
    const undo = ({ receipt }: Changed) => boss.do('POST', '/threads/undo', { receipt })
    const titles = async (page = mia.page) =>
      (await noticesOf(page)).map(({ count, link }) => `${count} ${link}`)
    const nothing = { pushes: [], mails: [] }

    await t.test(
      'nothing is left of one that is undone in time, on the page, by push or by mail',
      async () => {
        const done = await assign(received, mia.user.id)
        await world.settle()
        await undo(done)
        world.pass(1)
        await world.settle()
        assert.deepEqual([await titles(), world.told()], [[], nothing])
        // Nor if the log is read after the undo.
        await undo(await assign(received.slice(0, 2), mia.user.id))
        world.pass(1)
        await world.settle()
        assert.deepEqual([await titles(), world.told()], [[], nothing])
      },
    )

    await t.test('30 at once are one notice, one push and one line of one mail', async () => {
      await assign(received, mia.user.id)
      await world.settle()
      assert.deepEqual([await titles(), world.told()], [[], nothing], 'held')
      world.pass(1)
      await world.settle()
      assert.deepEqual(await titles(), ['30 /mine'])
      const before = world.sink.mails.length - 1
      assert.deepEqual(world.told(), {
        pushes: ['mia: Ada assigned 30 threads to you'],
        mails: ['mia@team.example'],
      })
      assert.match(world.sink.mails[before]!.source, /Subject: Spool: Ada assigned 30 threads to you/)
      const { unread } = await mia.page.do<{ unread: number }>('GET', '/notices')
      assert.equal(unread, 1)
    })

    await t.test('what is taken away later leaves the page, thread by thread', async () => {
      await assign(received.slice(2), null)
      assert.deepEqual(await titles(), ['2 /mine'])
      await assign(received.slice(1, 2), tom.user.id)
      assert.deepEqual(await titles(), [`1 /threads/${received[0]}`])
      world.pass(1)
      await world.settle()
      assert.deepEqual(world.told().pushes, ['tom: Ada assigned a thread to you'])
      await undo(await assign(received.slice(0, 1), tom.user.id))
      world.pass(1)
      await world.settle()
      assert.deepEqual(world.told(), nothing, 'given back, it is no news')
      assert.deepEqual(await titles(tom.page), [`1 /threads/${received[1]}`])
    })

    await t.test('one after the other they are one notice, too, as long as it is held', async () => {
      await mia.page.do('POST', '/notices/read', { ids: null })
      for (const id of received.slice(5, 8)) await assignThread(spool.spool, spool.actor, id, mia.user)
      await world.settle()
      world.pass(1)
      await world.settle()
      await assignThread(spool.spool, spool.actor, received[9]!, mia.user)
      world.pass(1)
      await world.settle()
      assert.deepEqual(world.told().pushes, [
        'mia: Ada assigned 3 threads to you',
        'mia: Ada assigned a thread to you',
      ])
      await until(
        'both',
        async () => (await titles()).slice(0, 2).join() === `1 /threads/${received[9]},3 /mine`,
      )
    })
  })
