import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { askForSync } from '../../src/core/mailboxes/state.ts'
import { listMailboxes, ownMailboxes } from '../../src/core/mailboxes/sync.ts'
import type { Spool } from '../../src/core/spool.ts'
import { openParsePool } from '../../src/mail/parse-pool.ts'
import { system } from '../../src/model/access.ts'
import { ProviderAway } from '../../src/model/mail/oauth.ts'
import { countMessages } from '../../src/store/threads/messages.ts'
import { startFetching } from '../../src/workers/fetch-mail.ts'
import { MailCounts } from '../../src/workers/mail-counts.ts'
import { Mailbox } from '../../src/workers/mailbox.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { followMailbox, openMailUser } from '../support/mail-user.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('dovecot')

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

  test(`${database}: a provider that does not answer keeps no other mailbox from being followed`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    await using pool = openParsePool({ size: 1 })
    await using silence = await startSilence(() => undefined)
    const answer = Promise.withResolvers<never>()
    answer.promise.catch(() => undefined)
    let asked = 0
    const renew = (): Promise<never> => {
      asked++
      return answer.promise
    }
    const spool: Spool = { ...store.spool, oauth: { ...store.spool.oauth, renew } }
    await followMailbox(spool, store.inbox, silence)
    const account = 'slow@shop.example'
    const at = { host: '127.0.0.1', port: silence.port, security: 'none', user: account } as const
    const kind = { provider: 'other', way: 'delegated' } as const
    const client = {
      ...kind,
      issuer: 'https://id.example',
      clientId: 'spool',
      clientSecret: null,
      scopes: [],
    }
    const tokens = { access: 'old', refresh: 'once', endsAt: 0, account: null }
    const slow = await addInbox(
      spool,
      account,
      null,
      [{ kind: 'imap', ...at, password: null, options: {} }],
      system,
      { grant: { ...kind, account, client, tokens } },
    )
    const fetching = { spool, pool, log: pino({ level: 'silent' }), counts: new MailCounts() }
    await using _ = startFetching({ ...fetching, largestMessage: 1000 }, () => undefined)
    const giveUp = (): void => answer.reject(new ProviderAway('away'))
    using stack = new DisposableStack()
    stack.defer(giveUp)
    await until('the provider is asked', async () => asked === 1)
    await askForSync(spool, slow.id, system)
    // What is noticed of it ends the mailbox, which waits for the provider.
    const renewals = new Set<number>()
    await until('the lease of the other is renewed', async () => {
      const lease = spool.db.build.selectFrom('leases').select('ends_at')
      const row = await spool.db.first(lease.where('name', '=', `imap:${store.inbox.number}`))
      renewals.add(row!.ends_at)
      return renewals.size > 3
    })
    giveUp()
    await until('its successor is started', async () => asked === 2)
  })

  test(`${database}: a mailbox that waits for news leaves no listeners behind`, { skip }, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    await using pool = openParsePool({ size: 1 })
    await using dovecot = await startDovecot({ users: { team: 'secret' } })
    await using user = await openMailUser(dovecot)
    await followMailbox(store.spool, store.inbox, dovecot)
    const [mailbox] = await listMailboxes(store.spool)
    await ownMailboxes(store.spool, [store.inbox.number], 'this node', 60_000)
    const fetching = { spool: store.spool, pool, log: pino({ level: 'silent' }), counts: new MailCounts() }
    const adding = mock.method(AbortSignal.prototype, 'addEventListener')
    await using _ = new Mailbox({ ...fetching, largestMessage: 100_000 }, mailbox!, 'this node')
    const listeners = async (mails: number): Promise<number> => {
      await user.write('INBOX', { subject: `Mail ${mails}` })
      await until('it is stored', async () => (await countMessages(store.spool.db)) === mails)
      const signals = new Set(adding.mock.calls.map((call) => call.this as AbortSignal))
      return [...signals].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0)
    }
    try {
      const first = await listeners(1)
      for (let mails = 2; mails < 8; mails++) await listeners(mails)
      const last = await listeners(8)
      assert.ok(last < first + 4, `${first} at first, ${last} after eight mails`)
    } finally {
      adding.mock.restore()
    }
  })
}
