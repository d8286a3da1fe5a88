import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { setPriority } from 'node:os'
import Sqlite from 'better-sqlite3'
import type { CheckDepth } from '../db.ts'

/** Run from source, or compiled beside it. */
const script = new URL(`./sqlite-check${extname(import.meta.url)}`, import.meta.url)

/** What is wrong with a file, one line each and the first few; none: it is in order. */
export async function checkFile(file: string, depth: CheckDepth, signal?: AbortSignal): Promise<string[]> {
  // In a process of its own: SQLite checks in one call, which a thread could not be made to leave when Spool stops.
  const child = fork(script, [file, depth], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
    ...(signal ? { signal } : {}),
  })
  try {
    // Who is served comes first.
    if (child.pid !== undefined) setPriority(child.pid, 10)
  } catch {
    // It may have ended already, or this may not be allowed: then it is only less polite.
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

/** Foreign keys are Spool's own rule, which SQLite keeps while it writes and does not look at again by itself. */
const pragmas: Record<CheckDepth, readonly string[]> = {
  quick: ['quick_check(10)'],
  whole: ['integrity_check(10)', 'foreign_key_check'],
}

function findDamage(file: string, depth: CheckDepth): Answer {
  try {
    // No mapped memory here: a file that is shorter than it says would end the process.
    const sqlite = new Sqlite(file, { readonly: true, timeout: 15_000 })
    const rows = pragmas[depth].flatMap((pragma) => sqlite.pragma(pragma) as Record<string, unknown>[])
    const lines = rows.flatMap(describe).filter((line) => line !== 'ok')
    return { found: lines.slice(0, 10) }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    // A page that the check cannot do without, or that the disk does not give.
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code)) return { found: [`${code}: ${message}`] }
    return { failure: message }
  }
}

/** One column with SQLite's own words, which are several lines below a heading, or a row that refers to none. */
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
