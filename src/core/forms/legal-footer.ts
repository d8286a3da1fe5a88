/** Removes a legal footer that earlier mail of the same sender has too, in the last threads they began in the inbox. */

import type { Address, ParsedMail } from '../../model/mail/mail.ts'
import type { Db } from '../../store/db.ts'
import { listTextsAround, type Stored } from '../../store/threads/message-words.ts'
import { legal, personal } from './legal-words.ts'
import { findLines } from './quoted-history.ts'
import { withNewLines, type Refolding } from './thread-words.ts'

const longest = 2000
const fewestWords = 12

/** The mail without such a footer. Only mail that ends in legal text costs a query. */
export async function leaveOutFooter(
  db: Db,
  spool: Refolding,
  inbox: number,
  mail: ParsedMail,
  stored: Stored | null = null,
): Promise<ParsedMail> {
  const address = mail.from?.address ?? ''
  const footers = address === '' || mail.forwards ? [] : findFooters(mail.newText)
  if (footers.length === 0) return mail
  const around = await listTextsAround(db, inbox, address, stored)
  const earlier = around
    .filter(({ sender }) => (JSON.parse(sender) as Address).address === address)
    .map(({ text }) => plain(text))
  const footer = footers.find((each) => earlier.some((text) => text.includes(plain(each))))
  if (footer === undefined) return mail
  const rest = mail.newText.slice(0, mail.newText.lastIndexOf(footer)).split('\n')
  while (rest.length > 0 && isDivider.test(rest.at(-1)!)) rest.pop()
  const lines = rest.length === 0 ? null : findLines(mail.text.split('\n'), rest.join('\n'))
  return lines ? withNewLines(spool, mail, lines) : mail
}

/** Possible footers, longest first: from a paragraph with a legal word to the end. */
function findFooters(newText: string): string[] {
  const tail = newText.slice(-longest)
  if (!legal.test(tail)) return []
  const paragraphs = tail.split(/\n[\s_=*-]*\n/)
  if (newText.length > longest) paragraphs.shift()
  const starts = paragraphs.filter((paragraph) => legal.test(paragraph)).map((text) => tail.lastIndexOf(text))
  return starts
    .map((start) => tail.slice(start))
    .filter((each) => each.split(/\s+/).length >= fewestWords && !personal.test(each))
}

/** A blank line, or a separator line made of characters such as `_` or `=`. */
const isDivider = /^[\s_=*-]*$/
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
