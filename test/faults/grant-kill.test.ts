import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { transaction } from '../../src/store/database.ts'
import { listSyncStates } from '../../src/store/inboxes/mail-folders.ts'
import { findGrant, type GrantRow } from '../../src/store/inboxes/mail-grants.ts'
import { askMailServer } from '../../src/store/inboxes/mail-servers.ts'
import { dropLease } from '../../src/store/leases.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, type DatabaseKind } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { addGrantedInbox, consentTo, redirectUri } from '../support/mail-grant.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { openMailUser } from '../support/mail-user.ts'
import { mustHold } from '../support/must-hold.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { makeRandom } from '../support/random.ts'
import { countMessages, storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('dovecot')
const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const [rounds, mailsOfRound] = isLong ? [50, 200] : [5, 60]
/** Access tokens that end in a round, beside the one of its first connection. */
const endsOfRound = 4
const revokedEach = 2
const address = 'support@shop.example'
const timeout = 300_000
const wasLost = /The answer to the last renewal was lost/

describe('tokens end, grants are revoked and renewed and nodes are killed', { concurrency: true }, () => {
  for (const database of databases)
    test(`${database}: no mail is lost or doubled, and no refresh token is used twice`, { skip }, (t) =>
      tryFetching(database, (text) => t.diagnostic(text)),
    )
})

async function tryFetching(database: DatabaseKind, tell: (text: string) => void): Promise<void> {
  await using provider = await startMailProvider(redirectUri)
  await using dovecot = await startDovecot({
    users: { [address]: 'secret' },
    introspectionUrl: provider.introspectionUrl,
  })
  await using fresh = await freshDatabase(database)
  const environment = { ...fresh.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }
  await using spool = await openSpool(readConfig(environment), 'inline')
  provider.life = 1
  const inbox = await addGrantedInbox(spool, provider, address, dovecot.port)
  await using nodes = new AsyncDisposableStack()
  const start = (): Child => nodes.use(new Child('test/faults/child/fetch.ts', [], environment))
  const reconnect = (): Promise<void> =>
    transaction(spool.db, (db) => askMailServer(db, inbox.number, 'imap', spool.now()))
  let asked = 0
  /** The node looks once a second whether it was asked. */
  const reconnectNowAndThen = async (): Promise<void> => {
    if (Date.now() - asked < 2_000) return
    asked = Date.now()
    await reconnect()
  }
  const signInAgain = async (): Promise<void> => {
    await changeInbox(spool, inbox.id, { grant: await consentTo(spool, provider, address) })
    await reconnect()
  }
  const read = async () => (await findGrant(spool.db, inbox.number))!
  let lost = 0
  /** A kill between the provider's answer and the commit loses the grant, which a person mends. */
  const mend = async (): Promise<void> => {
    const { failure } = await read()
    if (failure === null) {
      // On a busy machine a token of one second may end before the mail server asks about it, which looks as if it were
      // refused; a refused sign-in is retried after minutes.
      const [state] = await listSyncStates(spool.db)
      if (state?.problem === 'password') await reconnectNowAndThen()
      return
    }
    assert.match(failure, wasLost)
    lost++
    await signInAgain()
  }
  const wait = (what: string, isSo: () => Promise<boolean>): Promise<boolean> =>
    until(
      what,
      async () => {
        if (!provider.revoked) await mend()
        return isSo()
      },
      timeout,
    )
  const kill = async (node: Child): Promise<void> => {
    await node.kill()
    // It would expire in seconds; tests of leases wait for that.
    await transaction(spool.db, (db) => dropLease(db, `imap:${inbox.number}`))
  }
  /** Whoever connects when the token has ended needs another. */
  const reconnectUntil = (what: string, isSo: (grant: GrantRow) => boolean): Promise<boolean> =>
    wait(what, async () => {
      const grant = await read()
      if (isSo(grant)) return true
      if ((grant.ends_at ?? 0) <= Date.now()) await reconnectNowAndThen()
      return false
    })
  await using carla = await openMailUser(dovecot, address)
  const random = makeRandom(7)
  const wanted: string[] = []
  const count = (): Promise<number> => countMessages(spool, inbox.number)
  let revocations = 0
  let node = start()
  for (let round = 1; round <= rounds; round++) {
    const before = wanted.length
    for (let part = 1; part <= endsOfRound; part++) {
      const { version } = await read()
      await reconnectUntil('another token is there', (grant) => grant.version > version)
      const till = before + Math.round((mailsOfRound * part) / endsOfRound)
      while (wanted.length < till) {
        const raw = writeMail({ subject: `box${wanted.length}`, to: address })
        wanted.push(sum(raw))
        await carla.append('INBOX', raw)
      }
    }
    const some = before + Math.floor(random() * mailsOfRound)
    await wait('some are here', async () => (await count()) >= some)
    // Two nodes at once, where the store allows it: the other takes the mailbox over.
    const next = database === 'postgres' ? start() : null
    await next?.says(/fetches/, timeout)
    await kill(node)
    node = next ?? start()
    if (round % revokedEach > 0) continue
    revocations++
    provider.revoked = true
    await reconnectUntil('the grant is refused', ({ failure }) => failure !== null)
    if (wasLost.test((await read()).failure!)) lost++
    provider.revoked = false
    await signInAgain()
  }
  await wait('all are here', async () => (await count()) === wanted.length)
  await node.kill()
  const ends = provider.refreshes.size - revocations
  tell(
    `${wanted.length} mails, ${rounds} kills, ${ends} tokens ended, ${revocations} revocations, ${lost} answers lost`,
  )
  mustHold.deepEqual(await storedSources(spool, inbox.number), wanted.sort())
  assert.ok(ends >= rounds * endsOfRound, `${ends} tokens ended`)
  const twice = [...provider.refreshes.values()].filter((used) => used !== 1)
  mustHold.deepEqual(
    twice,
    Array.from({ length: lost }, () => 2),
  )
}
