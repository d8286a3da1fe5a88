/** The words of a form as plain text. */

import { spend } from '../work.ts'
import { isRaised } from './box.ts'
import { Lines } from './lines.ts'
import { noLooks } from './tree.ts'
import type { Box, FormNode, Words } from './tree.ts'

/** Padding of this many pixels looks like a space. */
const leastGap = 3

export function writeText(root: Box): string {
  const lines = new Lines()
  writeBox(root, null, lines)
  return lines.finish()
}

/** Recursion is safe: the reader limits how deep boxes nest. */
function writeBox(box: Box, parent: Box | null, lines: Lines): void {
  spend(3 + box.children.length)
  if (box.level === 'cell') lines.openCell()
  else if (isBlock(box)) lines.endBlock(gapOf(box, 0, parent))
  else if (box.level === 'inline-block') lines.space()
  const [, right, , left] = box.level === 'inline' && box.painted ? box.looks.padding : noLooks.padding
  if (left >= leastGap) lines.part()
  const indents = box.tag === 'blockquote' || box.tag === 'li'
  if (box.tag === 'blockquote') lines.openLevel('> ', '')
  if (box.tag === 'li') lines.openLevel('  ', markerOf(box, parent))
  const { height } = lines
  if (isRaised(box)) lines.height = 3 * height + (box.tag === 'sub' || box.looks.valign === 'sub' ? 2 : 1)
  for (const child of box.children) writeNode(child, box, lines)
  lines.height = height
  if (indents) lines.closeLevel()
  if (right >= leastGap) lines.part()
  if (box.level === 'cell') lines.closeCell()
  else if (box.level === 'row') lines.closeRow()
  else if (isBlock(box)) lines.endBlock(gapOf(box, 2, parent))
  else if (box.level === 'inline-block') lines.space()
}

function isBlock({ level, beside }: Box): boolean {
  return level === 'block' || level === 'table' || level === 'row' || (level === 'inline-block' && beside)
}

/** A margin of half a line or more is an empty line. */
function gapOf({ tag, looks }: Box, side: 0 | 2, parent: Box | null): 1 | 2 {
  if ((tag === 'ul' || tag === 'ol') && parent?.tag === 'li') return 1
  return looks.margin[side] >= 8 ? 2 : 1
}

function markerOf({ style, number }: Box, list: Box | null): string {
  if (style.marker.startsWith('none')) return '  '
  return list?.tag === 'ol' ? `${number ?? 1}. ` : '- '
}

function writeNode(node: FormNode, box: Box, lines: Lines): void {
  switch (node.kind) {
    case 'box':
      return writeBox(node, box, lines)
    case 'words':
      return writeWords(node, lines)
    case 'break':
      return lines.endLine()
    case 'rule':
      lines.endBlock(1)
      node.line = lines.writeCollapsed('---')
      return lines.endBlock(1)
    case 'picture':
      return lines.part()
  }
}

function writeWords(words: Words, lines: Lines): void {
  if (words.gone) return
  const { text, style } = words
  words.line = style.spaces === 'keep' ? lines.writeKept(text) : lines.writeCollapsed(text)
}
