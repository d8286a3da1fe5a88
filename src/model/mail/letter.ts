import { z } from 'zod'
import { MailAddress } from '../thread.ts'

/** Everything a person is shown before sending, exactly as it will go out. */
export const Letter = z
  .object({
    from: MailAddress,
    to: z.array(MailAddress),
    cc: z.array(MailAddress),
    bcc: z.array(MailAddress),
    subject: z.string(),
    body: z.string().meta({ description: 'With signature and the quoted original.' }),
    attachments: z.array(
      z.object({
        id: z.string(),
        filename: z.string(),
        contentType: z.string(),
        size: z.int(),
        hash: z.string().meta({ description: 'SHA-256 of its bytes, in hexadecimal.' }),
      }),
    ),
    newestMessageId: z
      .string()
      .nullable()
      .meta({ description: 'The last message that has arrived in the thread.' }),
  })
  .meta({ id: 'Letter' })
export type Letter = z.infer<typeof Letter>
