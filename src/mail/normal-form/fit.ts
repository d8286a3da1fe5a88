/** Makes tables fit any width: those that would not are stacked below a width of the window, by a rule of our own. */

import { spend } from '../work.ts'
import type { Box } from './tree.ts'

const phone = 480
const step = 40
const widest = 1200

export function fitTables(root: Box): void {
  const pending: { box: Box; inset: number }[] = [{ box: root, inset: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { box, inset } = next
    spend(1 + box.children.length)
    const { padding, margin, border } = box.looks
    const sides =
      padding[1] + padding[3] + margin[1] + margin[3] + (border[1]?.width ?? 0) + (border[3]?.width ?? 0)
    const around = Math.min(160, inset + sides)
    if (box.level === 'table' && box.columns > 1) box.stackedBelow = widthToStack(box, around)
    for (const child of box.children) if (child.kind === 'box') pending.push({ box: child, inset: around })
  }
}

function widthToStack(table: Box, inset: number): number {
  const needed = Math.min(widest, Math.ceil((table.least + inset + 24) / step) * step)
  if (needed > 360) return Math.max(needed, phone)
  return isLayout(table) ? phone : 0
}

/** Columns that were made wide to stand beside each other. */
function isLayout(table: Box): boolean {
  return table.children.some(
    (row) =>
      row.kind === 'box' && row.children.filter((cell) => cell.kind === 'box' && isWide(cell)).length > 1,
  )
}

function isWide({ looks, light, dark }: Box): boolean {
  return light + dark > 0 && ((looks.width ?? 0) >= 100 || (looks.share ?? 0) >= 30)
}
