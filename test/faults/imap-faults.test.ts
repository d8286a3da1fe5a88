import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getInboxSettings } from '../../src/core/inboxes/settings.ts'
import { readSyncProgress } from '../../src/core/mailboxes/state.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { fillMaildir } from '../support/mailbox-filler.ts'
import { followMailbox, openMailUser, unfollowMailbox } from '../support/mail-user.ts'
import { mustHold } from '../support/must-hold.ts'
import { startNode } from '../support/nodes.ts'
import { startDovecot, type Dovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startProxy } from '../support/proxy.ts'
import { countMessages, storedSources, sum } from '../support/sources.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const skip = skipWithout('dovecot')
const names = ['cut', 'restart', 'renumber', 'large', 'week', 'rename'].flatMap((name) =>
  databases.map((database) => `${name}-${database}`),
)
let running: Promise<Dovecot> | undefined
after(async () => (await running)?.[Symbol.asyncDispose]())
const dovecotOfFile = (): Promise<Dovecot> =>
  (running ??= startDovecot({ users: Object.fromEntries(names.map((name) => [name, 'secret'])) }))

function isUpToDate({ spool }: TestSpool, { inbox }: Desk): Promise<boolean> {
  return readSyncProgress(spool).then((all) =>
    all.some((one) => one.inbox.id === inbox.id && one.state === 'following'),
  )
}

for (const database of databases) {
  const started = shareSpool(database)

  const places = isLong ? 20 : 3
  test(
    `${database}: a connection cut at ${places} places of a fetch loses nothing and doubles nothing`,
    { skip },
    async (t) => {
      const dovecot = await dovecotOfFile()
      const spool = await started()
      const desk = await openDesk(spool)
      const wanted = fillMaildir(dovecot, `cut-${database}`, places * 20, { size: 3000 })
      await using proxy = await startProxy(dovecot.port)
      const found: number[] = []
      // Each connection gets a little further than the last and then breaks in the middle of a message.
      proxy.cutAfter(60_000)
      await followMailbox(spool.spool, desk.inbox, proxy, { user: `cut-${database}` })
      for (let place = 0; place < places; place++) {
        await until('one more connection is cut', async () => proxy.connections() > place, 90_000)
        found.push(await countMessages(spool.spool, desk.inbox.number))
        proxy.cutAfter(60_000 + place * 5_003)
      }
      proxy.cutAfter(null)
      proxy.cut()
      await until('it goes on', () => isUpToDate(spool, desk), 90_000)
      t.diagnostic(`messages here after each cut: ${found.join(', ')}; ${proxy.connections()} connections`)
      mustHold.deepEqual(await storedSources(spool.spool, desk.inbox.number), wanted.sort())
      await unfollowMailbox(spool.spool, desk.inbox)
    },
  )

  const changes = isLong ? 5 : 2
  test(
    `${database}: a folder that the server numbers anew (${changes} times) brings what is new and doubles nothing`,
    { skip },
    async () => {
      const dovecot = await dovecotOfFile()
      const spool = await started()
      const desk = await openDesk(spool)
      const name = `renumber-${database}`
      await using user = await openMailUser(dovecot, name)
      await user.client.mailboxCreate('Team')
      const raws = Array.from({ length: 8 }, (_, n) => writeMail({ subject: `kept ${n}` }))
      for (const raw of raws) await user.append('Team', raw)
      await followMailbox(spool.spool, desk.inbox, dovecot, { user: name, options: '&folders=Team' })
      await until('the first sync', () => isUpToDate(spool, desk))
      const validity = async ({ client }: typeof user): Promise<bigint | undefined> => {
        const status = await client.status('Team', { uidValidity: true })
        return status ? status.uidValidity : undefined
      }
      for (let change = 0; change < changes; change++) {
        const before = await validity(user)
        raws.push(writeMail({ subject: `came meanwhile ${change}` }))
        await until('the folder is made anew', async () => {
          // A connection that has seen one of this name vanish believes the next to have vanished too.
          await using other = await openMailUser(dovecot, name)
          await other.client.mailboxDelete('Team')
          await other.client.mailboxCreate('Team')
          if ((await validity(other)) === before) return false
          try {
            // Somebody has read it there: that makes it read here in a first sync only, which this is not.
            for (const raw of raws.toReversed()) await other.append('Team', raw, ['\\Seen'])
            return true
          } catch {
            // Dovecot may take the new folder for the old one: "Mailbox was deleted under us".
            return false
          }
        })
        await until(
          'what came meanwhile',
          async () => (await countMessages(spool.spool, desk.inbox.number)) === raws.length,
          300_000,
        )
      }
      mustHold.deepEqual(await storedSources(spool.spool, desk.inbox.number), raws.map(sum).sort())
      const unread = new Set((await desk.threads('?unread=1&limit=100')).map(({ subject }) => subject))
      assert.ok(
        Array.from({ length: changes }, (_, n) => `came meanwhile ${n}`).every((subject) =>
          unread.has(subject),
        ),
      )
      await unfollowMailbox(spool.spool, desk.inbox)
    },
  )

  const size = isLong ? 20_000 : 2_000
  test(
    `${database}: a folder of ${size} comes whole, and new mail does not wait for all of it`,
    { skip },
    async (t) => {
      const dovecot = await dovecotOfFile()
      const spool = await started()
      const desk = await openDesk(spool)
      const name = `large-${database}`
      const wanted = fillMaildir(dovecot, name, size)
      await using user = await openMailUser(dovecot, name)
      const begun = performance.now()
      await followMailbox(spool.spool, desk.inbox, dovecot, { user: name })
      await until('it has begun', async () => (await countMessages(spool.spool, desk.inbox.number)) > 0)
      const fresh = writeMail({ subject: 'freshmail' })
      await user.append('INBOX', fresh)
      await until('the new mail', async () => (await desk.threads('?q=freshmail')).length === 1, 300_000)
      await until('all of it', () => isUpToDate(spool, desk), 600_000)
      const before = textQuery<{ count: number }>(
        `SELECT count(*) AS count FROM messages WHERE inbox = ? AND number <
          (SELECT number FROM messages WHERE inbox = ? AND subject = 'freshmail')`,
        [desk.inbox.number, desk.inbox.number],
      )
      const { count } = (await spool.spool.db.first(before))!
      t.diagnostic(
        `${count} were here before the new mail; all after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
      )
      assert.ok(count < size, 'new mail went before history')
      mustHold.deepEqual(await storedSources(spool.spool, desk.inbox.number), [...wanted, sum(fresh)].sort())
      await unfollowMailbox(spool.spool, desk.inbox)
    },
  )
}

for (const kind of databases)
  test(
    `${kind}: after a week offline what came meanwhile is new; what is too large waits for a higher limit`,
    { skip },
    async () => {
      const dovecot = await dovecotOfFile()
      const user = `week-${kind}`
      await using database = await freshDatabase(kind)
      await using store = await openStore(database)
      const wanted = fillMaildir(dovecot, user, 5)
      await followMailbox(store.spool, store.inbox, dovecot, { user })
      const count = (): Promise<number> => countMessages(store.spool, store.inbox.number)
      const small = { SPOOL_MAX_MESSAGE: '20kB' }
      {
        await using _node = await startNode(database, small)
        await until('the first sync', async () => (await count()) === 5)
      }
      // The sizes of messages like the first are asked for only where the limit is below them.
      const large = [24_000, 60_000].flatMap((size, at) =>
        fillMaildir(dovecot, user, 1, { from: 5 + at, size }),
      )
      wanted.push(...fillMaildir(dovecot, user, 3, { from: 7 }))
      {
        await using node = await startNode(database, small)
        await until('what came meanwhile', async () => (await count()) === 8)
        await until(
          'the large ones are told of',
          async () =>
            node.log.filter((line) => /skipped.*too_large|too_large.*skipped/.test(line)).length === 2,
        )
        const loud = textQuery<{ count: number }>(
          `SELECT count(*) AS count FROM events WHERE type = 'message.received' AND quiet = 0`,
          [],
        )
        assert.equal((await store.spool.db.first(loud))!.count, 3, 'it is news, not history')
      }
      await using _node = await startNode(database)
      await until('the large ones', async () => (await count()) === 10)
      mustHold.deepEqual(await storedSources(store.spool, store.inbox.number), [...wanted, ...large].sort())
    },
  )

for (const database of databases) {
  const started = shareSpool(database)
  test(
    `${database}: a named folder that is gone is told, the others are fetched, and it too once it is back`,
    { skip },
    async () => {
      const [dovecot, spool] = [await dovecotOfFile(), await started()]
      const { inbox } = await openDesk(spool)
      const name = `rename-${database}`
      await using user = await openMailUser(dovecot, name)
      await user.client.mailboxCreate('Orders')
      await followMailbox(spool.spool, inbox, dovecot, {
        user: name,
        options: '&folders=INBOX,Orders&sent=Gesendet',
      })
      const told = (pattern: RegExp | null): Promise<unknown> =>
        until(`it is followed, and told is ${pattern}`, async () => {
          const { state, error } = (await getInboxSettings(spool.spool, inbox.id)).sync!
          return state === 'idle' && (pattern ? pattern.test(error?.message ?? '') : error === null)
        })
      await told(/has no folder Gesendet; it has [^;]*$/)
      await user.client.mailboxRename('Orders', 'Old orders')
      await told(/has no folder Orders; it has .*Old orders.* has no folder Gesendet/)
      await user.write('INBOX', { subject: 'elsewhere' })
      await until('the other folder is fetched', () => isStored(spool, inbox.number, 1))
      await user.client.mailboxRename('Old orders', 'Orders')
      await user.client.mailboxCreate('Gesendet')
      await user.write('Orders', { subject: 'back again' })
      await until('the folder that is back is fetched', () => isStored(spool, inbox.number, 2))
      await told(null)
      await unfollowMailbox(spool.spool, inbox)
    },
  )
}

async function isStored({ spool }: TestSpool, inbox: number, count: number): Promise<boolean> {
  return (await countMessages(spool, inbox)) === count
}

test('a server that restarts, with mail that came meanwhile', { skip }, async (t) => {
  await using dovecot = await startDovecot({ users: { team: 'secret' } })
  const spool = await shareSpoolOnce()
  const desk = await openDesk(spool)
  fillMaildir(dovecot, 'team', 3)
  await followMailbox(spool.spool, desk.inbox, dovecot)
  await until('the first sync', () => isUpToDate(spool, desk))
  await dovecot.kill()
  fillMaildir(dovecot, 'team', 2, { from: 3 })
  await until('it is said', async () => {
    const all = await readSyncProgress(spool.spool)
    return all.some(({ inbox, failure }) => inbox.id === desk.inbox.id && failure !== null)
  })
  const back = performance.now()
  await dovecot.restart()
  await until('the mail', async () => (await countMessages(spool.spool, desk.inbox.number)) === 5)
  t.diagnostic(`here ${Math.round(performance.now() - back)} ms after the restart began`)
  await until('it is well again', () => isUpToDate(spool, desk))
})

test('mail that the server cannot give out for a while is fetched as soon as it can', { skip }, async () => {
  await using dovecot = await startDovecot({ users: { team: 'secret' } })
  await using proxy = await startProxy(dovecot.port)
  const spool = await shareSpoolOnce()
  const desk = await openDesk(spool)
  const count = (): Promise<number> => countMessages(spool.spool, desk.inbox.number)
  fillMaildir(dovecot, 'team', 1)
  await followMailbox(spool.spool, desk.inbox, proxy)
  await until('the first sync', () => isUpToDate(spool, desk))
  proxy.refuse({ text: 'BODY.PEEK[]', words: 'NO [UNAVAILABLE] The storage is down.' })
  fillMaildir(dovecot, 'team', 1, { from: 1 })
  await until('it is said', async () => {
    const all = await readSyncProgress(spool.spool)
    return all.some(
      ({ inbox, failure }) => inbox.id === desk.inbox.id && /storage is down/.test(failure ?? ''),
    )
  })
  proxy.refuse(null)
  await until('the mail', async () => (await count()) === 2)
  await until('it is well again', () => isUpToDate(spool, desk))
})

const shareSpoolOnce = shareSpool('sqlite')
