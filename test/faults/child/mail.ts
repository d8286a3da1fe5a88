import type { MailItem } from '../../../src/mail/mailbox/mail-item.ts'
import { writeMail } from '../../support/letter.ts'

/** A mailbox that is the same every time: threads of three, some with a file; the subject is a word of its own. */
export async function* sameMailbox(count: number): AsyncGenerator<MailItem> {
  for (let n = 0; n < count; n++) {
    const thread = Math.floor(n / 3)
    const raw = writeMail({
      subject: `box${n}`,
      date: 1_760_000_000_000 + n * 1000,
      messageId: `<${n}@mailbox.example>`,
      // The last of three arrives with nothing but its parents to tell where it belongs.
      ...(n % 3 === 0 ? {} : { references: [`<${thread * 3}@mailbox.example>`] }),
      text: `Message ${n} of the mailbox`,
      ...(n % 5 === 0
        ? { attachments: [{ filename: 'a.txt', type: 'text/plain', content: `file ${n % 7}` }] }
        : {}),
      headers: { 'MIME-Version': '1.0' },
    }).replaceAll(/b[0-9a-f-]{36}/g, `boundary${n}`)
    yield { raw: Buffer.from(raw), seen: false, receivedAt: null, name: `message ${n}` }
  }
}
