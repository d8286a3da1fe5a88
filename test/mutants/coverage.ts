import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Edit } from './random-edits.ts'

/** What V8 writes of one process. */
interface Coverage {
  result: { url: string; functions: { ranges: Range[] }[] }[]
}

interface Range {
  startOffset: number
  endOffset: number
  count: number
}

/** Which of the edits stand where something was run, by what NODE_V8_COVERAGE left in the folder. */
export function findReached(folder: string, root: string, edits: readonly Edit[]): Set<Edit> {
  const reached = new Set<Edit>()
  const byUrl = Map.groupBy(edits, ({ file }) => pathToFileURL(join(root, file)).href)
  for (const name of globSync('coverage-*.json', { cwd: folder })) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      const ranges = functions.flatMap((each) => each.ranges)
      for (const edit of byUrl.get(url) ?? []) if (wasRun(ranges, edit.at)) reached.add(edit)
    }
  }
  return reached
}

/** The innermost range around a place counts; types are blanked when a file is loaded, so places stay where they are. */
function wasRun(ranges: readonly Range[], at: number): boolean {
  let innermost: Range | null = null
  for (const range of ranges) {
    if (range.startOffset > at || range.endOffset <= at) continue
    const size = range.endOffset - range.startOffset
    if (!innermost || size <= innermost.endOffset - innermost.startOffset) innermost = range
  }
  return innermost !== null && innermost.count > 0
}
