/** Lays visible pieces out as plain text: lines, quotes, lists, cells, links. */

import { spend } from '../work.ts'

export interface TextPiece {
  kind: 'text'
  text: string
  spaces: 'collapse' | 'keep' | 'keep-breaks'
  /** Set later where something was laid over it. */
  hidden: boolean
  zIndex: number
}

export type Piece =
  | TextPiece
  | { kind: 'break' }
  | { kind: 'block'; lines: 1 | 2 }
  | { kind: 'rule' }
  | { kind: 'open'; prefix: string; marker: string }
  | { kind: 'close' }
  | { kind: 'cell' }
  | { kind: 'cell-end' }
  | { kind: 'row-end' }
  | { kind: 'link' }
  | { kind: 'link-end'; address: string | null }

interface Level {
  prefix: string
  marker: string
}

/** Deeper quotes and lists are not indented further. */
const deepest = 12

interface Page {
  lines: string[]
  line: string
  /** Something was written into the current line. */
  begun: boolean
  /** The line ends in white space; looking at a long line itself each time would be slow. */
  endsInSpace: boolean
  pendingBreaks: number
  pendingSpace: boolean
  pendingTab: boolean
  levels: Level[]
  labels: string[]
  /** The line each open cell began on; null before its first text. */
  cells: { line: number | null }[]
}

export function writePieces(pieces: Piece[]): string {
  const page: Page = {
    lines: [],
    line: '',
    begun: false,
    endsInSpace: false,
    pendingBreaks: 0,
    pendingSpace: false,
    pendingTab: false,
    levels: [],
    labels: [],
    cells: [],
  }
  for (const piece of pieces) writePiece(page, piece)
  if (page.begun) page.lines.push(page.line.trimEnd())
  return page.lines.join('\n')
}

function writePiece(page: Page, piece: Piece): void {
  switch (piece.kind) {
    case 'text':
      if (!piece.hidden) writeText(page, piece)
      return
    case 'break':
      endLine(page)
      return
    case 'block':
      endBlock(page, piece.lines)
      return
    case 'rule':
      endBlock(page, 1)
      put(page, '---')
      endBlock(page, 1)
      return
    case 'open':
      page.levels.push({ prefix: piece.prefix, marker: piece.marker })
      return
    case 'close':
      page.levels.pop()
      return
    case 'cell':
      page.cells.push({ line: null })
      return
    case 'cell-end':
      endCell(page)
      return
    case 'row-end':
      page.pendingTab = false
      endBlock(page, 1)
      return
    case 'link':
      page.labels.push('')
      return
    case 'link-end':
      endLink(page, piece.address)
      return
  }
}

function endLine(page: Page): void {
  page.pendingTab = false
  page.pendingSpace = false
  page.pendingBreaks = Math.min(3, page.pendingBreaks + 1)
}

function endBlock(page: Page, lines: number): void {
  page.pendingSpace = false
  if (page.pendingTab) return
  // The margin of a cell's first block is inside the cell.
  const atCellStart = page.cells.length > 0 && page.cells[page.cells.length - 1]?.line === null
  page.pendingBreaks = Math.max(page.pendingBreaks, atCellStart ? 1 : lines)
}

/** A cell of one line keeps its row on that line. */
function endCell(page: Page): void {
  const start = page.cells.pop()
  page.pendingSpace = false
  if (!start || start.line === null) return
  if (page.lines.length === start.line) {
    page.pendingBreaks = 0
    page.pendingTab = true
  } else endBlock(page, 1)
}

function endLink(page: Page, address: string | null): void {
  const label = page.labels.pop() ?? ''
  spend(label.length)
  if (page.labels.length > 0) page.labels[page.labels.length - 1] += label
  if (address === null || label.trim() === '' || sameAddress(label, address)) return
  // Straight onto the last line, before any break that waits.
  page.line += page.endsInSpace ? `(${address})` : ` (${address})`
  page.endsInSpace = false
}

function sameAddress(label: string, address: string): boolean {
  const bare = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^(?:https?:\/\/|mailto:|tel:)(?:www\.)?/, '')
      .replace(/^www\./, '')
      .replace(/\/$/, '')
  return bare(label) === bare(address)
}

function writeText(page: Page, { text, spaces }: TextPiece): void {
  if (spaces === 'collapse') {
    writeCollapsed(page, text)
    return
  }
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) endLine(page)
    if (spaces === 'keep-breaks') writeCollapsed(page, line)
    else if (line !== '') put(page, line.replaceAll('\u00A0', ' '))
  }
}

function writeCollapsed(page: Page, text: string): void {
  const collapsed = text.replaceAll(/[ \t\n\f\r]+/g, ' ')
  if (collapsed === ' ') {
    if (page.begun && page.pendingBreaks === 0) page.pendingSpace = true
    return
  }
  if (collapsed === '') return
  const leads = collapsed.startsWith(' ')
  const trails = collapsed.endsWith(' ')
  const body = collapsed.slice(leads ? 1 : 0, trails ? -1 : undefined)
  if (leads && page.begun && page.pendingBreaks === 0) page.pendingSpace = true
  if (body !== '') put(page, body.replaceAll('\u00A0', ' '))
  if (trails) page.pendingSpace = true
}

function put(page: Page, text: string): void {
  if (!page.begun && text.trim() === '') return
  if (page.pendingBreaks > 0 && page.begun) breakLines(page, text)
  if (!page.begun) {
    page.begun = true
    page.line = startOfLine(page)
    page.pendingSpace = false
  } else if (page.pendingTab) page.line += '\t'
  else if (page.pendingSpace && !page.endsInSpace) page.line += ' '
  page.pendingTab = false
  page.pendingSpace = false
  page.pendingBreaks = 0
  page.line += text
  page.endsInSpace = /\s$/.test(text)
  for (let at = page.cells.length - 1; at >= 0; at -= 1) {
    const cell = page.cells[at]
    if (!cell || cell.line !== null) break
    cell.line = page.lines.length
  }
  if (page.labels.length > 0) page.labels[page.labels.length - 1] += text
}

function breakLines(page: Page, text: string): void {
  // A line of nothing but hard spaces is an empty line.
  if (text.trim() === '' && page.pendingBreaks === 0) return
  page.lines.push(page.line.trimEnd())
  const next = startOfLine(page)
  const quotes = (line: string) => /^(?:> ?)*/.exec(line)?.[0].trimEnd() ?? ''
  const before = quotes(page.line)
  const after = quotes(next)
  for (let count = 1; count < page.pendingBreaks; count += 1) {
    page.lines.push(before.length < after.length ? before : after)
  }
  page.line = next
  page.pendingSpace = false
  if (page.labels.length > 0) page.labels[page.labels.length - 1] += ' '
}

function startOfLine(page: Page): string {
  let start = ''
  for (const level of page.levels.slice(0, deepest)) {
    start += level.marker === '' ? level.prefix : level.marker
    level.marker = ''
  }
  return start
}
