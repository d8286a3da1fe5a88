import { z } from 'zod'
import { Invitation } from '../../model/files/invitation.ts'
import { doings, liveEvents, Onlooker } from '../../model/live.ts'
import { MailAddress, Note, Status } from '../../model/thread.ts'
import { threadViews } from '../../model/thread-views.ts'
import { readTime } from '../../model/time.ts'
import { Colleague, Counts, Matching, OpenThread, ThreadRow } from '../../model/work.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { listOf, none, type RouteContract } from './route.ts'
import { HistoryQuery, ThreadQuery } from './thread-query.ts'

const id = z.string().max(100)
const until = z
  .string()
  .transform((text) => readTime(text))
  .pipe(z.number('must be a time such as 2030-01-31T09:00:00.000Z'))
  .nullable()
  .default(null)

const StatusWish = z.strictObject({ status: Status, until })
const Assignment = z.strictObject({ to: id.nullable() })
const NoteText = z.strictObject({ text: z.string() })

const view = z
  .enum(threadViews, `must be one of ${threadViews.join(', ')}`)
  .nullable()
  .default(null)

/** Which threads a list shows. */
const ListFilters = ThreadQuery.omit({ limit: true, cursor: true }).extend({ view })

const ThreadAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('status'), ...StatusWish.shape }),
  z.strictObject({ type: z.literal('assign'), ...Assignment.shape }),
  z.strictObject({ type: z.literal('read') }),
  z.strictObject({ type: z.literal('unread') }),
])
export type ThreadAction = z.infer<typeof ThreadAction>

const Changed = z.object({
  done: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), message: z.string() })),
  /** For `undoChange`; null if nothing changed. */
  receipt: z.string().nullable(),
})

/** One step through all threads of a list that have not changed since they were counted. */
export const matchingStep = {
  asOf: z
    .string()
    .transform((text) => readTime(text))
    .pipe(z.number('must be the time when the threads were counted')),
  cursor,
  action: ThreadAction,
}
export const MatchingChanged = Changed.extend({ nextCursor: z.string().nullable(), left: z.int().min(0) })

export const seqForm = /^\d{1,15}$/

export const threadContract = {
  listThreads: {
    method: 'GET',
    path: '/threads',
    query: ThreadQuery.extend({ view }),
    body: null,
    answer: pageOf(ThreadRow),
  },
  countThreads: { method: 'GET', path: '/threads/count', query: ListFilters, body: null, answer: Matching },
  countWork: { method: 'GET', path: '/counts', query: none, body: null, answer: Counts },
  getThread: { method: 'GET', path: '/threads/{id}', query: HistoryQuery, body: null, answer: OpenThread },
  changeThreads: {
    method: 'POST',
    path: '/threads/bulk',
    query: none,
    body: z.strictObject({ ids: z.array(id).min(1).max(100), action: ThreadAction }),
    answer: Changed,
  },
  changeMatching: {
    method: 'POST',
    path: '/threads/bulk/matching',
    query: none,
    body: ListFilters.extend(matchingStep),
    answer: MatchingChanged,
  },
  undoChange: {
    method: 'POST',
    path: '/threads/undo',
    query: none,
    body: z.strictObject({ receipt: z.string().max(100_000) }),
    answer: z.object({ undone: z.array(z.string()), kept: z.array(z.string()), others: z.array(z.string()) }),
  },
  // Every change to a thread returns its updated list row.
  markRead: { method: 'POST', path: '/threads/{id}/read', query: none, body: none, answer: ThreadRow },
  markUnread: { method: 'POST', path: '/threads/{id}/unread', query: none, body: none, answer: ThreadRow },
  assignThread: {
    method: 'POST',
    path: '/threads/{id}/assign',
    query: none,
    body: Assignment,
    answer: ThreadRow,
  },
  changeStatus: {
    method: 'POST',
    path: '/threads/{id}/status',
    query: none,
    body: StatusWish,
    answer: ThreadRow,
  },
  joinThreads: {
    method: 'POST',
    path: '/threads/{id}/join',
    query: none,
    body: z.strictObject({ other: id }),
    answer: ThreadRow,
  },
  listNotes: {
    method: 'GET',
    path: '/threads/{id}/notes',
    query: z.strictObject({ limit, cursor }),
    body: null,
    answer: pageOf(Note),
  },
  addNote: { method: 'POST', path: '/threads/{id}/notes', query: none, body: NoteText, answer: Note },
  editNote: { method: 'PATCH', path: '/notes/{id}', query: none, body: NoteText, answer: Note },
  listPeople: { method: 'GET', path: '/people', query: none, body: null, answer: listOf(Colleague) },
  completeAddress: {
    method: 'GET',
    path: '/addresses',
    query: z.strictObject({ q: z.string().max(254, 'has at most 254 characters') }),
    body: null,
    answer: listOf(MailAddress),
  },
  getAttachment: {
    method: 'GET',
    path: '/attachments/{id}',
    query: z.strictObject({ inline: z.literal('1', 'must be 1').optional() }),
    body: null,
    answer: 'bytes',
  },
  getCalendarEvent: {
    method: 'GET',
    path: '/attachments/{id}/invitation',
    query: none,
    body: null,
    answer: z.object({ invitation: Invitation.nullable() }),
  },
  previewText: {
    method: 'GET',
    path: '/attachments/{id}/text',
    query: none,
    body: null,
    answer: z.object({ text: z.string().nullable(), note: z.string().nullable() }),
  },
  getSource: { method: 'GET', path: '/messages/{id}/source', query: none, body: null, answer: 'bytes' },
  getRemotePicture: {
    method: 'GET',
    // `number` counts the remote pictures in the message's `html`, starting at 0.
    path: '/messages/{id}/pictures/{number}',
    query: none,
    body: null,
    answer: 'bytes',
  },
  followEvents: {
    method: 'GET',
    path: '/live',
    query: z.strictObject({
      after: z
        .string()
        .regex(seqForm, 'must be a seq: a whole number')
        .transform(Number)
        .nullable()
        .default(null),
    }),
    body: null,
    answer: { events: liveEvents },
  },
  setPresence: {
    method: 'POST',
    path: '/presence',
    query: none,
    body: z.strictObject({
      threadId: id.nullable(),
      /** The draft being edited; `threadId` is null for a draft without a thread. */
      draftId: id.nullable().default(null),
      doing: z.enum(doings).default('reading'),
    }),
    answer: z.object({ people: z.array(Onlooker) }),
  },
} as const satisfies Record<string, RouteContract>
