import { readListRows, type ListRow, type ThreadList } from '../core/threads/list.ts'
import { quoteWithin, writeEnd, writeFieldsTwice } from './compact-text.ts'
import { trustedFields } from './concise.ts'
import type { Fence } from './fence.ts'
import { Latin } from './latin.ts'
import { layOutThread, writeThreadLetter } from './letter.ts'
import type { Answer } from './tool.ts'

/**
 * A list of threads as JSON and as text. Both are written as they go out, row by row: building the rows and quoting each
 * form of them took half as long again.
 */
export function writeConciseList({ items, nextCursor }: ThreadList, fence: Fence): Answer {
  const rows = readListRows({ items })
  let json = `{"fence":"${fence.nonce}","data":[`
  let text = `"fence=${fence.nonce}`
  for (const [index, row] of rows.entries()) {
    const { members, line } = writeFieldsTwice(trustedFields(row))
    const letter = quoteWithin(writeLetter(row, fence))
    json += `${index === 0 ? '' : ','}{${members},"letter":"${letter}"}`
    text += `\\n\\n${line}\\n${letter}`
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
