import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '../support/home.ts'
import { timesFile } from './groups.ts'
import type { FileResult } from './results.ts'

/** What a whole run writes down for the next one, outside of git. */
export interface Record {
  commit: string | null
  seconds: number
  lanes: { [lane: string]: { tests: number; seconds: number } }
  files: { [file: string]: { seconds: number; processorSeconds: number } }
}

export const recordFolder = join(home, '.test-runs')
const path = join(recordFolder, 'record.json')

export function readRecord(): Record | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record) : null
}

export function writeRecord(record: Record): void {
  mkdirSync(recordFolder, { recursive: true })
  writeFileSync(path, JSON.stringify(record, null, 1))
}

/** Keeps what a flaky file said; returns where. */
export function keepOutput(folder: string, first: FileResult, again: FileResult): string {
  mkdirSync(folder, { recursive: true })
  const kept = join(folder, `flaky-${first.file.replaceAll('/', '-')}.txt`)
  const then = again.passed
    ? `Then it passed alone, in ${again.seconds.toFixed(1)} s.`
    : again.failures.join('\n\n')
  writeFileSync(kept, `${first.failures.join('\n\n')}\n\n${then}\n`)
  return kept
}

/** In seconds, by file: its own process and those it waited for. Servers that files share are not in it. */
export function readProcessorSeconds(): Map<string, number> {
  if (!existsSync(timesFile())) return new Map()
  const lines = readFileSync(timesFile(), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line) as [string, number]))
}

export function readCommit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
