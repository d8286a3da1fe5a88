/** Asks for the write lock of a SQLite file again and again until standard input ends; answers its waits as JSON. */
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'

const sqlite = new Sqlite(process.argv[2], { timeout: 0 })
const waits: number[] = []
const input = { ended: false }
process.stdin.resume().on('end', () => (input.ended = true))
process.stdout.write('ready\n')
for (let asked = performance.now(); !input.ended;) {
  try {
    sqlite.exec('BEGIN IMMEDIATE')
    sqlite.exec('ROLLBACK')
    waits.push(performance.now() - asked)
    await sleep(5)
    asked = performance.now()
  } catch {
    await sleep(1)
  }
}
process.stdout.write(`${JSON.stringify(waits)}\n`)
