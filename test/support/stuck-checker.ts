import { parentPort } from 'node:worker_threads'
import type { CheckAnswer, CheckRequest, Probe } from '../../src/mail/sender/check.ts'

/** Checks senders. A mail with the text `slow` is never answered, and one with `stuck` blocks the thread. */
parentPort!.on('message', (request: CheckRequest | Probe) => {
  if (request === 'there?') return parentPort!.postMessage('here')
  const text = Buffer.from(request.raw).toString()
  if (text === 'slow') return
  if (text === 'stuck') for (;;);
  const authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass' } as const
  parentPort!.postMessage({
    id: request.id,
    verdict: { authentication, author: text, isCut: false },
  } satisfies CheckAnswer)
})
