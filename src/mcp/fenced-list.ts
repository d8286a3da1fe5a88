import { textMark } from '../model/thread.ts'
import type { Fence } from './fence.ts'
import { lineBudget } from './fenced-thread.ts'
import { Latin } from './rendition.ts'

/**
 * A marked list of threads with its fences. It is fenced as it comes, as JSON in UTF-8 taken for Latin letters: reading
 * a page into objects and writing it again cost more than fetching it.
 */
export function fenceList(items: Uint8Array, nextCursor: string | null, fence: Fence): Latin {
  const text = Buffer.from(items.buffer, items.byteOffset, items.length).toString('latin1')
  // Spool's own and others' in turn.
  const pieces = text.replaceAll('\n', '').split(textMark)
  for (let index = 1; index < pieces.length; index += 2) pieces[index] = fenceText(pieces[index]!, fence)
  return new Latin(
    `{"fence":"${fence.nonce}","data":[${pieces.join('')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

/** What is short and holds nothing that could look like a fence is fenced without a look at its letters. */
function fenceText(json: string, fence: Fence): string {
  if (json === 'null') return json
  if (json.length - 2 > lineBudget || json.includes('<') || json.includes('\\u'))
    return Latin.of(fence.wrapPart(Latin.parse(json) as string, lineBudget)).text
  return `"${fence.open}${json.slice(1, -1)}${fence.close}"`
}
