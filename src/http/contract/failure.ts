import { z } from 'zod'
import { Draft, DraftStatus } from '../../model/draft.ts'
import { Letter } from '../../model/mail/letter.ts'

/** The body of every error of a private route. */
export const Failure = z.object({
  statusCode: z.int(),
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  details: z
    .object({
      /** A conflict includes the newer revision, which saves a request. */
      draft: Draft,
      /** What would be sent, if it differs from what was shown. */
      letter: Letter,
      /** The colleague who wrote most of what would be sent, which was not confirmed. */
      writer: z.string(),
      /** The status of a draft that can no longer be changed. */
      status: DraftStatus,
      revision: z.int(),
      newestMessageId: z.string(),
      /** What was invalid in the request. */
      parameter: z.string(),
      field: z.string(),
      given: z.string(),
      /** Seconds. */
      retryAfter: z.number(),
    })
    .partial()
    .optional(),
})
export type Failure = z.infer<typeof Failure>
