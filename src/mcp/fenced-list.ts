import type { ThreadSummary } from '../model/thread.ts'
import type { Fence } from './fence.ts'
import { fenceSummary, lineBudget } from './fenced-thread.ts'
import { Latin } from './rendition.ts'

const text = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const plain = String.raw`"[^"\\]*"`
const number = String.raw`\d+`
const timeOrNull = `(?:${plain}|null)`
const assignment = `(?:null|\\{"id":${plain},"name":${text},"email":${text},"assignedAt":${plain}\\})`
const inbox = `\\{"id":${plain},"name":${text},"address":${text}\\}`

/** A thread as the store writes it, every field by name: what has another form is taken apart the long way. */
const form = new RegExp(
  `^(\\{"id":${plain},"subject":)(${text})(,"sender":\\{"name":)(${text}|null)(,"address":)(${text})` +
    `(\\},"timestamp":${plain},"status":${plain},"assignment":${assignment},"preview":)(${text})` +
    `(,"messageCount":${number},"noteCount":${number},"attachmentCount":${number},"draftCount":${number},` +
    `"snoozedUntil":${timeOrNull},"createdAt":${plain},"updatedAt":${plain},"revision":${number},` +
    `"unread":(?:true|false),"inbox":${inbox},"webUrl":${text}\\})$`,
)

/**
 * A list of threads with their fences. It is fenced as it comes, as JSON in UTF-8 taken for Latin letters: reading a
 * page into objects and writing it again cost more than fetching it.
 */
export function fenceList(items: Uint8Array, nextCursor: string | null, fence: Fence): Latin {
  const threads =
    items.length === 0
      ? []
      : Buffer.from(items.buffer, items.byteOffset, items.length).toString('latin1').split(',\n')
  const fenced = threads.map((thread) => fenceItem(thread, fence))
  return new Latin(
    `{"fence":"${fence.nonce}","data":[${fenced.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

function fenceItem(thread: string, fence: Fence): string {
  const parts = form.exec(thread)
  if (!parts) return Latin.of(fenceSummary(Latin.parse(thread) as ThreadSummary, fence)).text
  const [, id, subject, sender, name, address, mail, other, preview, rest] = parts
  return (
    id! +
    wrapText(subject!, fence) +
    sender! +
    (name === 'null' ? name : wrapText(name!, fence)) +
    address! +
    wrapText(mail!, fence) +
    other! +
    wrapText(preview!, fence) +
    rest!
  )
}

/** What is short and holds nothing that could look like a fence is fenced without a look at its letters. */
function wrapText(quoted: string, fence: Fence): string {
  if (quoted.length - 2 > lineBudget || quoted.includes('<') || quoted.includes('\\u'))
    return Latin.of(fence.wrapPart(Latin.parse(quoted) as string, lineBudget)).text
  return `"${fence.open}${quoted.slice(1, -1)}${fence.close}"`
}
