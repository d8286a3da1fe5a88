/** Extracts the text of a file as Spool does, in a process that does nothing else, and reports the cost. */
import { readFileSync } from 'node:fs'
import { FileReader } from '../../src/mail/files/file-reader.ts'

export interface Measured {
  text: string | null
  note: string | null
  /** Processor time of all threads of the process. */
  seconds: number
  /** Peak memory of the process, beyond what it uses without a file. */
  megabytes: number
  /** The text of the file read after this one. */
  next: string | null
}

const [path, type] = process.argv.slice(2) as [string, string]
const bytes = readFileSync(path)
await using reader = new FileReader()
const readNext = async (): Promise<string | null> =>
  (await reader.read(Buffer.from('still here'), 'text/plain')).text

await readNext()
const [idle, before] = [heldMegabytes('VmRSS'), process.cpuUsage()]
const { text, note } = await reader.read(bytes, type)
const { user, system } = process.cpuUsage(before)
const [seconds, megabytes] = [(user + system) / 1e6, heldMegabytes('VmHWM') - idle]
const measured: Measured = {
  text: text && text.slice(0, 100),
  note,
  seconds,
  megabytes,
  next: await readNext(),
}
console.log(JSON.stringify(measured))

function heldMegabytes(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1000
}
