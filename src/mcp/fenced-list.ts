import { textMark } from '../model/thread.ts'
import type { Fence } from './fence.ts'
import { lineBudget } from './fenced-thread.ts'
import { Latin } from './latin.ts'

/**
 * Adds fences to a marked list of threads. It works on the JSON itself, as UTF-8 bytes read as Latin-1: parsing a
 * page and writing it again cost more than fetching it.
 */
export function fenceList(items: Uint8Array, nextCursor: string | null, fence: Fence): Latin {
  const text = Buffer.from(items.buffer, items.byteOffset, items.length).toString('latin1')
  // Alternating: Spool's own text, then text from outside.
  const pieces = text.replaceAll('\n', '').split(textMark)
  for (let index = 1; index < pieces.length; index += 2) pieces[index] = fenceText(pieces[index]!, fence)
  return new Latin(
    `{"fence":"${fence.nonce}","data":[${pieces.join('')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

/** Short text without anything that could look like a fence is wrapped without parsing it. */
function fenceText(json: string, fence: Fence): string {
  if (json === 'null') return json
  if (json.length - 2 > lineBudget || json.includes('<') || json.includes('\\u'))
    return Latin.of(fence.wrapPart(Latin.parse(json) as string, lineBudget)).text
  return `"${fence.open}${json.slice(1, -1)}${fence.close}"`
}
