import { enableCompileCache, flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail/mail.ts'
import type { MailLimits } from './limits.ts'

/** Several messages, concatenated in `bytes`; `ends` holds the end of each. */
export interface ParseRequest {
  bytes: Uint8Array
  ends: number[]
  /** Ordinary messages: those that take long are put aside. Otherwise it is one message, parsed to its end. */
  inLine: boolean
}

/**
 * The raw message stays with the caller, who has it intact even if it kills this worker. `heavy`: it takes more steps
 * than an ordinary message may. `unread`: messages before it in its group did, and another worker may be free to read
 * it now.
 */
export type Outcome = Omit<ParsedMail, 'raw'> | 'heavy' | 'unread'

/** `ready` once, when the code is loaded; then the outcomes in message order, some at a time. */
export type WorkerAnswer = 'ready' | Outcome[]

export interface ParseWorkerData {
  limits: MailLimits
  /** The compile cache, kept between starts. */
  codeFolder: string | null
  /** Index 0 counts the messages it has started, which tells the one that killed it. */
  begun: Int32Array
}

const { limits, codeFolder, begun } = workerData as ParseWorkerData
/** Finished results are sent after this time: a slow message must not delay them, as the pool has a clock timeout. */
const mostMilliseconds = 50
/** Below this size, copying is cheaper than transferring the memory. */
const transferFrom = 32 * 1024

/** Heavy messages per group; after these the rest of it is handed back. */
const mostHeavy = 2

if (codeFolder !== null) enableCompileCache(codeFolder)
const { parseMail, tryMail } = await import('./parse.ts')
const limitsInLine = { ...limits, steps: limits.stepsInLine }

parentPort?.on('message', ({ bytes, ends, inLine }: ParseRequest) => {
  let outcomes: Outcome[] = []
  let heavy = 0
  let since = performance.now()
  for (const [index, end] of ends.entries()) {
    const raw = bytes.subarray(ends[index - 1] ?? 0, end)
    Atomics.add(begun, 0, 1)
    const outcome = heavy < mostHeavy ? read(raw, inLine) : 'unread'
    if (outcome === 'heavy') heavy++
    outcomes.push(outcome)
    if (index < ends.length - 1 && performance.now() - since < mostMilliseconds) continue
    send(outcomes)
    outcomes = []
    since = performance.now()
  }
})

function read(bytes: Uint8Array, inLine: boolean): Outcome {
  const mail = inLine ? tryMail(bytes, limitsInLine) : parseMail(bytes, limits)
  if (mail === null) return 'heavy'
  const { raw: _, ...result } = mail
  return result
}

function send(outcomes: Outcome[]): void {
  const contents = outcomes.flatMap((outcome) =>
    typeof outcome === 'string' ? [] : outcome.attachments.map(({ content }) => content),
  )
  const large = contents.filter(({ byteLength }) => byteLength >= transferFrom)
  const transferred = large.map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(outcomes, transferred)
}

parentPort?.postMessage('ready' satisfies WorkerAnswer)
flushCompileCache()
