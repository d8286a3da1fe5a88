import { enableCompileCache, flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail.ts'
import type { MailLimits } from './limits.ts'

/** Several messages at once, one after the other in `bytes`; each ends where `ends` says. */
export interface ParseRequest {
  bytes: Uint8Array
  ends: number[]
}

/** The raw message stays with the caller, who keeps it whole even if this worker dies of it. */
export type ParseResult = Omit<ParsedMail, 'raw'>

/** `ready` once, when its code is loaded; then the results, in the order of the messages, some at a time. */
export type WorkerAnswer = 'ready' | ParseResult[]

export interface ParseWorkerData {
  limits: MailLimits
  /** Where compiled code is kept between starts. */
  codeFolder: string | null
}

const { limits, codeFolder } = workerData as ParseWorkerData
/** A slow message must not hold back what is done: who waits for it goes by the clock. */
const mostMilliseconds = 50
/** Below this a copy costs less than handing the memory over. */
const transferFrom = 32 * 1024

if (codeFolder !== null) enableCompileCache(codeFolder)
const { parseMail } = await import('./parse.ts')

parentPort?.on('message', ({ bytes, ends }: ParseRequest) => {
  let results: ParseResult[] = []
  let since = performance.now()
  for (const [index, end] of ends.entries()) {
    const { raw: _, ...result } = parseMail(bytes.subarray(ends[index - 1] ?? 0, end), limits)
    results.push(result)
    if (index < ends.length - 1 && performance.now() - since < mostMilliseconds) continue
    send(results)
    results = []
    since = performance.now()
  }
})

function send(results: ParseResult[]): void {
  const contents = results.flatMap(({ attachments }) => attachments.map(({ content }) => content))
  const large = contents.filter(({ byteLength }) => byteLength >= transferFrom)
  parentPort?.postMessage(
    results,
    large.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

parentPort?.postMessage('ready' satisfies WorkerAnswer)
flushCompileCache()
