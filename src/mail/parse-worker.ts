import { enableCompileCache, flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail/mail.ts'
import type { MailLimits } from './limits.ts'

/** Several messages at once, one after the other in `bytes`; each ends where `ends` says. */
export interface ParseRequest {
  bytes: Uint8Array
  ends: number[]
  /** It waits in line with others: what takes long is put aside. Otherwise it is one message, read to its end. */
  inLine: boolean
}

/** The raw message stays with the caller, who keeps it whole even if this worker dies of it. */
export type ParseResult = Omit<ParsedMail, 'raw'>

/**
 * `heavy`: it takes more steps than a message in line may. `unread`: so did those before it, and others may be free to
 * read it now.
 */
export type Outcome = ParseResult | 'heavy' | 'unread'

/** `ready` once, when its code is loaded; then the outcomes, in the order of the messages, some at a time. */
export type WorkerAnswer = 'ready' | Outcome[]

export interface ParseWorkerData {
  limits: MailLimits
  /** Where compiled code is kept between starts. */
  codeFolder: string | null
  /** How many messages it has begun with, at index 0: which one it died of. */
  begun: Int32Array
}

const { limits, codeFolder, begun } = workerData as ParseWorkerData
/** A slow message must not hold back what is done: who waits for it goes by the clock. */
const mostMilliseconds = 50
/** Below this a copy costs less than handing the memory over. */
const transferFrom = 32 * 1024

/** Heavy messages of one group; the rest of it is handed back. */
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
  parentPort?.postMessage(
    outcomes,
    large.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

parentPort?.postMessage('ready' satisfies WorkerAnswer)
flushCompileCache()
