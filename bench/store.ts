import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSpool } from '../src/app/open.ts'
import { readConfig } from '../src/config.ts'
import { addInbox } from '../src/core/inboxes/inboxes.ts'
import { addUser } from '../src/core/people/people.ts'
import { receiveMail, type Incoming } from '../src/core/receiving/receive.ts'
import type { Spool } from '../src/core/spool.ts'
import { setAssignee, setStatus, type Change } from '../src/core/threads/state.ts'
import { createToken } from '../src/core/tokens/tokens.ts'
import { person, type Inbox, type User } from '../src/model/access.ts'
import { currentForm } from '../src/model/mail/form.ts'
import { statuses, type Status } from '../src/model/thread.ts'
import { transaction } from '../src/store/database.ts'
import { loadThread, saveThread } from '../src/store/threads/threads.ts'
import { makeMail, randomFrom } from './sample-mail.ts'

/**
 * Raise this whenever the generated store changes: stores of another shape are rebuilt. So are stores whose mail was
 * parsed by earlier rules, because Spool would parse it again during the measurement.
 */
const shape = `3, form ${currentForm}`

/** A store to measure on, with what a client needs to query it. */
export interface BenchStore {
  threads: number
  /** Its location, as environment variables for Spool. */
  env: Record<string, string>
  token: string
  /** Ids of the threads with many messages. */
  longThreads: string[]
}

const longThreads = 1_000
export const longThreadMessages = 12
const batchOfThreads = 1_000
const day = 86_400_000

/** The store of that size in `folder`: an existing one is reused if it has the right shape. */
export async function keepStore(folder: string, threads: number): Promise<BenchStore> {
  const place = join(folder, `${threads}`)
  const note = join(place, 'bench.json')
  if (existsSync(note)) {
    const { shape: built, store } = JSON.parse(readFileSync(note, 'utf8')) as {
      shape: string
      store: Omit<BenchStore, 'env'>
    }
    if (built === shape) return { ...store, env: { SPOOL_DATA: place } }
  }
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const { env, ...store } = await buildStore({ SPOOL_DATA: place }, threads)
  // Written last, so that an interrupted build is not taken for a store.
  writeFileSync(note, JSON.stringify({ shape, store }))
  return { ...store, env }
}

export async function buildStore(env: Record<string, string>, threads: number): Promise<BenchStore> {
  const began = performance.now()
  await using spool = await openSpool(readConfig(env), 'inline')
  const inboxes = await Promise.all(
    ['support', 'orders', 'invoices'].map((name) => addInbox(spool, `${name}@shop.example`, null)),
  )
  const everything = inboxes.map(({ address }) => address)
  await addPerson(spool, 'ada', 'admin', [])
  const ben = await addPerson(spool, 'ben', 'member', everything)
  await addPerson(spool, 'cleo', 'member', everything.slice(0, 1))
  const { token } = await createToken(spool, {
    email: ben.email,
    name: 'Bench',
    scopes: ['threads:read'],
    inboxes: [],
    lifetime: 365 * 24 * 3_600_000,
  })
  const store: BenchStore = { threads, env, token, longThreads: [] }
  let messages = 0
  for (let first = 0; first < threads; first += batchOfThreads * inboxes.length) {
    const last = Math.min(threads, first + batchOfThreads * inboxes.length)
    for (const [offset, inbox] of inboxes.entries())
      messages += await fillInbox(spool, store, inbox, ben, {
        first: first + offset,
        last,
        step: inboxes.length,
      })
    tellProgress(last, threads, messages, performance.now() - began)
  }
  return store
}

function addPerson(spool: Spool, name: string, role: 'admin' | 'member', inboxes: string[]): Promise<User> {
  return addUser(spool, { email: `${name}@shop.example`, name, role, inboxes, password: null })
}

interface Range {
  first: number
  last: number
  step: number
}

/** Receives the mail of some threads and sets their statuses and assignees; returns the number of messages. */
async function fillInbox(
  spool: Spool,
  store: BenchStore,
  inbox: Inbox,
  ben: User,
  { first, last, step }: Range,
): Promise<number> {
  const batch: { thread: number; messages: number; incoming: Incoming }[] = []
  const everyLong = store.threads / longThreads
  for (let thread = first; thread < last; thread += step) {
    const messages = thread % everyLong < 1 ? longThreadMessages : 1
    for (let position = 0; position < messages; position++)
      batch.push({
        thread,
        messages,
        incoming: makeIncoming(store.threads, thread, position, messages, inbox),
      })
  }
  const received = await receiveMail(
    spool,
    inbox,
    batch.map(({ incoming }) => incoming),
  )
  const begun = received.flatMap(({ newThread, threadId }, index) =>
    newThread === null ? [] : [{ number: newThread, id: threadId, ...batch[index]! }],
  )
  store.longThreads.push(...begun.filter(({ messages }) => messages > 1).map(({ id }) => id))
  await settleThreads(spool, begun, ben)
  return received.length
}

function makeIncoming(
  threads: number,
  thread: number,
  position: number,
  messages: number,
  inbox: Inbox,
): Incoming {
  // Two years of mail up to yesterday, for any number of threads.
  const date = Math.floor(today() - day - ((threads - thread) / threads) * 730 * day) + position * 60_000
  return {
    mail: makeMail({ thread, position, messages, inbox: inbox.address, date }),
    direction: position % 3 === 2 ? 'outbound' : 'inbound',
    envelopeDate: null,
    // A fifth stays unread, spread evenly from the newest to the oldest.
    seen: thread % 5 !== 2,
    quiet: true,
  }
}

function today(): number {
  return Math.floor(Date.now() / day) * day
}

/** Of twenty threads, on average eleven are closed, five open, two waiting, one snoozed, one spam; three assigned. */
const fates: readonly Status[] = statuses.flatMap((status) =>
  Array.from<Status>({ length: { closed: 11, open: 5, waiting: 2, snoozed: 1, spam: 1 }[status] }).fill(
    status,
  ),
)

async function settleThreads(
  spool: Spool,
  threads: readonly { number: number; thread: number }[],
  ben: User,
): Promise<void> {
  const change: Change = { actor: person(ben), now: spool.now(), quiet: true }
  await transaction(spool.db, async (db) => {
    for (const { number, thread: index } of threads) {
      const random = randomFrom(index + 77)
      const status = fates[Math.floor(random() * fates.length)]!
      const assigned = random() < 0.15
      if (status === 'open' && !assigned) continue
      const thread = await loadThread(db, number)
      await setStatus(db, thread, status, status === 'snoozed' ? change.now + 3650 * day : null, change)
      if (assigned) await setAssignee(db, thread, ben, change)
      await saveThread(db, thread, change.now)
    }
  })
}

function tellProgress(done: number, threads: number, messages: number, milliseconds: number): void {
  const rate = Math.round(messages / (milliseconds / 1000))
  const line = `  built ${done.toLocaleString('en')} of ${threads.toLocaleString('en')} threads, ${rate.toLocaleString('en')} messages/s`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}\x1b[K${done === threads ? '\n' : ''}`)
  else if (done === threads) process.stderr.write(`${line}\n`)
}
