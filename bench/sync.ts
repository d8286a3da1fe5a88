/**
 * `npm run bench:sync -- [FILE] [--count N] [--rounds N]`: the first sync of a mailbox from Dovecot and `spool import`
 * of the same messages, in turn. Without FILE a mailbox is made up.
 */
import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { openMailbox } from '../src/mail/mailbox.ts'
import { freshDatabase, type FreshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { followMailbox } from '../test/support/mail-user.ts'
import { daemonAccount } from '../test/support/parts/daemon.ts'
import { startDovecot } from '../test/support/parts/dovecot.ts'
import { scratchFolder } from '../test/support/parts/scratch.ts'
import { Serving } from '../test/support/serving.ts'
import { countMessages } from '../test/support/sources.ts'
import { writeMailbox } from './import-mailbox.ts'

const run = promisify(execFile)
const spool = resolve(import.meta.dirname, '../bin/spool.js')
const compiled = resolve(import.meta.dirname, '../node_modules/.cache/spool')
const { values: options, positionals } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const folder = scratchFolder('bench-sync')
const file = join(folder, 'mail.mbox')
if (!positionals[0]) await writeMailbox(file, Number(options.count))
const mailbox = positionals[0] ? resolve(positionals[0]) : file

const rate = ({ messages, seconds }: { messages: number; seconds: number }): number => messages / seconds
const ratios: number[] = []
let peak = 0
for (let round = 0; round < Number(options.rounds); round++) {
  const imported = await importAll()
  const synced = await syncAll()
  const ratio = rate(synced) / rate(imported)
  console.log(
    `import ${rate(imported).toFixed(0)} messages/s (${imported.messages}), first sync ${rate(synced).toFixed(0)} (${synced.messages}), peak ${synced.peak} MB: ${ratio.toFixed(2)}`,
  )
  ratios.push(ratio)
  peak = Math.max(peak, synced.peak)
}
const middle = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!
console.log(
  `${middle >= 0.6 ? 'reached' : 'MISSED '}  at least 0.6 of import, in the middle: ${middle.toFixed(2)}`,
)
console.log(`${peak < 300 ? 'reached' : 'MISSED '}  memory under 300 MB: ${peak}`)

async function withStore<Result>(work: (database: FreshDatabase) => Promise<Result>): Promise<Result> {
  await using database = await freshDatabase('sqlite')
  return await work(database)
}

async function importAll(): Promise<{ messages: number; seconds: number }> {
  return await withStore(async (database) => {
    await (await openStore(database))[Symbol.asyncDispose]()
    const started = performance.now()
    const words = [spool, 'import', mailbox, '--inbox', 'support@shop.example', '--as-read', '--json']
    const { stdout } = await run(process.execPath, words, { env: { ...process.env, ...database.env } })
    const { messages } = JSON.parse(stdout) as { messages: number }
    return { messages, seconds: (performance.now() - started) / 1000 }
  })
}

async function syncAll(): Promise<{ messages: number; seconds: number; peak: number }> {
  await using dovecot = await startDovecot({ users: { team: 'secret' } })
  await fill(join(dovecot.folder, 'mail', 'team'))
  return await withStore(async (database) => {
    await using store = await openStore(database)
    await using node = await Serving.start({
      ...database.env,
      SPOOL_LOG_LEVEL: 'info',
      // A compile cache from an earlier run, as a service that has been restarted has, and as the import has.
      NODE_COMPILE_CACHE: compiled,
    })
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(node.pid))), 100)
    const started = performance.now()
    await followMailbox(store.spool, store.inbox, dovecot)
    await node.says(/a mailbox is up to date/, 3_600_000)
    clearInterval(watch)
    const seconds = (performance.now() - started) / 1000
    return { messages: await countMessages(store.spool, store.inbox.number), seconds, peak }
  })
}

/**
 * Writes straight into the Maildir, under names like those of real deliveries: if microseconds and process ids were
 * counted up, most names would share a few hashes in Dovecot, which would then list its files slower than Spool stores.
 */
async function fill(home: string): Promise<void> {
  const { uid, gid } = daemonAccount()
  const maildir = join(home, 'Maildir')
  for (const place of [home, maildir, ...['cur', 'new', 'tmp'].map((name) => join(maildir, name))]) {
    mkdirSync(place, { recursive: true })
    chownSync(place, uid, gid)
  }
  let number = 0
  for await (const item of await openMailbox(mailbox, { format: undefined, maxSize: 50_000_000 })) {
    if (!('raw' in item)) continue
    number++
    const [microsecond, process] = [(number * 7_654_321) % 1_000_000, 1000 + ((number * 7919) % 60_000)]
    const path = join(maildir, 'new', `${1_760_000_000 + number}.M${microsecond}P${process}.mail`)
    writeFileSync(path, item.raw)
    chownSync(path, uid, gid)
  }
}

function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1000)
  } catch {
    return 0
  }
}
