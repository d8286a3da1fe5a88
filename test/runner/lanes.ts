import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { home } from '../support/home.ts'

/**
 * How test files run, in this order: kinds that disturb each other do not run side by side. Kills come last, because
 * what they leave for the operating system to clean up takes processor time from what runs beside them.
 */
export const laneNames = ['units', 'stories', 'pages', 'faults'] as const
export type LaneName = (typeof laneNames)[number]

export interface Lane {
  name: LaneName
  files: string[]
  /** How many processes run side by side. */
  processes: number
  /** How many files share a process: loading Spool takes a second of processor time. */
  sharing: number
}

/** Files whose path contains one of the words, or all files if there are none. */
export function chooseFiles(words: readonly string[]): string[] {
  return globSync('test/**/*.test.ts', { cwd: home })
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort()
}

export function arrangeLanes(files: readonly string[], { long = false, fast = false } = {}): Lane[] {
  const byLane = Map.groupBy(files, laneOf)
  // Test files wait for daemons and clocks much of the time.
  const processes = availableParallelism() + (fast ? 1 : 2)
  const settings: Record<LaneName, Omit<Lane, 'name' | 'files'>> = {
    units: { processes, sharing: 12 },
    stories: { processes, sharing: 12 },
    pages: { processes, sharing: 4 },
    faults: { processes: availableParallelism() + 1, sharing: 1 },
  }
  return laneNames
    .map((name) => ({ name, files: byLane.get(name) ?? [], ...settings[name] }))
    .map((lane) => (long ? { ...lane, sharing: 1 } : lane))
    .filter(({ files }) => files.length > 0)
}

export function laneOf(file: string): LaneName {
  if (/^test\/(web\/|docs-page|mail\/form-(boxes|harmless|judge|layout|narrow))/.test(file)) return 'pages'
  if (/^test\/(faults|install|client)\/|^test\/(threading\/|support-parts)/.test(file)) return 'faults'
  if (/^test\/mail\/(mutations|parse-pool)|^test\/stories\/(attachments|numbers)\.test/.test(file))
    return 'faults'
  return /^test\/(stories|mcp|property|docs-)/.test(file) ? 'stories' : 'units'
}

/** These start commands, a compiler or third-party programs, wait for clocks, or try many cases: too slow for the fast run. */
const slow = [
  /^test\/(demo-mail|docs-.*|mutants|thread-filters|property\/.*)\.test/,
  /^test\/mail\/(hostile-work|limits|mime4j|reply-libraries|second-opinion|visible-text-hostile)\.test/,
  /^test\/mail\/(form-(hostile|html|truth)|files|sender-check)\.test/,
  /^test\/mcp\/(bridge|clients|conformance|consent-clients|guide|hostile|tokens)\.test/,
  /^test\/openapi\//,
  /^test\/stories\/(absent-store|backup|folder-owner|upgrade|command-line|configuration|demo|mail-commands)\.test/,
  /^test\/stories\/(sign-in-limits|unsupported|webhook-commands)\.test/,
  /^test\/stories\/(export|hostile-mail|keeping|notice-delivery|web-live)\.test/,
]

/** SQLite, no browser, no kills, nothing slow: quick feedback on a change. */
export function isFast(file: string): boolean {
  return ['units', 'stories'].includes(laneOf(file)) && !slow.some((pattern) => pattern.test(file))
}

/** These install Spool in every supported way, or start third-party programs many times. */
export function isLongOnly(file: string): boolean {
  return /^test\/(install\/(fresh-clone|image|proxies)|mcp\/remote)\.test/.test(file)
}
