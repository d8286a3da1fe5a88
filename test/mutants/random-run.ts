import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../support/parts/scratch.ts'
import { eachOf, home, type Copy } from './copy.ts'
import { findReached } from './coverage.ts'
import { drawEdits, type Edit } from './random-edits.ts'
import { runTests } from './trial.ts'

/** Those through the doors, without a browser; what the others would notice is not counted. */
const candidates = 'test/{stories,mcp}/**/*.test.ts'
/** In seconds: a file that takes longer is not asked, and an edit has so long for all of its files. */
const [longestFile, longestEdit] = [90, 60]
const mostFiles = 6

export interface RandomOptions {
  seed: number
  count: number
  /** Parts of the paths that are edited; none: all of src/core. */
  places: readonly string[]
  /** Parts of the paths of test files; none: all candidates. */
  tests: readonly string[]
  signal: AbortSignal
}

interface TestFile {
  file: string
  seconds: number
  reached: Set<Edit>
}

/** Edits that no test noticed are printed; they are for people to judge, so the answer is 0 all the same. */
export async function tryRandom(copies: readonly Copy[], options: RandomOptions): Promise<number> {
  const { seed, count, places, signal } = options
  const edits = drawEdits(home, seed, count, places)
  console.log(
    `${edits.length} edits by seed ${seed}; first every test file is run once, to see what it reaches.`,
  )
  const files = await measureTests(copies, edits, options)
  const survivors: string[] = []
  let killed = 0
  await eachOf(copies, edits, signal, async (copy, edit) => {
    const words = await tryEdit(copy, edit, files, signal)
    if (signal.aborted) return
    console.log(`${words.startsWith('killed') ? '✔' : '·'} ${describe(edit)}\n    ${words}`)
    if (words.startsWith('killed')) killed++
    else survivors.push(`${describe(edit)}\n    ${words}`)
  })
  if (signal.aborted) return 130
  console.log(`\n${killed} of ${edits.length} random edits are noticed. The others:`)
  for (const survivor of survivors) console.log(`· ${survivor}`)
  return 0
}

async function measureTests(
  copies: readonly Copy[],
  edits: readonly Edit[],
  { tests, signal }: RandomOptions,
): Promise<TestFile[]> {
  const found: TestFile[] = []
  const files = globSync(candidates, { cwd: home })
    .filter((file) => tests.length === 0 || tests.some((part) => file.includes(part)))
    .sort()
  await eachOf(copies, files, signal, async (copy, file) => {
    const folder = scratchFolder('coverage')
    const environment = { NODE_V8_COVERAGE: folder }
    const outcome = await runTests(copy, { file, limit: longestFile, environment, signal })
    if (outcome.result !== 'passed') return console.log(`  left out, as it ${outcome.result}: ${file}`)
    found.push({ file, seconds: outcome.seconds, reached: findReached(folder, copy.root, edits) })
  })
  return found.sort((a, b) => a.seconds - b.seconds)
}

/** Quickest first, until one fails. */
async function tryEdit(
  copy: Copy,
  edit: Edit,
  files: readonly TestFile[],
  signal: AbortSignal,
): Promise<string> {
  const reaching = files.filter(({ reached }) => reached.has(edit)).slice(0, mostFiles)
  if (reaching.length === 0) return 'no test file reaches it'
  const until = performance.now() + longestEdit * 1000
  const passed: string[] = []
  try {
    const text = readFileSync(join(home, edit.file), 'utf8')
    copy.edit(edit.file, text.slice(0, edit.at) + edit.put + text.slice(edit.at + edit.was.length))
    for (const { file } of reaching) {
      const limit = (until - performance.now()) / 1000
      if (limit <= 1) break
      const outcome = await runTests(copy, { file, limit, signal })
      if (outcome.result === 'failed') return `killed by ${file}: ${outcome.test}`
      if (outcome.result === 'not run') return `killed as it is loaded: ${outcome.words.split('\n')[0]}`
      passed.push(outcome.result === 'passed' ? file : `${file} (not done in time)`)
    }
    return `passed: ${passed.join(', ')}`
  } finally {
    copy.restore()
  }
}

function describe({ file, line, was, put }: Edit): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100)
  return `${file}:${line}  ${short(was)}  →  ${short(put)}`
}
