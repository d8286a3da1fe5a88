import { actorReference, system, type ActorReference, type Inbox } from '../../model/access.ts'
import { newId } from '../../model/ids.ts'
import type { CheckedSender, ParsedMail } from '../../model/mail/mail.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { appendEvent } from '../../store/log/events.ts'
import { appendHistory } from '../../store/threads/history.ts'
import { insertAttachments } from '../../store/threads/attachments.ts'
import { findMessageInThread, insertMessage } from '../../store/threads/messages.ts'
import { addSearchTerms } from '../../store/threads/search.ts'
import type { ThreadRow, ThreadValues } from '../../store/threads/summary.ts'
import { insertThread } from '../../store/threads/threads.ts'
import { readersOfInbox } from '../../store/people/users.ts'
import { rememberPeople } from '../threads/correspondents.ts'
import { historyStatus, joinStatuses, type HistoryRun } from './history-run.ts'
import { KnownMail } from './known-mail.ts'
import { OpenThreads } from './open-threads.ts'
import { readBody, readColumns, senderOf } from '../forms/message-columns.ts'
import { endSent } from '../drafts/end.ts'
import { staleDrafts } from '../drafts/state.ts'
import { absorb } from './joining.ts'
import { recogniseOwn, type OwnMail } from './own-mail.ts'
import { leaveOutFooter } from '../forms/legal-footer.ts'
import { askLaterMessages, compareWithThread, rememberWords } from '../forms/thread-words.ts'
import { noteReplyTime } from './reply-time.ts'
import type { Spool } from '../spool.ts'
import { setStatus, type Change } from '../threads/state.ts'

/** One incoming message, from any source. */
export interface Incoming {
  mail: ParsedMail
  direction: 'inbound' | 'outbound'
  /** IMAP's INTERNALDATE or the mbox From_ line, for mail with an implausible Date. */
  envelopeDate: number | null
  /** Does not become unread for anyone. */
  seen: boolean
  /** History: reopens nothing and is delivered to no webhook. */
  quiet: boolean
  /** The import or first sync that brings it. */
  run?: HistoryRun
  /** Marked by a trusted host, or found in its junk folder: a thread that begins with it is spam. */
  spam?: boolean
  /** Outbound mail sent from another mail program, or Spool's own mail coming back. */
  fromSentFolder?: boolean
  sentBy?: ActorReference
  authentication?: CheckedSender | null
  /** Sent by Spool itself. */
  own?: OwnMail
}

/** Whether a batch should end after this many milliseconds of storing. */
export type IsLong = (milliseconds: number) => boolean

export interface Received {
  messageId: string
  threadId: string
  duplicate: boolean
  /** The thread's number if it began with this message: numbers grow in the order threads begin. */
  newThread: number | null
  /** Numbers of the threads that this message merged into its own. */
  absorbed: number[]
}

/**
 * All mail is stored here: the message, its thread and its events in one commit. A batch ends early once `isLong` says
 * that other writers should get their turn; the result says how far it got.
 */
export async function receiveMail(
  spool: Spool,
  inbox: Inbox,
  batch: readonly Incoming[],
  isLong?: IsLong,
): Promise<Received[]> {
  return transaction(spool.db, (db) => receiveBatch(db, spool, inbox, batch, isLong))
}

/** The same inside a larger transaction: with a record of what was fetched, mail for other inboxes, or a sent draft. */
export async function receiveBatch(
  db: Tx,
  spool: Pick<Spool, 'now' | 'refold'>,
  inbox: Pick<Inbox, 'number'>,
  batch: readonly Incoming[],
  isLong: IsLong = () => false,
): Promise<Received[]> {
  const began = performance.now()
  const readers = await readersOfInbox(db, inbox.number)
  const openThreads = new OpenThreads(db)
  const knownMail = new KnownMail(db, inbox.number)
  const received: Received[] = []
  const sent: [OwnMail, Received][] = []
  for (const [at, incoming] of batch.entries()) {
    await knownMail.lookAhead(batch, at, openThreads)
    const known =
      incoming.direction === 'outbound' && !incoming.own
        ? await recogniseOwn(db, inbox.number, incoming.mail.messageId)
        : null
    const own = known && 'own' in known ? known.own : incoming.own
    const stored = known && 'stored' in known ? known.stored : null
    const one = stored
      ? await asDuplicate(openThreads, stored)
      : await receiveOne(
          db,
          openThreads,
          knownMail,
          inbox,
          own ? { ...incoming, own, sentBy: own.sentBy } : incoming,
          spool,
        )
    received.push(one)
    if (own) sent.push([own, one])
    if (isLong(performance.now() - began)) break
  }
  await askLaterMessages(db, spool, knownMail.words)
  await openThreads.save(spool.now(), readers)
  for (const [own, message] of sent) await endSent(db, own, message, spool.now())
  return received
}

async function asDuplicate(
  openThreads: OpenThreads,
  { id, thread }: { id: string; thread: number },
): Promise<Received> {
  const { id: threadId } = await openThreads.take(thread)
  return { messageId: id, threadId, duplicate: true, newThread: null, absorbed: [] }
}

async function receiveOne(
  db: Tx,
  openThreads: OpenThreads,
  knownMail: KnownMail,
  inbox: Pick<Inbox, 'number'>,
  original: Incoming,
  spool: Pick<Spool, 'now' | 'refold'>,
): Promise<Received> {
  const { direction, quiet } = original
  const same = knownMail.same(original.mail)
  if (same) return asDuplicate(openThreads, same)
  const now = spool.now()
  const change: Change = { actor: system, now, quiet }
  const [survivor, ...others] = withOwn(knownMail.threadsOf(original.mail), original.own?.thread ?? null)
  const known = survivor === undefined ? null : await openThreads.take(survivor)
  for (const other of others) {
    const absorbed = await openThreads.take(other)
    if (original.run) joinStatuses(original.run, known!, absorbed)
    await absorb(db, known!, absorbed, change)
    openThreads.join(known!, absorbed)
    knownMail.merge(known!, absorbed)
  }

  const [id, timestamp] = [newId('msg', now), timeOf(original.mail, original.envelopeDate, now)]
  const compared = known
    ? await compareWithThread(db, spool, known, { id, timestamp }, original.mail, knownMail.words)
    : original.mail
  const mail = await leaveOutFooter(db, spool, inbox.number, compared)
  const incoming = { ...original, mail }
  const message: NewMessage = { id, timestamp, preview: mail.preview, arrival: 0 }
  const threadId = known?.id ?? newId('thr', now)
  const common = { inbox: inbox.number, timestamp: now, quiet }
  const by = actorReference(system)
  if (!known) await appendEvent(db, { type: 'thread.created', ...common, data: { threadId, actor: by } })
  message.arrival = await appendEvent(db, {
    type: direction === 'inbound' ? 'message.received' : 'message.sent',
    ...common,
    data: { threadId, messageId: message.id, actor: incoming.sentBy ?? by },
  })
  const thread = known ?? (await insertThread(db, beginThread(inbox, threadId, incoming, message, now)))
  // For a reply sent from another mail program: if inbound mail is newer, the thread stays open.
  const isNewest = message.timestamp >= thread.timestamp
  if (known) {
    const { run } = incoming
    if (run && run.id === known.history_run && isNewest)
      known.status = historyStatus(run, { timestamp: message.timestamp, direction }, now)
    addToThread(known, incoming, message)
    if (noteReplyTime(known, direction, message.timestamp).mustFindAnswer) openThreads.findAnswer(known)
    openThreads.change(known)
  } else openThreads.put(thread)
  await knownMail.store(original.mail, { id, thread: thread.number })
  await storeMessage(db, thread, message, incoming)
  rememberWords(thread, id, timestamp, mail, knownMail.words)
  if (!quiet) await staleDrafts(db, thread, now)
  if (direction === 'inbound') {
    if (mail.bounce) await recordBounce(db, thread, mail.bounce, now)
    if (!quiet && mail.kind !== 'auto_reply' && ['waiting', 'snoozed', 'closed'].includes(thread.status)) {
      await setStatus(db, thread, 'open', null, change)
    }
    if (!incoming.seen) openThreads.leaveUnread(thread)
  } else if (incoming.own && (incoming.own.closes || thread.status === 'open')) {
    const to = incoming.own.closes ? 'closed' : 'waiting'
    await setStatus(db, thread, to, null, { ...change, actor: incoming.own.sentBy })
    openThreads.change(thread)
  } else if (incoming.fromSentFolder && !incoming.run && isNewest && thread.status === 'open') {
    await setStatus(db, thread, 'waiting', null, change)
    openThreads.change(thread)
  }
  return {
    messageId: message.id,
    threadId,
    duplicate: false,
    newThread: known ? null : thread.number,
    absorbed: others,
  }
}

/** Our own reply always stays in its thread. */
function withOwn(threads: readonly number[], own: number | null): number[] {
  return own === null ? [...threads] : [...new Set([...threads, own])].sort((a, b) => a - b)
}

/** The Date header, unless missing or later than the arrival; else the next best date. */
function timeOf(mail: ParsedMail, envelopeDate: number | null, arrival: number): number {
  return (
    [mail.date, mail.receivedDate, envelopeDate].find((date) => date !== null && date <= arrival) ?? arrival
  )
}

interface NewMessage {
  id: string
  timestamp: number
  preview: string
  /** The `seq` of its event. */
  arrival: number
}

function beginThread(
  inbox: Pick<Inbox, 'number'>,
  id: string,
  { mail, direction, run, spam }: Incoming,
  message: NewMessage,
  now: number,
): ThreadValues {
  const from = senderOf(mail)
  const isSpam = spam === true && direction === 'inbound'
  const usual = run ? historyStatus(run, { timestamp: message.timestamp, direction }, now) : 'open'
  return {
    id,
    inbox: inbox.number,
    subject: mail.subject,
    sender_name: from.name,
    sender_address: from.address,
    timestamp: message.timestamp,
    status: isSpam ? 'spam' : usual,
    assignee_id: null,
    assigned_at: null,
    assignee_name: null,
    assignee_email: null,
    snoozed_until: null,
    preview: message.preview,
    message_count: 1,
    note_count: 0,
    attachment_count: mail.attachments.length,
    draft_count: 0,
    created_at: message.timestamp,
    updated_at: now,
    revision: 1,
    last_inbound: direction === 'inbound' ? message.arrival : 0,
    asked_at: direction === 'inbound' ? message.timestamp : null,
    answered_at: null,
    history_run: isSpam ? null : (run?.id ?? null),
  }
}

/** Subject, sender and creation time follow the earliest message; time and preview the newest. */
function addToThread(thread: ThreadRow, { mail, direction }: Incoming, message: NewMessage): void {
  if (message.timestamp < thread.created_at) {
    const from = senderOf(mail)
    thread.created_at = message.timestamp
    thread.subject = mail.subject
    thread.sender_name = from.name
    thread.sender_address = from.address
  }
  if (message.timestamp >= thread.timestamp) {
    thread.timestamp = message.timestamp
    thread.preview = message.preview
  }
  thread.message_count++
  thread.attachment_count += mail.attachments.length
  if (direction === 'inbound') thread.last_inbound = message.arrival
}

async function storeMessage(
  db: Tx,
  thread: ThreadRow,
  message: NewMessage,
  incoming: Incoming,
): Promise<void> {
  const { mail, direction, sentBy, authentication } = incoming
  const number = await insertMessage(
    db,
    {
      id: message.id,
      inbox: thread.inbox,
      thread: thread.number,
      arrival: message.arrival,
      timestamp: message.timestamp,
      direction,
      identity: mail.identity,
      message_id: mail.messageId,
      in_reply_to: mail.inReplyTo,
      ...readColumns(mail),
      attachment_count: mail.attachments.length,
      sent_by: sentBy ? JSON.stringify(sentBy) : null,
      authentication: authentication ? JSON.stringify(authentication) : null,
      kind: mail.kind,
      auto_generated: mail.autoGenerated ? 1 : 0,
    },
    readBody(mail),
    { source: mail.raw, checksum: mail.checksum },
  )
  await insertAttachments(db, number, mail.attachments)
  addSearchTerms(db, number, thread.inbox, mail.searchTerms)
  await rememberPeople(db, thread.inbox, direction, mail)
}

async function recordBounce(
  db: Tx,
  thread: ThreadRow,
  bounce: NonNullable<ParsedMail['bounce']>,
  now: number,
): Promise<void> {
  if (!bounce.failed) return
  const original = bounce.originalMessageId
  const messageId = original === null ? undefined : await findMessageInThread(db, thread.number, original)
  await appendHistory(db, thread.number, 'bounced', now, {
    messageId: messageId ?? null,
    reason: bounce.reason,
  })
}
