/**
 * Finds the quoted history in a message by its thread: for each new message before it is stored, and for later messages
 * when an earlier one arrives or threads are merged. Changes only `newText`, the folding and the previews.
 */

import { isForwardSubject } from '../../model/mail/forward.ts'
import type { ParsedMail } from '../../model/mail/mail.ts'
import { makePreview } from '../../model/mail/preview.ts'
import { readFingerprints, readRuns, readWords } from '../../model/mail/shingles.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  listRecentTexts,
  listRecentWords,
  longestWords,
  readBodies,
  writeNewText,
  type MessageWords,
} from '../../store/threads/message-words.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import type { Spool } from '../spool.ts'
import { senderOf } from './message-columns.ts'
import { mayAnswerInQuote, QuotedAnswers, withSignature } from './quoted-answers.ts'
import { findNewByThread, mayBeHistory, type EarlierWords } from './quoted-history.ts'
import { ThreadPrints } from './thread-prints.ts'

/** Older messages are rarely quoted in full. */
const mostMessages = 20
/** Number of messages that are searched for what may be an answer. */
const mostTexts = 100

/** Cache: mail of one thread tends to arrive together, so recently stored words need not be read again. */
const recent = new Map<string, ThreadPrints>()
const mostWeight = 400_000
/** A thread above this weight is not cached: it is read again, from its newest messages. */
const mostOfAThread = 100_000
let weightKept = 0

export type Refolding = Pick<Spool, 'refold'>

/** What a transaction knows about the threads it adds mail to. */
export class BatchWords {
  /** Words of the messages it has added, by id: querying PostgreSQL for them would flush the pending inserts first. */
  readonly added = new Map<string, MessageWords>()
  /** Messages, by id, that may repeat earlier ones which were stored after them or in another thread. */
  readonly toAsk = new Map<string, { thread: ThreadRow; later: MessageWords; earlier: Set<string> }>()
  /** Threads that others were merged into: all their recent messages are compared again to find which said it first. */
  readonly merged = new Set<ThreadRow>()

  ask(thread: ThreadRow, later: MessageWords, earlier: string): void {
    const known = this.toAsk.get(later.id)
    if (known) known.earlier.add(earlier)
    else this.toAsk.set(later.id, { thread, later, earlier: new Set([earlier]) })
  }

  merge(survivor: ThreadRow, absorbed: ThreadRow): void {
    for (const each of this.toAsk.values()) if (each.thread === absorbed) each.thread = survivor
    const mustAsk = joinPrints(survivor, absorbed)
    if (this.merged.delete(absorbed) || mustAsk) this.merged.add(survivor)
  }
}

/** The mail with the history that its thread reveals left out. Most mail repeats nothing, or only in known quotes. */
export async function compareWithThread(
  db: Tx,
  spool: Refolding,
  thread: ThreadRow,
  { id, timestamp }: { id: string; timestamp: number },
  mail: ParsedMail,
  words: BatchWords,
): Promise<ParsedMail> {
  const messages = mail.hidesUnmarked
    ? await listRecentWords(db, thread.number, mostMessages)
    : await messagesSharing(db, thread, mail.fingerprints)
  for (const each of messages) if (each.timestamp > timestamp) words.ask(thread, each, id)
  const earlier = messages.filter((each) => each.timestamp <= timestamp)
  if (mail.forwards) return mail
  const separated =
    earlier.length === 0 ? mail : await separate(spool, mail, mail.from?.address ?? '', earlier)
  if (!mayAnswerInQuote(separated)) return separated
  const quoted = await messagesSharing(db, thread, readFingerprints(mail.text))
  return withQuotedAnswers(db, spool, { id, thread: thread.number, timestamp }, separated, quoted)
}

/** Call once all messages are stored: compares all later ones together, once however many earlier ones arrived. */
export async function askLaterMessages(db: Tx, spool: Refolding, words: BatchWords): Promise<void> {
  const { added, toAsk, merged } = words
  const read = new Map<string, MessageWords>()
  for (const thread of merged) {
    const messages = await listRecentWords(db, thread.number, mostMessages)
    for (const [at, later] of messages.entries()) {
      read.set(later.id, later)
      for (const { id } of messages.slice(0, at)) words.ask(thread, later, id)
    }
  }
  const asked = [...toAsk.values()].map(({ thread, later, earlier }) => ({
    thread,
    later: added.get(later.id) ?? later,
    earlier: [...earlier].flatMap((id) => added.get(id) ?? read.get(id) ?? []),
  }))
  await askAgain(db, spool, asked, added)
}

async function messagesSharing(db: Tx, thread: ThreadRow, fingerprints: Int32Array): Promise<MessageWords[]> {
  const prints = await printsOf(db, thread)
  const sharing = new Set<MessageWords>()
  for (const print of fingerprints) {
    const message = prints.get(print)
    if (message) sharing.add(message)
  }
  return [...sharing].slice(-mostMessages).sort((one, other) => one.timestamp - other.timestamp)
}

/** Call once the message is stored and counted in its thread. */
export function rememberWords(
  thread: ThreadRow,
  id: string,
  timestamp: number,
  mail: ParsedMail,
  { added }: BatchWords,
): void {
  const words = { id, timestamp, sender: senderOf(mail), newText: mail.newText.slice(0, longestWords) }
  added.set(id, words)
  const { fingerprints } = mail
  const known = forget(thread.id)
  if (known?.count !== thread.message_count - 1 && thread.message_count > 1) return
  const prints = known ?? new ThreadPrints(fingerprints.length)
  prints.add(fingerprints, words)
  prints.count = thread.message_count
  keep(thread.id, prints)
}

/** The same for a stored message that was parsed again. */
export async function compareWithEarlier(
  db: Db,
  spool: Refolding,
  stored: Place,
  mail: ParsedMail,
): Promise<ParsedMail> {
  if (mail.forwards) return mail
  const earlier = await listRecentWords(db, stored.thread, mostMessages, stored)
  if (earlier.length === 0) return mail
  const separated = await separate(spool, mail, mail.from?.address ?? '', earlier)
  return mayAnswerInQuote(separated) ? withQuotedAnswers(db, spool, stored, separated, earlier) : separated
}

async function printsOf(db: Tx, thread: ThreadRow): Promise<ThreadPrints> {
  const known = recent.get(thread.id)
  if (known?.count === thread.message_count) return known
  const messages = await listRecentWords(db, thread.number, mostMessages)
  const prints = new ThreadPrints()
  for (const message of messages) prints.add(readFingerprints(message.newText), message)
  prints.count = thread.message_count
  forget(thread.id)
  keep(thread.id, prints)
  return prints
}

/** Merges the cached prints; returns whether both threads share words or that is unknown. */
function joinPrints(survivor: ThreadRow, absorbed: ThreadRow): boolean {
  const [prints, others] = [forget(survivor.id), forget(absorbed.id)]
  if (!prints || !others || prints.count + others.count !== survivor.message_count) return true
  const isShared = prints.addAll(others)
  prints.count = survivor.message_count
  keep(survivor.id, prints)
  return isShared
}

function keep(id: string, prints: ThreadPrints): void {
  if (prints.weight > mostOfAThread) return
  recent.set(id, prints)
  weightKept += prints.weight
  for (const oldest of recent.keys()) {
    if (weightKept <= mostWeight || oldest === id) break
    forget(oldest)
  }
}

/** Call before changing prints: the cache total depends on their weight. */
function forget(id: string): ThreadPrints | undefined {
  const prints = recent.get(id)
  if (prints) weightKept -= prints.weight
  recent.delete(id)
  return prints
}

type Body = Pick<ParsedMail, 'text' | 'newText' | 'html'>

/** Unchanged if the thread has nothing to add or the HTML cannot be folded the same way. */
async function separate<T extends Body>(
  spool: Refolding,
  body: T,
  address: string,
  earlier: readonly MessageWords[],
): Promise<T> {
  if (!mayBeHistory(body)) return body
  const found = findNewByThread({ ...body, address, earlier: earlier.map(wordsOf) })
  return found ? withNewLines(spool, body, found) : body
}

/** Where a message stands. */
type Place = { id: string; thread: number; timestamp: number }

/** With the answers that somebody typed inside their quote of these messages. */
async function withQuotedAnswers<T extends Body>(
  db: Db,
  spool: Refolding,
  place: Place,
  body: T,
  quoted: readonly MessageWords[],
): Promise<T> {
  const answers = new QuotedAnswers(body)
  const goingOn = quoted.filter(
    ({ timestamp, newText }) => timestamp <= place.timestamp && answers.compare(newText),
  )
  const ids = goingOn.map(({ id }) => id)
  const bodies = await readBodies(db, ids)
  for (const each of bodies) answers.compare(withSignature(each))
  if (answers.areNone) return body
  // What others wrote there, in quotes and signatures too, is no answer of this author.
  const found = answers.newLines(await listRecentTexts(db, place.thread, mostTexts, place))
  return found ? withNewLines(spool, body, found) : body
}

export async function withNewLines<T extends Body>(
  spool: Refolding,
  body: T,
  found: ReadonlySet<number>,
): Promise<T> {
  const isNew = (line: number) => found.has(line)
  const html = body.html === null ? null : await spool.refold(body.html, body.text, isNew)
  if (body.html !== null && html === null) return body
  const newText = joinLines(body.text.split('\n'), isNew)
  return { ...body, newText, html, preview: makePreview(newText) }
}

/** Cache: many replies in a batch quote the same message. */
const wordsRead = new WeakMap<MessageWords, EarlierWords>()

function wordsOf(message: MessageWords): EarlierWords {
  let words = wordsRead.get(message)
  if (!words) {
    const { sender, newText } = message
    words = { ...sender, ending: newText.slice(-2000), runs: readRuns(readWords(newText).hashes) }
    wordsRead.set(message, words)
  }
  return words
}

/** Separates stretches with a blank line where the mail had any between them. */
function joinLines(lines: readonly string[], isNew: (line: number) => boolean): string {
  const kept: string[] = []
  let gap = false
  for (const [at, line] of lines.entries()) {
    if (!isNew(at) || line.trim() === '') {
      gap ||= line.trim() === ''
      continue
    }
    if (gap && kept.length > 0) kept.push('')
    kept.push(line)
    gap = false
  }
  return kept.join('\n')
}

interface Asked {
  thread: ThreadRow
  later: MessageWords
  earlier: readonly MessageWords[]
}

/** Finds what later messages repeat, oldest first. Few do, so their texts are read in one query. */
async function askAgain(
  db: Tx,
  spool: Refolding,
  asked: readonly Asked[],
  added: BatchWords['added'],
): Promise<void> {
  const again = findSharing(asked.toSorted((one, other) => one.later.timestamp - other.later.timestamp))
  const bodies = await readBodies(db, [...again.keys()])
  for (const body of bodies) {
    if (isForwardSubject(body.subject)) continue
    const { thread, later, earlier } = again.get(body.id)!
    const words = earlier.map((each) => added.get(each.id) ?? each)
    const separated = await separate(spool, body, later.sender.address, words)
    if (separated === body) continue
    const preview = makePreview(separated.newText)
    await writeNewText(db, thread.inbox, body.message, { ...separated, preview })
    added.set(body.id, { ...later, newText: separated.newText.slice(0, longestWords) })
    if (thread.timestamp === later.timestamp) thread.preview = preview
  }
}

/** The later messages that share words with an earlier one, by id. */
function findSharing(asked: readonly Asked[]): Map<string, Asked> {
  const read = new Map<MessageWords, Set<number>>()
  const printsIn = (words: MessageWords): Set<number> => {
    let prints = read.get(words)
    if (!prints) read.set(words, (prints = new Set(readFingerprints(words.newText))))
    return prints
  }
  const sharing = asked.filter(({ later, earlier }) => {
    const own = printsIn(later)
    return earlier.some((each) => [...printsIn(each)].some((print) => own.has(print)))
  })
  return new Map(sharing.map((each) => [each.later.id, each]))
}
