import type { Address } from '../../src/model/mail/mail.ts'
import { termsOfMail } from '../../src/model/search/mail-terms.ts'
import { transaction } from '../../src/store/database.ts'
import type { Database, Tx } from '../../src/store/db.ts'
import { messagesWithBodies, type MessageWithBody } from '../../src/store/threads/history.ts'
import { addSearchTerms } from '../../src/store/threads/search.ts'
import { updateSummary } from '../../src/store/threads/summary.ts'
import { loadThread } from '../../src/store/threads/threads.ts'

/** Rewrites messages as a version before the normal form may have stored them: with `hidden` in all their texts. */
export async function ageMessages(db: Database, ids: readonly string[], hidden: string): Promise<void> {
  const messages = await messagesWithBodies(db, ids)
  await transaction(db, async (db) => {
    for (const message of messages.values()) await ageMessage(db, message, `Old. ${hidden}`)
  })
}

async function ageMessage(db: Tx, message: MessageWithBody, text: string): Promise<void> {
  const { number, thread, inbox, subject, sender, recipients } = message
  const { to, cc } = JSON.parse(recipients) as { to: Address[]; cc: Address[] }
  const termsOf = (text: string) =>
    termsOfMail({ subject, from: JSON.parse(sender) as Address, to, cc }, text)
  const { build } = db
  const html = `<div class="spool-mail">${text}</div>`
  const preview = text
  await db.run(
    build.updateTable('messages').set({ form: 0, preview, warnings: '[]' }).where('number', '=', number),
  )
  await db.run(
    build
      .updateTable('message_bodies')
      .set({ text, new_text: text, html, links: null })
      .where('message', '=', number),
  )
  await db.run(build.updateTable('threads').set({ preview }).where('number', '=', thread))
  await updateSummary(db, thread, await loadThread(db, thread))
  addSearchTerms(db, number, inbox, termsOf(text), termsOf(message.text))
}
