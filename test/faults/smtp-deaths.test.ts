import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { openSpool } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { startConversation } from '../../src/core/compositions.ts'
import { getDraft, listDrafts } from '../../src/core/drafts.ts'
import { addInbox } from '../../src/core/inboxes.ts'
import { addUser } from '../../src/core/people.ts'
import { readLetter, sendDraft } from '../../src/core/sending.ts'
import { signIn, type SignedIn } from '../../src/core/sessions.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { makeRandom } from '../support/random.ts'
import { cuts, delivered, startCuttingProxy } from '../support/smtp-cut.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { seal } from '../support/web-client.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const repetitions = long ? 20 : 2
const kills = long ? 20 : 2

interface World extends AsyncDisposable {
  spool: Spool
  inbox: Inbox
  pia: SignedIn
  sink: SmtpSink
  database: FreshDatabase
  serve(): Promise<Child>
}

/** The store is this process's too; the server that sends is a process of its own. */
async function buildWorld(kind: FreshDatabase['kind'], pipelining: boolean): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const environment = { ...database.env, SPOOL_UNDO_SECONDS: '0', SPOOL_PORT: '0', SPOOL_SEND_RETRIES: '1' }
  const spool = stack.use(await openSpool(readConfig(environment), 'inline'))
  const sink = stack.use(await startSmtpSink({ pipelining }))
  const inbox = await addInbox(spool, 'support@shop.example', null)
  const password = 'correct horse battery'
  const person = { email: 'pia@shop.example', name: 'Pia', role: 'member', password } as const
  await addUser(spool, { ...person, inboxes: [inbox.id] })
  const { actor } = await signIn(spool, person.email, password)
  const owned = stack.move()
  return {
    spool,
    inbox,
    pia: actor,
    sink,
    database,
    async serve() {
      const child = new Child('bin/spool.js', ['serve'], { ...environment, SPOOL_LOG_LEVEL: 'warn' })
      await child.says(/Spool listens/)
      return child
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function sendOne({ spool, inbox, pia }: World, name: string): Promise<Draft> {
  const draft = await startConversation(spool, pia, {
    inboxId: inbox.id,
    to: ['carla@brandt.example', 'dan@brandt.example'],
    subject: name,
    text: `${name}\n.\n..\n${'A line of some length, so that there is a middle.\n'.repeat(20)}`,
  })
  const letter = await readLetter(spool, pia, draft.id)
  return sendDraft(spool, pia, { draftId: draft.id, revision: 1, seal: seal(letter) })
}

const copies = ({ sink }: World, subject: string): number =>
  sink.mails.filter(({ source }) => source.includes(`\r\nSubject: ${subject}\r\n`)).length

/** At most once at the other end; surely once where it is called sent, and anything else is said to be unknown. */
async function checkTruth(world: World, id: string): Promise<Draft> {
  const draft = await getDraft(world.spool, world.pia, id)
  const { subject, status, problem } = draft
  const count = copies(world, subject)
  assert.ok(count <= 1, `${subject} was sent ${count} times`)
  if (status === 'sent') assert.equal(count, 1, `${subject} is called sent`)
  else assert.equal(status, 'unknown', `${subject}: ${problem}`)
  return draft
}

/** Waits until nothing is under way any more. */
async function untilSettled({ spool, pia }: World, patience = 120_000): Promise<void> {
  const until = performance.now() + patience
  for (;;) {
    const filters = { threadId: null, statuses: ['scheduled', 'sending'] as const }
    const { data } = await listDrafts(spool, pia, filters, { cursor: null, limit: 1 })
    if (data.length === 0) return
    if (performance.now() > until)
      throw new Error(`${data[0]!.subject} is still ${data[0]!.status}: ${data[0]!.problem}`)
    await sleep(100)
  }
}

for (const database of databases) {
  test(`${database}: a server that dies at any point: nothing twice, nothing lost, and the state is true`, async () => {
    for (const pipelining of long ? [true, false] : [database === 'sqlite']) {
      await using world = await buildWorld(database, pipelining)
      const rounds = long ? repetitions / 2 : repetitions
      const queue = Array.from({ length: rounds }, () => cuts).flat()
      await using proxy = await startCuttingProxy(world.sink.port, () => queue.shift() ?? null)
      await sendBy(world.spool, world.inbox, proxy.port)
      const drafts: Draft[] = []
      for (const [index] of queue.entries()) drafts.push(await sendOne(world, `mail ${index}`))
      // Each cut is met by one attempt, and what is tried again after all of them comes through.
      await using server = await world.serve()
      await untilSettled(world)
      await server.kill()
      assert.deepEqual(queue, [])
      let unknown = 0
      for (const { id } of drafts) {
        const { status, problem } = await checkTruth(world, id)
        if (status !== 'unknown') continue
        unknown++
        assert.match(problem!, /No answer came after the mail was handed over/)
      }
      // Where the connection breaks just before the dot, Spool may have said it into the void.
      const lostAnswers = rounds * (delivered.length - 1)
      assert.ok(unknown >= lostAnswers && unknown <= lostAnswers + 2 * rounds, `${unknown} are unknown`)
    }
  })

  test(`${database}: kill -9 of Spool while it sends: nothing twice by itself, and no draft forgotten`, async () => {
    await using world = await buildWorld(database, true)
    const random = makeRandom(database.length)
    const some = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!
    await using proxy = await startCuttingProxy(world.sink.port, () => (random() < 0.4 ? some(cuts) : null))
    await sendBy(world.spool, world.inbox, proxy.port)
    const drafts: Draft[] = []
    for (let round = 0; round < kills; round++) {
      for (let n = 0; n < 6; n++) drafts.push(await sendOne(world, `round ${round} mail ${n}`))
      await using server = await world.serve()
      await sleep(random() * 700)
      await server.kill()
      await passTime(world.spool)
    }
    proxy.next = () => null
    await using server = await world.serve()
    await untilSettled(world)
    await server.kill()
    const statuses = new Map<string, number>()
    for (const { id } of drafts) {
      const { status } = await checkTruth(world, id)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.ok((statuses.get('sent') ?? 0) >= drafts.length / 4, JSON.stringify([...statuses]))
  })
}
