/**
 * `npm run bench:import -- [FILE] [--count N | --megabytes N] [--only-spool | --postgres]`: a mailbox into Spool,
 * compared with `notmuch new` and Dovecot's batched APPEND on the same mail in the same run, if they are installed, or
 * PostgreSQL compared with SQLite. Without FILE a mailbox is made up. `--megabytes 2000` measures memory,
 * `--count 1000000` the rate, which is printed for each 100,000 messages.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { openMailbox } from '../src/mail/mailbox.ts'
import { skipWithout } from '../test/support/parts/install.ts'
import { scratchFolder } from '../test/support/parts/scratch.ts'
import { appendToDovecot } from './import-dovecot.ts'
import { writeMailbox } from './import-mailbox.ts'
import { startBenchPostgres } from './postgres.ts'

const run = promisify(execFile)
/** Number of messages for which each rate is printed. */
const stretch = 100_000
const home = resolve(import.meta.dirname, '..')

interface Imported extends Timing {
  peakMegabytes: number
  rates: { messages: number; rate: number }[]
  lastRate: number | null
}

interface Timing {
  name: string
  messages: number
  seconds: number
}

const { values: options, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    megabytes: { type: 'string' },
    'only-spool': { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const folder = scratchFolder('bench-import')
const file = positionals[0] ? resolve(positionals[0]) : await makeMailbox()
console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`)

if (options.postgres) {
  await compareDatabases()
  process.exit()
}
const spool = await importIntoSpool({ SPOOL_DATA: join(folder, 'data') })
const others = options['only-spool']
  ? []
  : [await runNotmuch(), await runDovecot()].filter((timing) => timing !== null)
for (const { name, messages, seconds } of [spool, ...others]) {
  const rate = messages / seconds
  const ratio = (spool.messages / spool.seconds / rate).toFixed(2)
  console.log(
    `${name.padEnd(24)} ${rate.toFixed(0).padStart(6)} messages/s   ${seconds.toFixed(1)} s   Spool is ${ratio} of it`,
  )
}
const notmuch = others.find(({ name }) => name.startsWith('notmuch'))
if (notmuch)
  tell(
    'at least 5 times notmuch',
    spool.messages / spool.seconds / (notmuch.messages / notmuch.seconds),
    (ratio) => ratio >= 5,
  )
tell('memory under 300 MB', spool.peakMegabytes, (megabytes) => megabytes < 300)
for (const { messages, rate } of spool.rates) console.log(`to ${messages}: ${rate.toFixed(0)} messages/s`)
if (spool.lastRate !== null)
  tell('rate at the end at least 0.7 of the start', spool.lastRate, (ratio) => ratio >= 0.7)

function tell(target: string, value: number, reached: (value: number) => boolean): void {
  console.log(`${reached(value) ? 'reached' : 'MISSED '}  ${target}: ${value.toFixed(2)}`)
}

async function makeMailbox(): Promise<string> {
  const made = join(folder, 'made-up.mbox')
  if (options.megabytes) await writeMailbox(made, Infinity, Number(options.megabytes) * 1_000_000)
  else await writeMailbox(made, Number(options.count))
  return made
}

/** Runs both in turn, three times; the median counts. */
async function compareDatabases(): Promise<void> {
  await using postgres = await startBenchPostgres()
  const ratios: number[] = []
  for (let round = 0; round < 3; round++) {
    const sqlite = await importIntoSpool({ SPOOL_DATA: join(folder, `data-${round}`) })
    ratios.push(sqlite.seconds / (await importIntoSpool(await postgres.empty())).seconds)
  }
  console.log(`PostgreSQL by SQLite: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
  tell('PostgreSQL at least 0.6 of SQLite', ratios.toSorted((a, b) => a - b)[1]!, (ratio) => ratio >= 0.6)
}

/** As a user would: runs the command on a fresh store, with full text and durable commits. */
async function importIntoSpool(database: Record<string, string>): Promise<Imported> {
  const env = { ...process.env, ...database }
  const spool = join(home, 'bin/spool.js')
  await run(process.execPath, [spool, 'inbox', 'add', 'support@shop.example'], { env })
  await run(
    process.execPath,
    [spool, 'user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin'],
    { env },
  )
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [spool, 'import', file, '--inbox', 'support@shop.example', '--json'],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const progress: { messages: number; at: number }[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const count = /^(\d+) messages/.exec(line)?.[1]
    if (count) progress.push({ messages: Number(count), at: performance.now() })
  })
  let peak = 0
  let cpuSeconds = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(child.pid!))
    cpuSeconds = Math.max(cpuSeconds, processorSeconds(child.pid!))
  }, 100)
  let answer = ''
  child.stdout.on('data', (chunk) => (answer += String(chunk)))
  const code = await new Promise((done) => child.once('close', done))
  clearInterval(watch)
  if (code !== 0) throw new Error(`spool import ended with ${String(code)}`)
  const seconds = (performance.now() - started) / 1000
  const { messages, threads, duplicates, failed } = JSON.parse(answer) as Record<string, number>
  console.log(
    `Spool: ${messages} messages, ${threads} threads, ${duplicates} duplicates, ${failed} failed; peak ${peak.toFixed(0)} MB resident, ${((1000 * cpuSeconds) / (messages! + duplicates!)).toFixed(2)} ms of processor time a message`,
  )
  return {
    name: 'Spool',
    messages: messages! + duplicates!,
    seconds,
    peakMegabytes: peak,
    rates: ratesOf(progress),
    lastRate: compareRates(progress),
  }
}

function residentMegabytes(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0
  // The peak so far, as recorded by the kernel.
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
}

/** User and system time of all threads. */
function processorSeconds(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The rate of each stretch of messages, if there are several. */
function ratesOf(progress: { messages: number; at: number }[]): { messages: number; rate: number }[] {
  const rates: { messages: number; rate: number }[] = []
  let from = progress[0]
  for (const to of progress) {
    if (!from || Math.floor(to.messages / stretch) === Math.floor(from.messages / stretch)) continue
    rates.push({ messages: to.messages, rate: (1000 * (to.messages - from.messages)) / (to.at - from.at) })
    from = to
  }
  return rates
}

/** Rate of the last tenth relative to the second: the first is a warm-up. Null if the run is too short to tell. */
function compareRates(progress: { messages: number; at: number }[]): number | null {
  if (progress.length < 20) return null
  const tenth = Math.floor(progress.length / 10)
  const rate = (from: number, to: number): number =>
    (progress[to]!.messages - progress[from]!.messages) / (progress[to]!.at - progress[from]!.at)
  return rate(progress.length - 1 - tenth, progress.length - 1) / rate(tenth, 2 * tenth)
}

async function* messages(): AsyncGenerator<Uint8Array> {
  for await (const item of await openMailbox(file)) if ('raw' in item) yield item.raw
}

async function runNotmuch(): Promise<Timing | null> {
  try {
    await run('notmuch', ['--version'])
  } catch {
    console.log('notmuch is not installed: left out')
    return null
  }
  const mail = join(folder, 'notmuch')
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(mail, part), { recursive: true })
  let count = 0
  for await (const raw of messages()) writeFileSync(join(mail, 'cur', `${count++}:2,S`), raw)
  const config = join(folder, 'notmuch.config')
  writeFileSync(
    config,
    `[database]\npath=${mail}\n[user]\nname=Bench\nprimary_email=support@shop.example\n[new]\ntags=new\n`,
  )
  const started = performance.now()
  await run('notmuch', ['--config', config, 'new', '--quiet'], { maxBuffer: 1 << 26 })
  return { name: 'notmuch new', messages: count, seconds: (performance.now() - started) / 1000 }
}

async function runDovecot(): Promise<Timing | null> {
  const missing = skipWithout('dovecot')
  if (missing) {
    console.log(`Dovecot is left out: ${missing}`)
    return null
  }
  const { count, seconds } = await appendToDovecot(messages())
  return { name: 'Dovecot, batched APPEND', messages: count, seconds }
}
