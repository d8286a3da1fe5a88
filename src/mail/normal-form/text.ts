/** The words of a form as plain text. */

import { spend } from '../work.ts'
import { isRaised } from './box.ts'
import { Lines } from './lines.ts'
import { noLooks, type Box, type FormNode, type Words } from './tree.ts'

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
  if (isBlock(box)) lines.endBlock(gapOf(box, 0, parent))
  else if (box.level === 'inline-block') lines.space()
  const [, right, , left] = box.level === 'inline' && box.painted ? box.looks.padding : noLooks.padding
  if (left >= leastGap) lines.part()
  const indents = box.tag === 'blockquote' || box.tag === 'li'
  if (box.tag === 'blockquote') lines.openLevel('> ', '')
  if (box.tag === 'li') lines.openLevel('  ', markerOf(box, parent))
  const { height } = lines
  if (isRaised(box)) lines.height = 3 * height + (box.tag === 'sub' || box.looks.valign === 'sub' ? 2 : 1)
  if (box.level === 'table') writeRows(box.children as Box[], lines)
  else for (const child of box.children) writeNode(child, box, lines)
  lines.height = height
  if (indents) lines.closeLevel()
  if (right >= leastGap) lines.part()
  if (isBlock(box)) lines.endBlock(gapOf(box, 2, parent))
  else if (box.level === 'inline-block') lines.space()
}

function writeRows(rows: readonly Box[], lines: Lines): void {
  const headed = headedColumns(rows)
  for (const row of rows) {
    lines.endBlock(1)
    let column = 0
    for (const cell of row.children as Box[]) {
      spend(6 + cell.children.length + cell.column - column)
      for (; column < cell.column; column += 1) if (headed.has(column)) lines.skipCell()
      lines.openCell()
      for (const child of cell.children) writeNode(child, cell, lines)
      if (!lines.closeCell() && headed.has(column)) lines.skipCell()
      column += 1
    }
    lines.closeRow()
  }
}

/** Columns in which an empty cell, or one that another reaches into, is a tab: those with words, unless the table is layout. */
function headedColumns(rows: readonly Box[]): Set<number> {
  const columns = new Set<number>()
  let lines = 0
  for (const { children } of rows) {
    const filled = (children as Box[]).filter(hasWords)
    if (filled.length > 1) lines += 1
    for (const { column } of filled) columns.add(column)
  }
  return lines > 1 ? columns : new Set()
}

function hasWords(node: FormNode): boolean {
  spend(1)
  if (node.kind === 'box') return node.children.some(hasWords)
  return node.kind === 'words' && !node.gone && node.text.trim() !== ''
}

function isBlock({ level, beside }: Box): boolean {
  return level === 'block' || level === 'table' || (level === 'inline-block' && beside)
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
