import { z } from 'zod'
import { Draft, DraftRevision, DraftStatus, type DraftKind } from '../../model/draft.ts'
import { Letter } from '../../model/mail/letter.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { get, listOf, none, post, put, type RouteContract } from './route.ts'

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

/** The draft that somebody ended while this was being written: what is created has its kind and files. */
const after = z.string().exactOptional()

const NewDraft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('reply' satisfies DraftKind),
    threadId: z.string(),
    after,
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
    after,
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
  listDrafts: get(
    '/drafts',
    z.strictObject({
      thread: z.string().nullable().default(null),
      status: Statuses,
      author: z.enum(['agent', 'person']).nullable().default(null),
      limit,
      cursor,
    }),
    pageOf(Draft),
  ),
  createDraft: post('/drafts', NewDraft, Draft),
  getDraft: get('/drafts/{id}', none, Draft),
  reviseDraft: put('/drafts/{id}', z.strictObject({ revision, text, ...headerFields }), Draft),
  listDraftRevisions: get('/drafts/{id}/revisions', none, listOf(DraftRevision)),
  confirmDraft: post(
    '/drafts/{id}/confirm',
    z.strictObject({ revision, newestMessageId: z.string() }),
    Draft,
  ),
  discardDraft: post(
    '/drafts/{id}/discard',
    z.strictObject({ revision, reason: z.string().nullable().default(null) }),
    Draft,
  ),
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
  getDraftFile: get('/drafts/{id}/attachments/{attachmentId}', none, 'bytes'),
  /** What a person must see before sending; the seal is computed from it. */
  getLetter: get('/drafts/{id}/letter', none, Letter),
  sendDraft: post(
    '/drafts/{id}/send',
    z.strictObject({
      revision,
      seal: z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the letter shown, in hex'),
      close: z.boolean().default(false),
      /** That what is mostly a colleague's text is ready to be sent. */
      confirmed: z.boolean().default(false),
    }),
    Draft,
  ),
  takeBackDraft: post('/drafts/{id}/undo', none, Draft),
  /** A person decides: `sent` if it was delivered although no answer came, `editing` to try again. */
  settleDraft: post('/drafts/{id}/settle', z.strictObject({ as: z.enum(['sent', 'editing']) }), Draft),
} as const satisfies Record<string, RouteContract>
