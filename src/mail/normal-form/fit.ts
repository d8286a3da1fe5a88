/** Makes tables and columns fit any width: a generated rule stacks those that would not below some window width. */

import { spend } from '../work.ts'
import { leastShare } from './declarations.ts'
import { sidesOf } from './looks.ts'
import type { Box } from './tree.ts'

const phone = 480
/** Narrowest frame that a mail has to fit: on a phone 360 pixels wide the page leaves it this much. */
const narrowest = 300
const step = 40
const widest = 1200

export function fitTables(root: Box): void {
  const pending: { box: Box; inset: number }[] = [{ box: root, inset: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { box, inset } = next
    spend(1 + box.children.length)
    const { margin } = box.looks
    const around = Math.min(160, inset + margin[1] + margin[3] + sidesOf(box))
    if (box.level === 'table') box.stackedBelow = widthToStack(box, around)
    stackColumns(box, around)
    for (const child of box.children) if (child.kind === 'box') pending.push({ box: child, inset: around })
  }
}

function widthToStack(table: Box, inset: number): number {
  const needed = windowFor(table.least, inset)
  if (needed > narrowest) return Math.max(needed, phone)
  return isLayout(table) ? phone : 0
}

/** The window width that leaves room for this width. */
function windowFor(width: number, inset: number): number {
  return Math.min(widest, Math.ceil((width + inset + 24) / step) * step)
}

/** Stacks boxes side by side whose widths are percentages of their parent: all of them, or none. */
function stackColumns({ children }: Box, inset: number): void {
  let needed = 0
  const columns: Box[] = []
  for (const child of children) {
    if (child.kind !== 'box' || child.level !== 'inline-block') continue
    const { share } = child.looks
    if (share === null || share < leastShare || share >= 100) continue
    columns.push(child)
    needed = Math.max(needed, windowFor((100 * (child.least + sidesOf(child))) / share, inset))
  }
  if (needed > narrowest) for (const column of columns) column.stackedBelow = Math.max(needed, phone)
}

/** Whether a row has several columns that were made wide to be side by side. */
function isLayout(table: Box): boolean {
  return table.children.some(
    (row) =>
      row.kind === 'box' && row.children.filter((cell) => cell.kind === 'box' && isWide(cell)).length > 1,
  )
}

function isWide({ looks, light, dark }: Box): boolean {
  return light + dark > 0 && ((looks.width ?? 0) >= 100 || (looks.share ?? 0) >= 30)
}
