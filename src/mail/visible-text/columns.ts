/** Columns of a table that are folded away. */

import { attribute, isElement, parentElement } from '../html-document.ts'
import type { Element } from '../html-document.ts'
import { declaredOn } from './css/cascade.ts'
import type { Cascade } from './css/cascade.ts'
import { spend } from '../work.ts'

/** By table: which of its columns are folded, or null where none is or they cannot be counted. */
const folded = new WeakMap<Element, boolean[] | null>()

/** Whether a cell stands in folded columns only. */
export function isFoldedAway(cell: Element, cascade: Cascade): boolean {
  if (cell.tagName !== 'td' && cell.tagName !== 'th') return false
  const table = tableOf(cell)
  if (!table) return false
  let columns = folded.get(table)
  if (columns === undefined) folded.set(table, (columns = readColumns(table, cascade)))
  if (!columns) return false
  let start = 0
  for (const sibling of parentElement(cell)?.childNodes ?? []) {
    if (sibling === cell) break
    spend(1)
    if (isElement(sibling)) start += spanOf(sibling, 'colspan')
  }
  spend(spanOf(cell, 'colspan'))
  const spanned = columns.slice(start, start + spanOf(cell, 'colspan'))
  return spanned.length > 0 && spanned.every(Boolean)
}

function tableOf(cell: Element): Element | null {
  let at = parentElement(cell)
  for (let up = 0; at && at.tagName !== 'table' && up < 2; up += 1) at = parentElement(at)
  return at?.tagName === 'table' ? at : null
}

function readColumns(table: Element, cascade: Cascade): boolean[] | null {
  const columns: boolean[] = []
  const isFolded = (element: Element) => declaredOn(element, cascade)?.get('visibility') === 'collapse'
  const add = (element: Element, state: boolean): void => {
    const span = spanOf(element, 'span')
    spend(span)
    for (let count = span; count > 0; count -= 1) columns.push(state)
  }
  for (const child of table.childNodes) {
    if (!isElement(child)) continue
    if (child.tagName === 'col') add(child, isFolded(child))
    if (child.tagName !== 'colgroup') continue
    const whole = isFolded(child)
    const inner = child.childNodes.filter(isElement)
    if (inner.length === 0) add(child, whole)
    for (const column of inner) add(column, whole || isFolded(column))
  }
  return columns.some(Boolean) && !spansRows(table) ? columns : null
}

/** A cell that reaches down shifts those of the next rows: who stands in which column is not followed then. */
function spansRows(table: Element): boolean {
  return table.childNodes
    .filter(isElement)
    .flatMap((part) => part.childNodes.filter(isElement))
    .flatMap((row) => [row, ...row.childNodes.filter(isElement)])
    .some((cell) => spanOf(cell, 'rowspan') !== 1)
}

function spanOf(element: Element, name: string): number {
  const span = Number.parseInt(attribute(element, name) ?? '1', 10)
  return span >= 0 && span <= 1000 ? span : 1
}
