/** Holds the write lock of a SQLite file: `hold-lock.ts FILE MILLISECONDS`. Says "held", and when it was "released". */
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'

const [, , file = '', milliseconds = ''] = process.argv
const sqlite = new Sqlite(file, { timeout: 10_000 })
sqlite.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
await sleep(Number(milliseconds))
process.stdout.write(`released ${Date.now()}\n`)
sqlite.exec('ROLLBACK')
