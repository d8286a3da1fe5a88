import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createServer } from 'node:net'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { lookAgain, settleRefused, settleUnknown } from '../../src/core/sending/delivery.ts'
import { getDraft, reviseDraft } from '../../src/core/drafts/drafts.ts'
import { addInbox, changeInbox, removeInbox } from '../../src/core/inboxes/inboxes.ts'
import {
  claimTasks,
  keepSource,
  leaseLife,
  markOver,
  renewClaim,
  type Task,
} from '../../src/core/sending/outbox.ts'
import { setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { addUser } from '../../src/core/people/people.ts'
import { readLetter, sendDraft, settleDraft } from '../../src/core/sending/sending.ts'
import { signIn, type SignedIn } from '../../src/core/access/sessions.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import { SpoolError } from '../../src/model/errors.ts'
import { transaction } from '../../src/store/database.ts'
import { loadDraft } from '../../src/store/drafts/drafts.ts'
import { updateGrant } from '../../src/store/inboxes/mail-grants.ts'
import { doTask } from '../../src/workers/mail-tasks.ts'
import { databases, freshDatabase, type DatabaseKind } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { consentTo, redirectUri } from '../support/mail-grant.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { followMailbox } from '../support/mail-user.ts'
import { mustHold } from '../support/must-hold.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { until } from '../support/until.ts'
import { seal } from '../support/web-client.ts'

interface Office extends AsyncDisposable {
  spool: Spool
  inbox: Inbox
  pia: SignedIn
  write(): Promise<Draft>
  send(draft: Draft): Promise<Draft>
  read(draft: Draft): Promise<Draft>
}

/** A store without a server: the tests are the nodes. */
async function openOffice(kind: DatabaseKind): Promise<Office> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const spool = stack.use(
    await openSpool(
      readConfig({ ...database.env, SPOOL_UNDO_SECONDS: '0', SPOOL_FETCH_ALLOW: '127.0.0.1' }),
      'inline',
    ),
  )
  const inbox = await addInbox(spool, 'support@shop.example', null)
  await sendBy(spool, inbox, 9)
  const password = 'correct horse battery'
  const person = { email: 'pia@shop.example', name: 'Pia', role: 'member', password } as const
  await addUser(spool, { ...person, inboxes: [inbox.id] })
  const { actor: pia } = await signIn(spool, person.email, password)
  const owned = stack.move()
  return {
    spool,
    inbox,
    pia,
    write: () =>
      startConversation(spool, pia, {
        inboxId: inbox.id,
        to: ['carla@brandt.example'],
        subject: 'Order 4711',
        text: 'It is on its way.',
      }),
    send: async ({ id, revision }) =>
      sendDraft(spool, pia, { draftId: id, revision, seal: seal(await readLetter(spool, pia, id)) }),
    read: ({ id }) => getDraft(spool, pia, id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Takes the one task that is due. */
async function claimOne(spool: Spool): Promise<Extract<Task, { kind: 'send' }>> {
  const [task, ...others] = await claimTasks(spool, 8)
  assert.ok(task?.kind === 'send' && others.length === 0)
  return task
}

for (const database of databases) {
  test(`${database}: a node that lost its lease can neither prepare nor say the final dot`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    await office.send(await office.write())
    const slow = await claimOne(spool)
    await passTime(spool)
    const next = await claimOne(spool)
    await mustHold.rejects(keepSource(spool, slow, Buffer.from('old')), /Another node has taken over/)
    await mustHold.rejects(markOver(spool, slow), /Another node has taken over/)
    mustHold.equal(await renewClaim(spool, slow), false)
    assert.equal(await renewClaim(spool, next), true)
    await keepSource(spool, next, Buffer.from('new'))
    await markOver(spool, next)
  })

  test(`${database}: a lease that ended unnoticed is not enough for the final dot`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    await office.send(await office.write())
    const task = await claimOne(spool)
    await transaction(spool.db, (db) => db.run(db.build.updateTable('leases').set({ ends_at: 1 })))
    await mustHold.rejects(markOver(spool, task), /Another node has taken over/)
  })

  test(`${database}: a refusal told by a node that lost its lease changes nothing`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    const draft = await office.send(await office.write())
    const slow = await claimOne(spool)
    await passTime(spool)
    const next = await claimOne(spool)
    const refusal = { permanent: true, answer: '550 No such user' }
    await settleRefused(spool, slow, refusal, [60])
    assert.equal((await office.read(draft)).status, 'sending')
    mustHold.equal(await renewClaim(spool, next), true, 'the new holder keeps its lease')
    await settleRefused(spool, next, refusal, [60])
    const failed = await office.read(draft)
    assert.deepEqual([failed.status, failed.problem], ['failed', refusal.answer])
  })

  test(`${database}: a renewal that comes after the outcome changes nothing`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    const draft = await office.send(await office.write())
    const task = await claimOne(spool)
    await settleRefused(spool, task, { permanent: false, answer: '451 Later' }, [3600])
    const { due_at } = await loadDraft(spool.db, draft.id)
    mustHold.equal(await renewClaim(spool, task), false)
    assert.equal((await loadDraft(spool.db, draft.id)).due_at, due_at, 'it still waits an hour')
  })

  test(`${database}: a refusal for now is tried again after its wait, a tenth sooner or later`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    const now = spool.now()
    spool.now = () => now
    const draft = await office.send(await office.write())
    const waits: number[] = []
    for (const drawn of [0, 0.5, 1 - Number.EPSILON]) {
      const task = await claimOne(spool)
      const random = mock.method(Math, 'random', () => drawn)
      await settleRefused(spool, task, { permanent: false, answer: '451 Later' }, [60])
      random.mock.restore()
      waits.push((await loadDraft(spool.db, draft.id)).due_at! - now)
      await passTime(spool)
    }
    assert.deepEqual(waits, [54_000, 60_000, 66_000], 'the last wait counts for all further attempts')
  })

  test(`${database}: what waits to be sent from a removed inbox is a draft again`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    const later = { permanent: false, answer: '451 Later' }
    const waiting = await office.send(await office.write())
    await settleRefused(spool, await claimOne(spool), later, [3600])
    const underWay = await office.send(await office.write())
    const task = await claimOne(spool)
    const scheduled = await office.send(await office.write())
    await removeInbox(spool, office.inbox.id)
    await addInbox(spool, office.inbox.address, null)
    for (const draft of [waiting, scheduled]) assert.equal((await office.read(draft)).status, 'editing')
    await removeInbox(spool, office.inbox.id)
    await settleRefused(spool, task, later, [0])
    await passTime(spool)
    mustHold.deepEqual(await claimTasks(spool, 8), [])
    await addInbox(spool, office.inbox.address, null)
    assert.equal((await office.read(underWay)).status, 'editing')
    await sendBy(spool, office.inbox, 9)
    await office.send(waiting)
    await claimOne(spool)
  })

  test(`${database}: what failed and was edited has its full time again`, async () => {
    await using office = await openOffice(database)
    const { spool, pia } = office
    const draft = await office.send(await office.write())
    await settleRefused(spool, await claimOne(spool), { permanent: true, answer: '550 No such user' }, [60])
    // The next day.
    await transaction(spool.db, (db) => db.run(db.build.updateTable('drafts').set({ give_up_at: 1 })))
    await office.send(
      await reviseDraft(spool, pia, { draftId: draft.id, revision: 1, text: 'It will come tomorrow.' }),
    )
    await settleRefused(spool, await claimOne(spool), { permanent: false, answer: '451 Later' }, [60])
    assert.equal((await office.read(draft)).status, 'sending', 'it is tried again')
  })

  test(`${database}: what a person settles during the last look into the Sent folder is settled`, async () => {
    await using office = await openOffice(database)
    const { spool, pia } = office
    await followMailbox(spool, office.inbox, { port: 9 })
    const draft = await office.send(await office.write())
    const sending = await claimOne(spool)
    await keepSource(spool, sending, Buffer.from(writeMail({ messageId: sending.messageId })))
    await markOver(spool, sending)
    await settleUnknown(spool, sending, 'The connection broke.')
    const claimLook = async (): Promise<Task> => {
      const [task] = await claimTasks(spool, 8)
      assert.equal(task?.kind, 'look')
      return task!
    }
    for (let looks = 0; looks < 3; looks++) {
      await lookAgain(spool, await claimLook())
      await passTime(spool)
    }
    const last = await claimLook()
    await settleDraft(spool, pia, { draftId: draft.id, as: 'sent' })
    mustHold.deepEqual(await claimTasks(spool, 8), [], 'the look comes to its end first')
    await lookAgain(spool, last)
    const [task] = await claimTasks(spool, 8)
    assert.equal(task?.kind, 'believe')
    const never = new AbortController().signal
    const options = { retries: [60], log: { info() {}, warn() {} }, onFailure() {} }
    await doTask(spool, task!, options, { stop: never, cut: never })
    assert.equal((await office.read(draft)).status, 'sent')
  })

  test(`${database}: a node that cannot renew its lease hangs up before the final dot`, async () => {
    await using office = await openOffice(database)
    const { spool } = office
    // Accepts a connection and never greets.
    const connected = Promise.withResolvers<void>()
    let hungUp = false
    const silent = createServer((socket) => {
      connected.resolve()
      socket.on('error', () => undefined).on('close', () => (hungUp = true))
      socket.resume()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    await sendBy(spool, office.inbox, (silent.address() as { port: number }).port)
    const draft = await office.send(await office.write())
    const slow = await claimOne(spool)
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const options = { retries: [60], log: { info() {}, warn() {} }, onFailure() {} }
      const never = new AbortController().signal
      const work = doTask(spool, slow, options, { stop: never, cut: never })
      await connected.promise
      await passTime(spool)
      await claimOne(spool)
      mock.timers.tick(leaseLife / 3)
      // Sooner than the timeout with a silent server, which is half a minute.
      await until('it hangs up', async () => hungUp, 20_000)
      await work
    } finally {
      mock.timers.reset()
      silent.close()
    }
    const { status, problem } = await office.read(draft)
    mustHold.deepEqual(
      [status, problem],
      ['sending', null],
      'what becomes of it is for the new holder to say',
    )
  })

  test(`${database}: a refusal is recorded before the access token is forgotten, which may fail`, async () => {
    await using provider = await startMailProvider(redirectUri)
    await using office = await openOffice(database)
    const { spool, inbox } = office
    await changeInbox(spool, inbox.id, { grant: await consentTo(spool, provider, inbox.address) })
    const setAccess = (access: Buffer | null): Promise<void> =>
      transaction(spool.db, (db) => updateGrant(db, inbox.number, { access }))
    // Takes nothing, and meanwhile the stored token becomes unreadable.
    const busy = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      void setAccess(Buffer.from('unreadable')).then(() => socket.end('421 4.3.2 Later\r\n'))
    })
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    const { port } = busy.address() as { port: number }
    const at = { host: '127.0.0.1', port, security: 'none', options: {} } as const
    await setMailServer(spool, inbox, { kind: 'smtp', ...at, user: inbox.address, password: null })
    const draft = await office.send(await office.write())
    const options = { retries: [60], log: { info() {}, warn() {} }, onFailure() {} }
    const never = new AbortController().signal
    const work = doTask(spool, await claimOne(spool), options, { stop: never, cut: never })
    try {
      const refused = await until('it is recorded', async () => (await office.read(draft)).problem)
      assert.match(refused, /^421 4\.3\.2 Later/)
    } finally {
      await setAccess(null)
      await work
      busy.close()
    }
  })

  test(`${database}: a session that has ended sends nothing, and neither does somebody else's`, async () => {
    await using office = await openOffice(database)
    const { spool, pia } = office
    const draft = await office.write()
    const isForbidden = (error: unknown): boolean => error instanceof SpoolError && error.code === 'forbidden'
    await transaction(spool.db, (db) =>
      db.run(db.build.updateTable('sessions').set({ ends_at: spool.now() })),
    )
    await mustHold.rejects(office.send(draft), isForbidden)
    assert.equal((await office.read(draft)).status, 'editing')
    const later = { ends_at: spool.now() + 60_000 }
    await transaction(spool.db, (db) => db.run(db.build.updateTable('sessions').set(later)))
    const password = 'correct horse battery'
    await addUser(spool, {
      email: 'tom@shop.example',
      name: 'Tom',
      role: 'member',
      password,
      inboxes: [office.inbox.id],
    })
    const tom = (await signIn(spool, 'tom@shop.example', password)).actor
    const letter = await readLetter(spool, pia, draft.id)
    const order = { draftId: draft.id, revision: 1, seal: seal(letter) }
    await mustHold.rejects(sendDraft(spool, { ...pia, session: tom.session }, order), isForbidden)
    assert.equal((await office.send(draft)).status, 'scheduled')
  })
}
