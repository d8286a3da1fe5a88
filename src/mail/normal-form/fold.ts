/** Marks what the page folds away: exactly what `newText` leaves out. */

import { spend } from '../work.ts'
import type { Box, FormNode } from './tree.ts'

type Age = 'new' | 'old' | 'neither'

/** `isNew` takes the number of a line of `text`. */
export function markFolds(box: Box, isNew: (line: number) => boolean): Age {
  spend(2 + box.children.length)
  const ages = box.children.map((child) => ageOf(child, isNew))
  const isOld = ages.includes('old')
  if (!isOld) return ages.includes('new') ? 'new' : 'neither'
  if (!ages.includes('new')) {
    box.folded = true
    for (const child of box.children) child.folded = false
    return 'old'
  }
  // Breaks and pictures within old text are folded with it.
  let before: Age = 'neither'
  for (const [at, child] of box.children.entries()) {
    const age = ages[at]!
    if (age !== 'neither') before = age
    else if (before === 'old' && nextAge(ages, at) !== 'new') child.folded = true
  }
  return 'new'
}

function nextAge(ages: Age[], at: number): Age {
  spend(1)
  for (let next = at + 1; next < ages.length; next += 1) {
    // Each break of a run repeats this search, so it is bounded.
    if (next > at + 20) return 'old'
    if (ages[next] !== 'neither') return ages[next]!
  }
  return 'old'
}

function ageOf(node: FormNode, isNew: (line: number) => boolean): Age {
  if (node.kind === 'box') return markFolds(node, isNew)
  if ((node.kind !== 'words' && node.kind !== 'rule') || node.line < 0) return 'neither'
  node.folded = !isNew(node.line)
  return node.folded ? 'old' : 'new'
}
