import { readThreadListAsBytes, type ThreadList } from '../core/threads/list.ts'
import type { ThreadSummary } from '../model/thread.ts'
import { quoteWithin, writeEnd, writeFields } from './compact-text.ts'
import { trustedFields } from './concise.ts'
import type { Fence } from './fence.ts'
import { Latin } from './latin.ts'
import { layOutThread, writeThreadLetter } from './letter.ts'
import type { Answer } from './tool.ts'

/** A list of threads as JSON and as compact text, in one pass: each letter is escaped once for both. */
export function writeConciseList(list: Pick<ThreadList, 'items' | 'nextCursor'>, fence: Fence): Answer {
  let json = `{"fence":"${fence.nonce}","data":[`
  let text = `"fence=${fence.nonce}`
  let separator = ''
  for (const thread of readThreadListAsBytes(list)) {
    const fields = trustedFields(thread)
    const letter = quoteWithin(writeLetter(thread, fence))
    json += `${separator}${JSON.stringify(fields).slice(0, -1)},"letter":"${letter}"}`
    text += `\\n\\n${quoteWithin(writeFields(fields).slice(1))}\\n${letter}`
    separator = ','
  }
  json += `],"nextCursor":${JSON.stringify(list.nextCursor)}}`
  text += `\\n\\n${quoteWithin(writeEnd(list.nextCursor))}"`
  return { structured: new Latin(json), text: new Latin(text) }
}

/** ASCII that can neither start a new line nor look like an address; it needs no decoding. */
const plain = /^[ -;=?-~]*$/
/** More than a row shows of a preview. Most previews end with an ellipsis, which alone would force decoding them. */
const longStart = 160

function writeLetter({ subject, sender, preview }: ThreadSummary, fence: Fence): string {
  const { name, address } = sender
  const start = preview.slice(0, longStart)
  if (plain.test(subject) && plain.test(name ?? '') && plain.test(address) && plain.test(start))
    return fence.wrap(layOutThread({ subject, sender, preview: start }))
  const decoded = {
    subject: Latin.decode(subject),
    sender: { name: name === null ? null : Latin.decode(name), address: Latin.decode(address) },
    preview: Latin.decode(preview),
  }
  return Latin.encode(fence.wrap(writeThreadLetter(decoded)))
}
