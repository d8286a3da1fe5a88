import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { setPriority } from 'node:os'
import Sqlite from 'better-sqlite3'
import type { CheckDepth } from '../db.ts'

/** This module, as source or compiled. */
const script = new URL(`./sqlite-check${extname(import.meta.url)}`, import.meta.url)

/** Describes the damage in a file, one line each and only the first few; empty if the file is intact. */
export async function checkFile(file: string, depth: CheckDepth, signal?: AbortSignal): Promise<string[]> {
  // In a separate process: SQLite checks in one call, which a thread could not abort when Spool stops.
  const child = fork(script, [file, depth], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
    ...(signal ? { signal } : {}),
  })
  try {
    // Serving requests takes priority.
    if (child.pid !== undefined) setPriority(child.pid, 10)
  } catch {
    // It may have ended already, or this may not be permitted: the check then runs at normal priority.
  }
  const answers: Answer[] = []
  child.on('message', (message) => answers.push(message as Answer))
  child.on('error', ({ message }) => answers.push({ failure: message }))
  if (child.pid !== undefined) await new Promise((resolve) => child.once('close', resolve))
  const [answer = { failure: 'its process ended early' }] = answers
  if ('failure' in answer) throw new Error(`The store could not be checked: ${answer.failure}`)
  return answer.found
}

type Answer = { found: string[] } | { failure: string }

/** SQLite enforces foreign keys when writing, but its integrity check does not cover them. */
const pragmas: Record<CheckDepth, readonly string[]> = {
  quick: ['quick_check(10)'],
  whole: ['integrity_check(10)', 'foreign_key_check'],
}

function findDamage(file: string, depth: CheckDepth): Answer {
  try {
    // No mmap here: a file that is shorter than its header says would crash the process.
    const sqlite = new Sqlite(file, { readonly: true, timeout: 15_000 })
    const rows = pragmas[depth].flatMap((pragma) => sqlite.pragma(pragma) as Record<string, unknown>[])
    const lines = rows.flatMap(describe).filter((line) => line !== 'ok')
    return { found: lines.slice(0, 10) }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    // A page that the check needs is corrupt, or the disk cannot read it.
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code)) return { found: [`${code}: ${message}`] }
    return { failure: message }
  }
}

/** A row is either one column of SQLite's text, several lines below a heading, or a reference to a missing row. */
function describe(row: Record<string, unknown>): string[] {
  const { table, rowid, parent } = row
  if (parent !== undefined)
    return [`row ${String(rowid)} of ${String(table)} refers to no row of ${String(parent)}`]
  const lines = Object.values(row).flatMap((text) => String(text).split('\n'))
  return lines.filter((line) => line !== '' && !line.startsWith('***'))
}

if (process.send && process.argv[1] === import.meta.filename) {
  const [, , file, depth] = process.argv
  process.send(findDamage(file!, depth as CheckDepth), () => process.disconnect())
}
