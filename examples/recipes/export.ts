// Writes every thread that is new or has changed since the last run to a file of today, a line each. Run it every night
// with SPOOL_URL and SPOOL_TOKEN. A run that was cut off goes on after the last thread that is in the file.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Spool } from '@spool-inbox/client'

const { SPOOL_URL = '', SPOOL_TOKEN = '' } = process.env
const spool = new Spool({ url: SPOOL_URL, token: SPOOL_TOKEN })

const kept = 'export.cursor'
const file = `threads-${new Date().toISOString().slice(0, 10)}.ndjson`
const dump = spool.export(existsSync(kept) ? { cursor: readFileSync(kept, 'utf8') } : {})
let count = 0
for await (const { thread, history, notes } of dump) {
  appendFileSync(file, `${JSON.stringify({ ...thread, history, notes })}\n`)
  writeFileSync(kept, dump.cursor!)
  count++
}
writeFileSync(kept, dump.cursor!)
console.log(`${count} threads in ${file}`)
