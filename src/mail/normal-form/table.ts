/** Converts tables to rows of cells on a grid; any other content of a table gets a row or a cell of its own. */

import { spend } from '../work.ts'
import { isBlank, makeBox, noLooks, type Box, type FormNode } from './tree.ts'

/** With more columns than this, rows and cells are written as blocks. */
const mostColumns = 40

export function arrangeTable(table: Box): void {
  const rows = rowsOf(table)
  const columns = placeCells(rows)
  // A caption spans all columns.
  const [first] = rows
  const above = first?.children[0]
  if (first?.children.length === 1 && above?.kind === 'box' && isLoose(above)) above.colspan = columns
  table.children = rows
  if (columns > mostColumns) {
    table.level = 'block'
    table.tag = 'div'
    for (const row of rows) loosen(row)
  } else table.least = leastWidthOf(table, rows)
}

/** A table part outside of any table becomes a block. */
export function loosen(node: FormNode): void {
  if (node.kind !== 'box' || (node.level !== 'group' && node.level !== 'row' && node.level !== 'cell')) return
  spend(1)
  node.level = 'block'
  node.tag = 'div'
  for (const child of node.children) loosen(child)
}

function rowsOf(table: Box): Box[] {
  const rows: Box[] = []
  let loose: Box | null = null
  const add = (child: FormNode, group: Box | null): void => {
    spend(2)
    if (child.kind === 'box' && child.level === 'row') {
      const { background, backgroundImage } = group?.looks ?? noLooks
      if (!child.looks.background?.a && !child.looks.backgroundImage)
        child.looks = { ...child.looks, background, backgroundImage }
      child.children = cellsOf(child)
      rows.push(child)
      loose = null
    } else if (child.kind === 'box' && child.level === 'group' && group === null) {
      const from = rows.length
      for (const inner of child.children) add(inner, child)
      limitSpans(rows.slice(from))
      loose = null
    } else if (!isBlank(child)) {
      if (!loose) {
        loose = makeBox('tr', 'row', table.style)
        rows.push(loose)
      }
      loose.children.push(child)
    }
  }
  for (const child of table.children) add(child, null)
  for (const row of rows)
    if (row.children.some((child) => child.kind !== 'box' || child.level !== 'cell'))
      row.children = cellsOf(row)
  return rows.filter(({ children }) => children.length > 0)
}

/** A cell reaches no further than its group; a row without cells, which is dropped, counts only here. */
function limitSpans(group: Box[]): void {
  /** How many rows before each one stay. */
  const kept = [0]
  for (const { children } of group) kept.push(kept.at(-1)! + Math.min(1, children.length))
  for (const [at, { children }] of group.entries()) {
    spend(1 + children.length)
    for (const cell of children)
      if (cell.kind === 'box') cell.rowspan = kept[Math.min(at + cell.rowspan, group.length)]! - kept[at]!
  }
}

function cellsOf(row: Box): Box[] {
  const cells: Box[] = []
  let loose: Box | null = null
  for (const child of row.children) {
    spend(1)
    if (child.kind === 'box' && child.level === 'cell') {
      cells.push(child)
      loose = null
    } else if (loose || !isBlank(child)) {
      if (!loose) {
        loose = makeBox('td', 'cell', row.style)
        cells.push(loose)
      }
      loosen(child)
      loose.children.push(child)
      if (child.kind === 'box') {
        loose.least = Math.max(loose.least, child.least)
        loose.light += child.light
        loose.dark += child.dark
      }
      loose.holdsBlock = true
    }
  }
  return cells
}

/** Whether the cell was created for content that had none. */
const isLoose = ({ looks }: Box) => looks === noLooks

/** Limits spans so that no two cells overlap. Returns the number of columns. */
function placeCells(rows: Box[]): number {
  let columns = 0
  /** For how many more rows each column is occupied by a cell above. */
  let taken: number[] = []
  for (const [at, row] of rows.entries()) {
    let column = 0
    const next = taken.map((count) => Math.max(0, count - 1))
    for (const cell of row.children as Box[]) {
      while ((taken[column] ?? 0) > 0) column += 1
      cell.column = column
      let span = 1
      while (span < cell.colspan && (taken[column + span] ?? 0) === 0) span += 1
      spend(2 + span)
      cell.colspan = span
      cell.rowspan = Math.min(cell.rowspan, rows.length - at)
      for (let each = 0; each < span; each += 1)
        next[column + each] = Math.max(next[column + each] ?? 0, cell.rowspan - 1)
      column += span
    }
    spend(next.length)
    columns = Math.max(columns, column)
    if (columns > mostColumns) break
    for (let each = 0; each < next.length; each += 1) next[each] ??= 0
    taken = next
  }
  return columns
}

/** The sum of its columns; a cell that spans several is split evenly among them. */
function leastWidthOf(table: Box, rows: Box[]): number {
  const columns: number[] = []
  for (const row of rows) {
    let column = 0
    for (const cell of row.children as Box[]) {
      const { padding } = cell.looks
      const share = (cell.least + padding[1] + padding[3]) / cell.colspan
      for (let each = 0; each < cell.colspan; each += 1) {
        columns[column] = Math.max(columns[column] ?? 0, share)
        column += 1
      }
    }
  }
  return columns.reduce((sum, width) => sum + width + table.looks.spacing, 0)
}
