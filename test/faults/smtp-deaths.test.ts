import { mustHold as assert } from '../support/must-hold.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { getDraft, listDrafts } from '../../src/core/drafts/drafts.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { readLetter, sendDraft } from '../../src/core/sending/sending.ts'
import { signIn, type SignedIn } from '../../src/core/access/sessions.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { makeRandom } from '../support/random.ts'
import { cuts, inTheMail, lostAnswers, startCuttingProxy, type Broken } from '../support/smtp-cut.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
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

/**
 * At most once at the other end, and the state is the only true one. Unknown is what was left without the answer to its
 * dot, by a cut or (`caught`) by a kill, and nothing else; what broke within the mail may be either; all others are sent.
 */
async function checkTruth(
  world: World,
  id: string,
  broken: readonly Broken[],
  caught: ReadonlySet<string> = new Set(),
): Promise<Draft> {
  const draft = await getDraft(world.spool, world.pia, id)
  const { subject, status, problem } = draft
  const met = broken.filter((each) => each.subject === subject).map(({ cut }) => cut)
  const lost = met.some((cut) => lostAnswers.includes(cut))
  const told = `${subject} (${met.join(', ')}${caught.has(id) ? ', killed after the dot' : ''}): ${problem}`
  if (lost || caught.has(id)) assert.equal(status, 'unknown', told)
  else if (!met.some((cut) => inTheMail.includes(cut))) assert.equal(status, 'sent', told)
  else assert.ok(status === 'sent' || status === 'unknown', told)
  const count = copies(world, subject)
  // The dot of a server that was killed may have come through or not; of the others it is known.
  if (caught.has(id) && !lost) assert.ok(count <= 1, `${told}: sent ${count} times`)
  else assert.equal(count, status === 'sent' || lost ? 1 : 0, told)
  return draft
}

/** Those that a killed server had said, or was about to say, the dot of. */
async function caughtAtTheDot({ spool }: World): Promise<string[]> {
  const query = spool.db.build.selectFrom('drafts').select('id').where('phase', '=', 'over')
  return (await spool.db.all(query.where('status', '=', 'sending'))).map(({ id }) => id)
}

/** Waits until nothing is under way any more. */
async function untilSettled({ spool, pia }: World, timeout = 120_000): Promise<void> {
  const until = performance.now() + timeout
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
      assert.deepEqual(
        proxy.broken.map(({ cut }) => cut).toSorted(),
        Array.from({ length: rounds }, () => cuts)
          .flat()
          .toSorted(),
      )
      for (const { id } of drafts) {
        const { status, problem } = await checkTruth(world, id, proxy.broken)
        if (status === 'unknown') assert.match(problem!, /No answer came after the mail was handed over/)
      }
    }
  })

  for (const arrives of [true, false])
    test(`${database}: kill -9 at the final dot, which ${arrives ? 'arrives' : 'is lost'}: the draft is unknown and never sent again by itself`, async () => {
      await using world = await buildWorld(database, true)
      await using proxy = await startCuttingProxy(world.sink.port, () => null)
      await sendBy(world.spool, world.inbox, proxy.port)
      const draft = await sendOne(world, 'the dot')
      await using server = await world.serve()
      const caught = await new Promise<string[]>((resolve, reject) => {
        proxy.atDot = async () => {
          proxy.atDot = null
          await server.kill()
          // Waits for a commit that the killed server had already asked its database for.
          await passTime(world.spool)
          resolve(await caughtAtTheDot(world))
          return arrives
        }
        void untilSettled(world).then(() => reject(new Error('It was settled before the dot.')), reject)
      })
      assert.deepEqual(caught, [draft.id], 'the draft was over before its dot was said')
      if (arrives) await until('the server has the mail', async () => copies(world, 'the dot') === 1)
      await using next = await world.serve()
      await untilSettled(world)
      await next.kill()
      assert.equal((await getDraft(world.spool, world.pia, draft.id)).status, 'unknown')
      assert.equal(copies(world, 'the dot'), arrives ? 1 : 0)
    })

  test(`${database}: kill -9 of Spool while it sends: nothing twice by itself, and no draft forgotten`, async () => {
    await using world = await buildWorld(database, true)
    const random = makeRandom(database.length)
    const some = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!
    await using proxy = await startCuttingProxy(world.sink.port, () => (random() < 0.4 ? some(cuts) : null))
    await sendBy(world.spool, world.inbox, proxy.port)
    const drafts: Draft[] = []
    const caught = new Set<string>()
    for (let round = 0; round < kills; round++) {
      for (let n = 0; n < 6; n++) drafts.push(await sendOne(world, `round ${round} mail ${n}`))
      await using server = await world.serve()
      await sleep(random() * 700)
      await server.kill()
      // A transaction of its own: it waits for a commit that the killed server had already asked its database for.
      await passTime(world.spool)
      for (const id of await caughtAtTheDot(world)) caught.add(id)
    }
    proxy.next = () => null
    for (let n = 0; n < 6; n++) drafts.push(await sendOne(world, `quiet mail ${n}`))
    await using server = await world.serve()
    await untilSettled(world)
    await server.kill()
    for (const { id } of drafts) await checkTruth(world, id, proxy.broken, caught)
  })
}
