import { globSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { scratchFolder } from './parts/scratch.ts'

export const home = resolve(import.meta.dirname, '../..')

/** Files whose path contains one of the words, or all files if there are none. */
export function chooseFiles(words: readonly string[]): string[] {
  return globSync('test/**/*.test.ts', { cwd: home })
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort()
}

/** These kill processes, measure the memory of their process, or take long, so each gets its own process. */
const alone = [
  /^test\/threading\//,
  /^test\/faults\/(damage|disk-full|drills|event-log|imap-.*|import-memory|postgres-outage|start|stopping|upgrade-beside)\.test/,
  /^test\/faults\/(.*kill|nodes|send-nodes|webhook-nodes|notice-nodes|smtp-deaths|smtp-order|sqlite-locks)\.test/,
  /^test\/faults\/(nothing-sends|web-matrix)\.test/,
  /^test\/mail\/(mutations|parse-pool)\.test/,
  /^test\/stories\/(attachments|numbers)\.test/,
  /^test\/support-parts\.test/,
]

/** These start commands, a compiler or third-party programs, wait for clocks, or try many cases: too slow for the fast run. */
const slow = [
  /^test\/(demo-mail|docs-.*|mutants|thread-filters|(install|faults|property)\/.*)\.test/,
  /^test\/mail\/(hostile-work|limits|mime4j|reply-libraries|second-opinion|visible-text-hostile)\.test/,
  /^test\/mail\/(form-(hostile|html|truth)|files|sender-check)\.test/,
  /^test\/mcp\/(bridge|clients|conformance|consent-clients|guide|hostile|tokens)\.test/,
  /^test\/(openapi|client)\//,
  /^test\/stories\/(absent-store|backup|folder-owner|upgrade|command-line|configuration|demo|mail-commands)\.test/,
  /^test\/stories\/(sign-in-limits|unsupported|webhook-commands)\.test/,
  /^test\/stories\/(export|hostile-mail|keeping|notice-delivery|web-live)\.test/,
]

/** These install Spool in every supported way, or start third-party programs many times. */
export function isLongOnly(file: string): boolean {
  return /^test\/(install\/(fresh-clone|image|proxies)|mcp\/remote)\.test/.test(file)
}

/** SQLite, no browser, no kills, nothing slow: quick feedback on a change. */
export function isFast(file: string): boolean {
  return !file.startsWith('test/web/') && ![...alone, ...slow].some((pattern) => pattern.test(file))
}

/**
 * Starts the slowest tests first, so that none of them is left running alone at the end. Loading Spool takes a second
 * of processor time, more than many files need for their tests, so one process runs up to `sharing` of the other files.
 */
export function arrange(files: readonly string[], sharing: number): string[] {
  const {
    first = [],
    web = [],
    rest = [],
  } = Object.groupBy(files, (file) =>
    alone.some((pattern) => pattern.test(file)) ? 'first' : file.startsWith('test/web/') ? 'web' : 'rest',
  )
  return [
    ...mix([...first.map((file) => [file]), ...share(web, Math.min(sharing, 4))]),
    ...share(rest, sharing),
  ].map(writeGroup)
}

/** Neighbouring files are alike. Dealing them out round-robin gives each process some of every kind. */
function share(files: readonly string[], most: number): string[][] {
  const groups = Math.ceil(files.length / most)
  return Array.from({ length: groups }, (_, group) => files.filter((_, n) => n % groups === group))
}

/** Neighbours need the same resource: some the processor, some only time. Mixed, one kind runs while another waits. */
function mix<Item>(items: readonly Item[]): Item[] {
  const half = Math.ceil(items.length / 2)
  return items.slice(0, half).flatMap((item, index) => [item, ...items.slice(half + index, half + index + 1)])
}

let folder: string | undefined

/** How long a process may live after its tests, in milliseconds. One that never ends would block the whole run. */
const timeout = 60_000

/** Writes one file that runs the others one after the other, each as a suite with its own hooks. */
function writeGroup(files: readonly string[], number: number): string {
  folder ??= scratchFolder('groups')
  const path = join(folder, `${number}.mjs`)
  const suites = files.map((file) => {
    const [name, module] = [file, resolve(home, file)].map((text) => JSON.stringify(text))
    return `describe(${name}, () => load(${module}))`
  })
  writeFileSync(
    path,
    `import { after, describe } from 'node:test'
import { stopTracking } from ${JSON.stringify(resolve(import.meta.dirname, 'untracked.ts'))}
const loading = []
const load = async (module) => {
  const loaded = import(module)
  loading.push(loaded)
  await loaded
}
${suites.join('\n')}
after(() => setTimeout(giveUp, ${timeout}).unref())
const giveUp = () => {
  console.error('Left open after the tests:', process.getActiveResourcesInfo().join(', '))
  process.exit(1)
}
await Promise.allSettled(loading)
stopTracking()
`,
  )
  return path
}

/** A test file's path relative to the project. */
export function fileOf(path: string | undefined): string | null {
  return path?.endsWith('.test.ts') ? relative(home, resolve(home, path)) : null
}
