import { z } from 'zod'
import { Invitation } from '../../model/files/invitation.ts'
import { doings, liveEvents, Onlooker } from '../../model/live.ts'
import { MailAddress, Note, Status } from '../../model/thread.ts'
import { threadViews } from '../../model/thread-views.ts'
import {
  Changed,
  Colleague,
  Counts,
  Matching,
  MatchingChanged,
  OpenThread,
  ThreadRow,
  Undone,
} from '../../model/work.ts'
import { cursor, limit, pageOf, seq, time } from './paging.ts'
import { get, listOf, none, patch, post, type RouteContract } from './route.ts'
import { HistoryQuery, ThreadQuery } from './thread-query.ts'

const id = z.string().max(100)
const until = time('must be a time such as 2030-01-31T09:00:00.000Z').nullable().default(null)

const StatusChange = z.strictObject({ status: Status, until })
const Assignment = z.strictObject({ to: id.nullable() })
const NoteText = z.strictObject({ text: z.string() })

const view = z
  .enum(threadViews, `must be one of ${threadViews.join(', ')}`)
  .nullable()
  .default(null)

/** Which threads a list shows. */
const ListFilters = ThreadQuery.omit({ limit: true, cursor: true }).extend({ view })

const ThreadAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('status'), ...StatusChange.shape }),
  z.strictObject({ type: z.literal('assign'), ...Assignment.shape }),
  z.strictObject({ type: z.literal('read') }),
  z.strictObject({ type: z.literal('unread') }),
])
export type ThreadAction = z.infer<typeof ThreadAction>

/** One step through all threads of a list that have not changed since they were counted. */
export const matchingStep = {
  asOf: time('must be the time when the threads were counted'),
  cursor,
  action: ThreadAction,
}

export const threadContract = {
  listThreads: get('/threads', ThreadQuery.extend({ view }), pageOf(ThreadRow)),
  countThreads: get('/threads/count', ListFilters, Matching),
  countWork: get('/counts', none, Counts),
  getThread: get('/threads/{id}', HistoryQuery, OpenThread),
  changeThreads: post(
    '/threads/bulk',
    z.strictObject({ ids: z.array(id).min(1).max(100), action: ThreadAction }),
    Changed,
  ),
  changeMatching: post('/threads/bulk/matching', ListFilters.extend(matchingStep), MatchingChanged),
  undoChange: post('/threads/undo', z.strictObject({ receipt: z.string().max(100_000) }), Undone),
  // Every change to a thread returns its updated list row.
  markRead: post('/threads/{id}/read', none, ThreadRow),
  markUnread: post('/threads/{id}/unread', none, ThreadRow),
  assignThread: post('/threads/{id}/assign', Assignment, ThreadRow),
  changeStatus: post('/threads/{id}/status', StatusChange, ThreadRow),
  joinThreads: post('/threads/{id}/join', z.strictObject({ other: id }), ThreadRow),
  listNotes: get('/threads/{id}/notes', z.strictObject({ limit, cursor }), pageOf(Note)),
  addNote: post('/threads/{id}/notes', NoteText, Note),
  editNote: patch('/notes/{id}', NoteText, Note),
  listPeople: get('/people', none, listOf(Colleague)),
  completeAddress: get(
    '/addresses',
    z.strictObject({ q: z.string().max(254, 'has at most 254 characters') }),
    listOf(MailAddress),
  ),
  getAttachment: get(
    '/attachments/{id}',
    z.strictObject({ inline: z.literal('1', 'must be 1').optional() }),
    'bytes',
  ),
  getCalendarEvent: get(
    '/attachments/{id}/invitation',
    none,
    z.object({ invitation: Invitation.nullable() }),
  ),
  previewText: get(
    '/attachments/{id}/text',
    none,
    z.object({ text: z.string().nullable(), note: z.string().nullable() }),
  ),
  getSource: get('/messages/{id}/source', none, 'bytes'),
  /** `number` counts the remote pictures in the message's `html`, starting at 0. */
  getRemotePicture: get('/messages/{id}/pictures/{number}', none, 'bytes'),
  followEvents: get('/live', z.strictObject({ after: seq }), { events: liveEvents }),
  setPresence: post(
    '/presence',
    z.strictObject({
      threadId: id.nullable(),
      /** The draft being edited; `threadId` is null for a draft without a thread. */
      draftId: id.nullable().default(null),
      doing: z.enum(doings).default('reading'),
    }),
    z.object({ people: z.array(Onlooker) }),
  ),
} as const satisfies Record<string, RouteContract>
