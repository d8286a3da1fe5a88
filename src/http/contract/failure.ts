import { z } from 'zod'
import { Draft, DraftStatus } from '../../model/draft.ts'
import { Letter } from '../../model/mail/letter.ts'

/** How every refusal of a private route is told. */
export const Failure = z.object({
  statusCode: z.int(),
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  details: z
    .object({
      /** A conflict carries the newer revision, so that nothing has to be asked for again. */
      draft: Draft,
      /** What would leave, where that is not what was shown. */
      letter: Letter,
      /** Where a draft stands that can no longer be changed. */
      status: DraftStatus,
      revision: z.int(),
      newestMessageId: z.string(),
      /** What was sent and cannot be read. */
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
