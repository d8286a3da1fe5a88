import { readListRows, type ListRow, type ThreadList } from '../core/threads/list.ts'
import { quoteWithin, writeEnd, writeFields } from './compact-text.ts'
import { rareFields } from './concise.ts'
import type { Fence } from './fence.ts'
import { Latin } from './latin.ts'
import { layOutThread, writeThreadLetter } from './letter.ts'
import type { Answer } from './tool.ts'

/**
 * A list of threads as JSON, with `trustedFields` and a letter for each, and as compact text. Both are written out row by
 * row: building rows and writing each form of them took twice as long.
 */
export function writeConciseList({ items, nextCursor }: ThreadList, fence: Fence): Answer {
  let json = `{"fence":"${fence.nonce}","data":[`
  let text = `"fence=${fence.nonce}`
  let opening = '{"id":"'
  for (const row of readListRows({ items })) {
    const { id, status, unread, timestamp, messageCount, revision } = row
    const rare = rareFields(row)
    const line = quoteWithin(writeFields(rare))
    const members = line === '' ? '' : `,${JSON.stringify(rare).slice(1, -1)}`
    const letter = quoteWithin(writeLetter(row, fence))
    json += `${opening}${id}","status":"${status}${unread ? '","unread":true,"timestamp":"' : '","timestamp":"'}${timestamp}","messageCount":${messageCount},"revision":${revision}${members},"letter":"${letter}"}`
    text += `\\n\\n${id} status=${status}${unread ? ' unread timestamp=' : ' timestamp='}${timestamp} messageCount=${messageCount} revision=${revision}${line}\\n${letter}`
    opening = ',{"id":"'
  }
  json += `],"nextCursor":${JSON.stringify(nextCursor)}}`
  text += `\\n\\n${quoteWithin(writeEnd(nextCursor))}"`
  return { structured: new Latin(json), text: new Latin(text) }
}

function writeLetter(row: ListRow, fence: Fence): string {
  if (row.isPlain) return fence.wrap(layOutThread(row))
  const { subject, sender, preview } = row
  const { name, address } = sender
  const decoded = {
    subject: Latin.decode(subject),
    sender: { name: name === null ? null : Latin.decode(name), address: Latin.decode(address) },
    preview: Latin.decode(preview),
  }
  return Latin.encode(fence.wrap(writeThreadLetter(decoded)))
}
