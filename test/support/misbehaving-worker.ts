/** A parse worker that, on these words in a message, does what no worker should. */
import { parentPort, workerData } from 'node:worker_threads'
import type { MailLimits } from '../../src/mail/limits.ts'
import { parseMail } from '../../src/mail/parse.ts'

const { limits } = workerData as { limits: MailLimits }

parentPort?.on('message', (raw: Uint8Array) => {
  const text = Buffer.from(raw).toString('latin1')
  if (text.includes('please throw')) throw new Error('thrown')
  if (text.includes('please exit')) process.exit(3)
  if (text.includes('please hang')) for (;;);
  const { raw: _, ...result } = parseMail(raw, limits)
  parentPort?.postMessage(result)
})

parentPort?.postMessage('ready')
