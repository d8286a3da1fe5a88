import { hash } from 'node:crypto'
import type { Caller } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Reads } from '../../model/reads.ts'
import { snapshot } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { readContents, threadsChangedAfter } from '../../store/threads/export.ts'
import { readTimeline, type TimelineItem } from '../../store/threads/history.ts'
import type { Position } from '../../store/position.ts'
import { listNotePage, type NoteRecord } from '../../store/threads/notes.ts'
import { describeThread, type ThreadRow } from '../../store/threads/summary.ts'
import { inboxesNamed, noSuch } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { inCurrentForm } from '../forms/forms.ts'
import type { Spool } from '../spool.ts'
import { readEntry } from './history.ts'
import { viewNote } from './notes.ts'
import { summarise } from './threads.ts'

export interface ExportQuery {
  updatedSince: number | null
  inbox: string | null
  cursor: string | null
  withHtml: boolean
}

/**
 * A change gets its timestamp before it is committed, and the clocks of several nodes differ a little. The next export
 * begins this long before the start of this one, to include later commits with earlier timestamps.
 */
const margin = 120_000
/** Messages of a batch are in memory together; this many are read in a few queries. */
const messagesAtOnce = 40
const threadsAtOnce = 40
/** How often the token is checked. */
const renewal = 1_000

/** What a piece takes while the client reads it: its text, and its bytes on their way. */
const bytesPerCharacter = 2

interface Running {
  /** Ids of tokens with a running export. */
  tokens: Set<string>
  /** Settles when the last batch asked for has been read: the rows of a batch can be large, so one is read at a time. */
  read: Promise<unknown>
}

/** Each node counts its own. */
const running = new WeakMap<Spool, Running>()

interface Progress {
  caller: Caller
  query: ExportQuery
  noteReads(reads: Reads): void
  cursorAfter(thread: ThreadRow): string
}

/**
 * Exports the caller's view as lines of JSON, thread by thread. Each batch is read in one snapshot once the client has
 * consumed the previous one, so an export of any size needs little memory and blocks nobody. The cursor of a thread
 * resumes a cut-off export and stores when the first part began, because the final cursor points there.
 */
export async function* exportThreads(
  spool: Spool,
  first: Caller,
  query: ExportQuery,
  { renew, noteReads }: { renew(): Promise<Caller>; noteReads(reads: Reads): void },
): AsyncGenerator<string> {
  const filters = JSON.stringify(['export', first.user.id, query.inbox, query.updatedSince])
  const numbers = namedInboxes(first, query).map(({ number }) => number)
  const view = hash('sha256', numbers.toSorted().join(), 'hex').slice(0, 12)
  const begun = readPosition(spool, filters, query, view)
  const floor = begun.floor ?? spool.now() - margin
  using _ = takeTurn(spool, first.token.id)
  const cursorAfter = ({ updated_at, id }: ThreadRow): string =>
    writeCursor(spool, filters, { timestamp: updated_at, id: `${id}.${floor.toString(36)}.${view}` })
  let caller = first
  let renewed = performance.now()
  for (let after = begun.position; ;) {
    const progress = { caller, query, noteReads, cursorAfter }
    const { threads, pieces } = await inTurn(spool, () => beginBatch(spool, progress, after))
    if (threads.length === 0) break
    for await (const piece of pieces) {
      using _ = hold(spool, piece)
      yield piece
      if (performance.now() - renewed < renewal) continue
      renewed = performance.now()
      caller = await renew()
      // What has left the view is cut off; the export can be resumed without it.
      if (!caller.inboxes.some(({ number }) => number === threads[0]!.inbox)) throw noSuch('thread')
    }
    const last = threads.at(-1)!
    after = { timestamp: last.updated_at, id: last.id }
  }
  const cursor = writeCursor(spool, filters, { timestamp: floor, id: `0..${view}` })
  yield `${JSON.stringify({ type: 'end', cursor })}\n`
}

/** The next threads, and what to write of them. The rows are not kept while the client reads. */
async function beginBatch(
  spool: Spool,
  progress: Progress,
  after: Position,
): Promise<{ threads: ThreadRow[]; pieces: AsyncIterable<string> | string[] }> {
  const { threads, contentsOf } = await snapshot(spool.db, (db) => readBatch(db, progress, after))
  const [first] = threads
  if (!first) return { threads, pieces: [] }
  const pieces =
    contentsOf === null
      ? exportLongThread(spool, progress, first)
      : [await writeBatch(spool, progress, threads, contentsOf)]
  return { threads, pieces }
}

type ContentsOf = Awaited<ReturnType<typeof readContents>>

/** Contents are null if the first thread is too long for a batch; it is then the only one. */
async function readBatch(
  db: Db,
  { caller, query }: Progress,
  after: Position,
): Promise<{ threads: ThreadRow[]; contentsOf: ContentsOf | null }> {
  const numbers = namedInboxes(caller, query).map(({ number }) => number)
  const found = await threadsChangedAfter(db, numbers, after, threadsAtOnce)
  let messages = 0
  const full = found.findIndex(({ message_count }) => (messages += message_count) > messagesAtOnce)
  if (full === 0) return { threads: found.slice(0, 1), contentsOf: null }
  const threads = full === -1 ? found : found.slice(0, full)
  if (threads.length === 0) return { threads, contentsOf: null }
  const withNotes = caller.token.scopes.includes('notes:read')
  const wanted = { userId: caller.user.id, withNotes, withHtml: query.withHtml }
  return { threads, contentsOf: await readContents(db, threads, wanted) }
}

function namedInboxes(caller: Caller, { inbox }: ExportQuery): Caller['inboxes'] {
  return inboxesNamed(caller, inbox === null ? null : [inbox])
}

async function writeBatch(
  spool: Spool,
  { caller, query, noteReads, cursorAfter }: Progress,
  threads: readonly ThreadRow[],
  contentsOf: ContentsOf,
): Promise<string> {
  const inboxes = namedInboxes(caller, query)
  const lines: string[] = []
  const reads = { threads: threads.length, messages: 0, notes: 0 }
  for (const thread of threads) {
    const { unread, items, notes } = contentsOf(thread)
    const inbox = inboxes.find(({ number }) => number === thread.inbox)!
    const summary = describeThread(thread, { unread, inbox, url: spool.url })
    lines.push(`{"type":"thread","cursor":"${cursorAfter(thread)}","thread":${JSON.stringify(summary)}}\n`)
    for (const item of await inCurrentForm(spool, items)) lines.push(writeEntry(thread, item, query))
    for (const note of notes) lines.push(writeNote(note, thread))
    reads.messages += thread.message_count
    reads.notes += notes.length
  }
  noteReads(reads)
  return lines.join('')
}

/** Exports in pieces, each read once the previous one was consumed. */
async function* exportLongThread(
  spool: Spool,
  { caller, query, noteReads, cursorAfter }: Progress,
  thread: ThreadRow,
): AsyncGenerator<string> {
  const { db } = spool
  const summary = await summarise(db, spool, caller, thread)
  yield `{"type":"thread","cursor":"${cursorAfter(thread)}","thread":${JSON.stringify(summary)}}\n`
  noteReads({ threads: 1, messages: thread.message_count, notes: 0 })
  const limit = messagesAtOnce
  let position: Position | null = null
  do {
    const page: Parameters<typeof readTimeline>[2] = { after: position, order: 'asc', limit }
    const { piece, next } = await inTurn(spool, async () => {
      const { items, next } = await snapshot(db, (db) => readTimeline(db, thread.number, page))
      const current = await inCurrentForm(spool, items)
      return { piece: current.map((item) => writeEntry(thread, item, query)).join(''), next }
    })
    yield piece
    position = next
  } while (position !== null)
  if (thread.note_count === 0 || !caller.token.scopes.includes('notes:read')) return
  do {
    const page: Awaited<ReturnType<typeof listNotePage>> = await listNotePage(db, thread.number, {
      after: position,
      limit,
    })
    noteReads({ threads: 0, messages: 0, notes: page.notes.length })
    yield page.notes.map((note) => writeNote(note, thread)).join('')
    position = page.next
  } while (position !== null)
}

function writeEntry({ id }: ThreadRow, item: TimelineItem, { withHtml }: ExportQuery): string {
  const entry = readEntry(item)
  if (entry.type === 'message' && !withHtml) entry.html = null
  return `{"type":"entry","threadId":"${id}","entry":${JSON.stringify(entry)}}\n`
}

function writeNote(note: NoteRecord, { id }: ThreadRow): string {
  return `{"type":"note","note":${JSON.stringify(viewNote(note, id))}}\n`
}

/**
 * Where to continue, and the start of the next export as set by the first part; null in the first part. With other
 * inboxes than the cursor was made for it begins again: it has not yet brought the older threads of a new one.
 */
function readPosition(
  spool: Spool,
  filters: string,
  { cursor, updatedSince }: ExportQuery,
  view: string,
): { position: Position; floor: number | null } {
  const beginning = { timestamp: updatedSince ?? Number.MIN_SAFE_INTEGER, id: '' }
  if (cursor === null) return { position: beginning, floor: null }
  const { timestamp, id: mark } = readCursor(spool, filters, cursor)
  // Cursors of earlier versions do not name their view.
  const [id = '', floor, madeFor = view] = mark.split('.')
  if (madeFor !== view) return { position: beginning, floor: null }
  return {
    // The end of an export lies before its start, and perhaps before the time that narrows it.
    position: timestamp < beginning.timestamp ? beginning : { timestamp, id },
    floor: floor ? Number.parseInt(floor, 36) : null,
  }
}

function takeTurn(spool: Spool, tokenId: string): Disposable {
  const { tokens } = runningOf(spool)
  if (tokens.has(tokenId))
    throw new SpoolError(
      'rate_limited',
      'This token has an export running already; wait until it is over, or end it.',
      { details: { retryAfter: 5 } },
    )
  tokens.add(tokenId)
  return { [Symbol.dispose]: () => void tokens.delete(tokenId) }
}

function runningOf(spool: Spool): Running {
  const known = running.get(spool)
  if (known) return known
  const none: Running = { tokens: new Set(), read: Promise.resolve() }
  running.set(spool, none)
  return none
}

function inTurn<Result>(spool: Spool, read: () => Promise<Result>): Promise<Result> {
  const state = runningOf(spool)
  const done = state.read.then(read)
  state.read = done.catch(() => undefined)
  return done
}

/** Counts a piece until the client has read it. */
function hold({ memory }: Spool, piece: string): Disposable {
  const share = memory.exports.open()
  if (share.take(bytesPerCharacter * piece.length)) return share
  throw new SpoolError(
    'not_ready',
    'Too many exports are running right now; try again in a moment, or go on with the last cursor.',
  )
}
