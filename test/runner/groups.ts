import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { home } from '../support/home.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import type { Lane } from './lanes.ts'

/** Test files that run one after the other in one process. */
export interface Group {
  /** The script that runs them. */
  path: string
  files: readonly string[]
}

let folder: string | undefined
let count = 0

export function writeGroups({ files, sharing }: Pick<Lane, 'files' | 'sharing'>): Group[] {
  return deal(files, sharing).map(writeGroup)
}

/** Neighbouring files are alike. Dealing them out round-robin gives each process some of every kind. */
function deal(files: readonly string[], most: number): string[][] {
  const groups = Math.ceil(files.length / most)
  return Array.from({ length: groups }, (_, group) => files.filter((_, n) => n % groups === group))
}

/** Where the groups' scripts write how much processor time each file took. */
export function timesFile(): string {
  return join((folder ??= scratchFolder('groups')), 'times.ndjson')
}

/** How long a process may live after its tests, in milliseconds. One that never ends would block the whole run. */
const timeout = 60_000

/** Writes one script that runs the files one after the other, each as a suite with its own hooks. */
export function writeGroup(files: readonly string[]): Group {
  folder ??= scratchFolder('groups')
  const path = join(folder, `${count++}.mjs`)
  const suites = files.map((file) => {
    const [name, module] = [file, resolve(home, file)].map((text) => JSON.stringify(text))
    return `describe(${name}, () => {
  let begun
  before(() => (begun = processorSeconds()))
  after(() => appendFileSync(${JSON.stringify(timesFile())}, JSON.stringify([${name}, processorSeconds() - begun]) + '\\n'))
  return load(${module})
})`
  })
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { stopTracking } from ${JSON.stringify(resolve(home, 'test/support/untracked.ts'))}
// This process and those it has waited for, in seconds.
const processorSeconds = () => {
  const { user, system } = process.cpuUsage()
  const [childUser, childSystem] = readFileSync('/proc/self/stat', 'utf8').replace(/.*\\) /, '').split(' ').slice(13, 15).map(Number)
  return (user + system) / 1e6 + (childUser + childSystem) / 100
}
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
  return { path, files }
}
