import { z } from 'zod'
import { Draft, DraftRevision, DraftStatus, type DraftKind } from '../../model/draft.ts'
import { Letter } from '../../model/mail/letter.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { listOf, none, type RouteContract } from './route.ts'

const revision = z.int().min(1)
const revisionText = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the revision that was edited')
  .transform(Number)

const People = z.array(
  z.strictObject({ name: z.string().max(200).nullable().default(null), address: z.string().max(320) }),
)
const headerFields = {
  from: z.string().max(254).exactOptional(),
  to: People.exactOptional(),
  cc: People.exactOptional(),
  bcc: People.exactOptional(),
  subject: z.string().exactOptional(),
}
const text = z.string()
/** A page that lost the answer to its first save repeats it with the same key, and gets the draft. */
const idempotencyKey = z.string().min(1).max(100).exactOptional()

const NewDraft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('reply' satisfies DraftKind),
    threadId: z.string(),
    text,
    idempotencyKey,
    ...headerFields,
  }),
  z.strictObject({
    kind: z.literal('forward' satisfies DraftKind),
    messageId: z.string(),
    text: text.exactOptional(),
    ...headerFields,
  }),
  z.strictObject({
    kind: z.literal('new' satisfies DraftKind),
    inboxId: z.string(),
    text: text.exactOptional(),
    idempotencyKey,
    ...headerFields,
  }),
])

const Statuses = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(DraftStatus))
  .nullable()
  .default(null)

export const draftContract = {
  listDrafts: {
    method: 'GET',
    path: '/drafts',
    query: z.strictObject({
      thread: z.string().nullable().default(null),
      status: Statuses,
      author: z.enum(['agent', 'person']).nullable().default(null),
      limit,
      cursor,
    }),
    body: null,
    answer: pageOf(Draft),
  },
  createDraft: { method: 'POST', path: '/drafts', query: none, body: NewDraft, answer: Draft },
  getDraft: { method: 'GET', path: '/drafts/{id}', query: none, body: null, answer: Draft },
  reviseDraft: {
    method: 'PUT',
    path: '/drafts/{id}',
    query: none,
    body: z.strictObject({ revision, text, ...headerFields }),
    answer: Draft,
  },
  listDraftRevisions: {
    method: 'GET',
    path: '/drafts/{id}/revisions',
    query: none,
    body: null,
    answer: listOf(DraftRevision),
  },
  confirmDraft: {
    method: 'POST',
    path: '/drafts/{id}/confirm',
    query: none,
    body: z.strictObject({ revision, newestMessageId: z.string() }),
    answer: Draft,
  },
  discardDraft: {
    method: 'POST',
    path: '/drafts/{id}/discard',
    query: none,
    body: z.strictObject({ revision, reason: z.string().nullable().default(null) }),
    answer: Draft,
  },
  attachFile: {
    method: 'POST',
    path: '/drafts/{id}/attachments',
    query: z.strictObject({
      revision: revisionText,
      filename: z.string(),
      contentType: z.string().default('application/octet-stream'),
    }),
    body: 'bytes',
    answer: Draft,
  },
  detachFile: {
    method: 'DELETE',
    path: '/drafts/{id}/attachments/{attachmentId}',
    query: z.strictObject({ revision: revisionText }),
    body: null,
    answer: Draft,
  },
  getDraftFile: {
    method: 'GET',
    path: '/drafts/{id}/attachments/{attachmentId}',
    query: none,
    body: null,
    answer: 'bytes',
  },
  /** What a person must see before sending; the seal is computed from it. */
  getLetter: { method: 'GET', path: '/drafts/{id}/letter', query: none, body: null, answer: Letter },
  sendDraft: {
    method: 'POST',
    path: '/drafts/{id}/send',
    query: none,
    body: z.strictObject({
      revision,
      seal: z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the letter shown, in hex'),
      close: z.boolean().default(false),
    }),
    answer: Draft,
  },
  takeBackDraft: { method: 'POST', path: '/drafts/{id}/undo', query: none, body: none, answer: Draft },
  /** A person decides: `sent` if it was delivered although no answer came, `editing` to try again. */
  settleDraft: {
    method: 'POST',
    path: '/drafts/{id}/settle',
    query: none,
    body: z.strictObject({ as: z.enum(['sent', 'editing']) }),
    answer: Draft,
  },
} as const satisfies Record<string, RouteContract>
