import { currentForm } from '../../model/mail/form.ts'
import type { Address, ParsedMail } from '../../model/mail/mail.ts'

/** The columns of a message row that depend on the mail alone; recomputed when the parsing rules change. */
export function readColumns(mail: ParsedMail) {
  return {
    subject: mail.subject,
    sender: JSON.stringify(senderOf(mail)),
    recipients: JSON.stringify({ to: mail.to, cc: mail.cc, replyTo: mail.replyTo }),
    preview: mail.preview,
    hidden_text_removed: mail.hiddenTextRemoved,
    warnings: JSON.stringify(mail.warnings),
    truncated: mail.truncated ? 1 : 0,
    form: currentForm,
  }
}

export function readBody({ text, newText, html, links }: ParsedMail) {
  return { text, new_text: newText, html, links: links.length === 0 ? null : JSON.stringify(links) }
}

export function senderOf(mail: ParsedMail): Address {
  return mail.from ?? { name: null, address: '' }
}
