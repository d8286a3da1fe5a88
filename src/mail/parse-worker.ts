import { parentPort, workerData } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail.ts'
import type { MailLimits } from './limits.ts'
import { parseMail } from './parse.ts'

/** The raw message stays with the caller, who keeps it whole even if this worker dies of it. */
export type ParseResult = Omit<ParsedMail, 'raw'>

/** `ready` once, when its code is loaded; then a result for each message, in their order. */
export type WorkerAnswer = 'ready' | ParseResult

const { limits } = workerData as { limits: MailLimits }

parentPort?.on('message', (raw: Uint8Array) => {
  const { raw: _, ...result } = parseMail(raw, limits)
  parentPort?.postMessage(
    result,
    result.attachments.map(({ content }) => content.buffer as ArrayBuffer),
  )
})

parentPort?.postMessage('ready' satisfies WorkerAnswer)
