import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { listMailboxes, ownMailboxes } from '../../src/core/mailboxes/sync.ts'
import { openParsePool } from '../../src/mail/parse-pool.ts'
import { MailCounts } from '../../src/workers/mail-counts.ts'
import { Mailbox } from '../../src/workers/mailbox.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { followMailbox } from '../support/mail-user.ts'
import { until } from '../support/until.ts'

/** Takes connections and says nothing. */
async function startSilence(
  onConnection: (socket: Socket) => void,
): Promise<Server & AsyncDisposable & { port: number }> {
  const server = createServer((socket) => onConnection(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(server, { port })
}

for (const database of databases) {
  test(`${database}: a lease that is lost while the mailbox fails ends the following, and nothing else`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    await using pool = openParsePool({ size: 1 })
    // It hangs up when the lease has long ended.
    await using silence = await startSilence((socket) => setTimeout(() => socket.destroy(), 700))
    await followMailbox(store.spool, store.inbox, silence)
    const [mailbox] = await listMailboxes(store.spool)
    assert.equal((await ownMailboxes(store.spool, [store.inbox.number], 'this node', 300)).size, 1)
    const fetching = { spool: store.spool, pool, log: pino({ level: 'silent' }), counts: new MailCounts() }
    await using followed = new Mailbox({ ...fetching, largestMessage: 1000 }, mailbox!, 'this node')
    await until('it is over', async () => followed.isOver)
  })

  test(`${database}: a mailbox whose server does not answer is left at once`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    await using pool = openParsePool({ size: 1 })
    const sockets: Socket[] = []
    await using silence = await startSilence((socket) => sockets.push(socket))
    await followMailbox(store.spool, store.inbox, silence)
    const [mailbox] = await listMailboxes(store.spool)
    await ownMailboxes(store.spool, [store.inbox.number], 'this node', 60_000)
    const fetching = { spool: store.spool, pool, log: pino({ level: 'silent' }), counts: new MailCounts() }
    const followed = new Mailbox({ ...fetching, largestMessage: 1000 }, mailbox!, 'this node')
    await until('it waits for the greeting', async () => sockets.length === 1)
    const left = followed[Symbol.asyncDispose]().then(() => 'left')
    assert.equal(await Promise.race([left, sleep(5_000, 'still there')]), 'left')
  })
}
