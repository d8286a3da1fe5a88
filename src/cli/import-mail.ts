import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { listAllInboxes } from '../core/inboxes/inboxes.ts'
import { usualOpenDays, type HistoryRun } from '../core/receiving/history-run.ts'
import { receiveMail, type Incoming } from '../core/receiving/receive.ts'
import type { Spool } from '../core/spool.ts'
import type { LeftOut, MailItem, TooLarge } from '../mail/mailbox/mail-item.ts'
import { openParsePool, type ParsePool } from '../mail/parse-pool.ts'
import type { MailLimits } from '../mail/limits.ts'
import type { Inbox } from '../model/access.ts'
import type { ParsedMail } from '../model/mail/mail.ts'
import { addressesOf, ownAddressOf } from '../model/mail/own-address.ts'
import { boundHeap } from './heap.ts'

export interface ImportResult {
  /** Newly stored. */
  messages: number
  /** New threads, minus those that later messages merged. */
  threads: number
  duplicates: number
  /** Not stored. */
  failed: number
  /** Stored completely, but not fully readable. */
  damaged: number
  /** Drafts and deleted mail of a Maildir. */
  leftOut: number
}

export interface ImportOptions {
  asRead: boolean
  /** With `asRead`: threads older than this many days start closed; null: none. */
  openDays?: number | null
  limits: MailLimits
  /** A pool that is already open; it is not closed. */
  pool?: ParsePool
  onProgress?(result: Readonly<ImportResult>): void
  onTrouble?(name: string, trouble: string): void
}

/** Per batch. Other writers wait under 50 ms on SQLite, commit included; longer on PostgreSQL: commits cost more. */
const batchMilliseconds = { sqlite: 25, postgres: 150 }
/** Pause between batches, in which a running server can write. */
const breathMilliseconds = 2
/** Limits the mail between reading and storing: parsing continues while a batch is written. */
const mostWaiting = 300
const mostBytesWaiting = 4_000_000

interface Waiting {
  item: MailItem
  parsed: Promise<ParsedMail>
  mail: ParsedMail | null
}

/** Reads the mailbox, parses in other threads and stores in mailbox order, in batches; can be stopped and run again. */
export async function importMail(
  spool: Spool,
  inbox: Inbox,
  mailbox: AsyncIterable<MailItem | TooLarge | LeftOut>,
  options: ImportOptions,
): Promise<ImportResult> {
  const result: ImportResult = { messages: 0, threads: 0, duplicates: 0, failed: 0, damaged: 0, leftOut: 0 }
  const addresses = (await listAllInboxes(spool)).flatMap(addressesOf)
  const { openDays = usualOpenDays } = options
  const run = options.asRead ? { id: randomInt(2 ** 47), openDays } : null
  await using own = options.pool ? null : openParsePool({ limits: options.limits })
  const pool = options.pool ?? own!
  const waiting: Waiting[] = []
  let bytes = 0
  let firstThread: number | null = null
  const isFull = (): boolean =>
    waiting.length >= mostWaiting || (waiting.length > 0 && bytes >= mostBytesWaiting)

  let lastCommit = 0
  const keepHeapBounded = boundHeap()
  const breathe = async (): Promise<void> => {
    const left = breathMilliseconds - (performance.now() - lastCommit)
    // A turn of the event loop lets parsed mail arrive and more requests go out.
    await (left > 0 ? sleep(left) : nextTurn())
  }

  const isLong = (milliseconds: number): boolean => milliseconds > batchMilliseconds[spool.db.dialect]
  const storeSome = async (): Promise<void> => {
    await breathe()
    await waiting[0]!.parsed
    const ready = waiting.slice(0, firstUnparsed(waiting))
    const batch = ready.map(({ item, mail }) => incoming(item, mail!, options.asRead, run, addresses))
    const received = await receiveMail(spool, inbox, batch, isLong)
    lastCommit = performance.now()
    for (const { item, mail } of waiting.splice(0, received.length)) {
      bytes -= item.raw.byteLength
      if (!mail!.warnings.includes('unparsable')) continue
      result.damaged++
      options.onTrouble?.(
        item.name,
        'could not be read safely; it is stored completely, but only its header and a notice are shown',
      )
    }
    for (const { duplicate, newThread, absorbed } of received) {
      firstThread ??= newThread
      if (duplicate) result.duplicates++
      else result.messages++
      if (newThread !== null) result.threads++
      result.threads -= absorbed.filter((number) => firstThread !== null && number >= firstThread).length
    }
    options.onProgress?.(result)
  }

  for await (const item of mailbox) {
    keepHeapBounded()
    if ('leftOut' in item) {
      result.leftOut++
      continue
    }
    if ('tooLarge' in item || item.raw.byteLength === 0) {
      const trouble = 'tooLarge' in item ? `larger than the limit (${item.size} bytes)` : 'empty'
      result.failed++
      options.onTrouble?.(item.name, `is ${trouble}; it was skipped`)
      continue
    }
    const entry: Waiting = { item, parsed: pool.parse(item.raw), mail: null }
    // A failure surfaces where it is awaited.
    entry.parsed.then(
      (mail) => (entry.mail = mail),
      () => undefined,
    )
    waiting.push(entry)
    bytes += item.raw.byteLength
    while (isFull()) await storeSome()
  }
  while (waiting.length > 0) await storeSome()
  return result
}

function firstUnparsed(waiting: readonly Waiting[]): number {
  const index = waiting.findIndex(({ mail }) => mail === null)
  return index === -1 ? waiting.length : index
}

function incoming(
  item: MailItem,
  mail: ParsedMail,
  asRead: boolean,
  run: HistoryRun | null,
  own: readonly string[],
): Incoming {
  return {
    mail,
    direction: ownAddressOf(mail.from?.address ?? '', own) ? 'outbound' : 'inbound',
    envelopeDate: item.receivedAt,
    seen: asRead || item.seen,
    quiet: asRead,
    ...(run ? { run } : {}),
  }
}
