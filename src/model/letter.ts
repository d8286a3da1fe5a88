import { z } from 'zod'
import { MailAddress } from './thread.ts'

/** Everything of a mail that a person is shown before sending, as it will go out. */
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
        hash: z.string().meta({ description: 'SHA-256 of its bytes, in hexadecimal digits.' }),
      }),
    ),
    newestMessageId: z
      .string()
      .nullable()
      .meta({ description: 'The last message of the thread that has arrived.' }),
  })
  .meta({ id: 'Letter' })
export type Letter = z.infer<typeof Letter>

/**
 * What a seal is the SHA-256 of. The page makes it from what it shows, the core from what it would send: they agree only
 * if the person has seen exactly that.
 */
export function sealText(letter: Letter): string {
  const people = (list: Letter['to']): unknown => list.map(({ name, address }) => [name, address])
  return JSON.stringify([
    'spool letter 1',
    people([letter.from]),
    people(letter.to),
    people(letter.cc),
    people(letter.bcc),
    letter.subject,
    letter.body,
    letter.attachments.map(({ filename, contentType, hash }) => [filename, contentType, hash]),
    letter.newestMessageId,
  ])
}
