/** Holds the write lock of a SQLite file until standard input ends. Says "held", and when it was "released". */
import { once } from 'node:events'
import Sqlite from 'better-sqlite3'

const [, , file = ''] = process.argv
const sqlite = new Sqlite(file, { timeout: 10_000 })
sqlite.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
await once(process.stdin.resume(), 'end')
process.stdout.write(`released ${Date.now()}\n`)
sqlite.exec('ROLLBACK')
