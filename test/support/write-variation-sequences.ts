/**
 * Writes src/model/characters/variation-sequences.ts from a folder with Unicode's StandardizedVariants.txt,
 * emoji-variation-sequences.txt and IVD_Sequences.txt: node test/support/write-variation-sequences.ts FOLDER
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const firstIdeograph = 0x3400
const lastIdeograph = 0x2fa1f
const firstSelector = 0xe0100

function readSequences(folder: string, name: string): number[][] {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const found = /^([0-9A-F]+) ([0-9A-F]+)\s*;/.exec(line)
    return found ? [[Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)]] : []
  })
}

/** How many selectors each ideograph has: they are registered in order, without gaps. */
function countIdeographic(sequences: number[][]): Uint8Array {
  const counts = new Uint8Array(lastIdeograph - firstIdeograph + 1)
  for (const [base = 0, selector = 0] of sequences)
    counts[base - firstIdeograph] = Math.max(counts[base - firstIdeograph] ?? 0, selector - firstSelector + 1)
  return counts
}

function pack(data: Uint8Array): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 }
  return brotliCompressSync(data, { params }).toString('base64')
}

const [folder = '.'] = process.argv.slice(2)
const listed = ['StandardizedVariants.txt', 'emoji-variation-sequences.txt'].flatMap((name) =>
  readSequences(folder, name),
)
const text = listed.map((sequence) => String.fromCodePoint(...sequence)).join('')
const counts = countIdeographic(readSequences(folder, 'IVD_Sequences.txt'))
writeFileSync(
  join(import.meta.dirname, '../../src/model/characters/variation-sequences.ts'),
  `/**
 * Unicode's lists of variation sequences, packed; written by test/support/write-variation-sequences.ts. The standardized
 * and emoji sequences are those of Unicode 17.
 */

import { brotliDecompressSync } from 'node:zlib'

const unpack = (packed: string) => brotliDecompressSync(Buffer.from(packed, 'base64'))

const listed = new Set(
  unpack(
    '${pack(Buffer.from(text))}',
  )
    .toString()
    .match(/.\\p{Variation_Selector}/gsu),
)

/** How many of the selectors from U+E0100 are registered for each ideograph from U+3400. */
const ideographic = unpack(
  '${pack(counts)}',
)

/** Whether Unicode lists this character with this selector, as an emoji or otherwise. */
export function isStandardized(base: string, selector: string): boolean {
  return listed.has(base + selector)
}

/** Whether the Ideographic Variation Database registers it. */
export function isIdeographic(base: string, selector: string): boolean {
  const at = (selector.codePointAt(0) ?? 0) - ${firstSelector}
  return at >= 0 && at < (ideographic[(base.codePointAt(0) ?? 0) - ${firstIdeograph}] ?? 0)
}
`,
)
