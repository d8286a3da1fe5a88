/** A parse worker that misbehaves when a message contains certain words. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ParseRequest, ParseWorkerData } from '../../src/mail/parse-worker.ts'
import { parseMail } from '../../src/mail/parse.ts'

const { limits, begun } = workerData as ParseWorkerData

parentPort?.on('message', ({ bytes, ends }: ParseRequest) => {
  const results = ends.map((end, index) => {
    Atomics.add(begun, 0, 1)
    const raw = bytes.subarray(ends[index - 1] ?? 0, end)
    const text = Buffer.from(raw).toString('latin1')
    if (text.includes('please throw')) throw new Error('thrown')
    if (text.includes('please exit')) process.exit(3)
    if (text.includes('please hang')) for (;;);
    const { raw: _, ...result } = parseMail(raw, limits)
    return result
  })
  parentPort?.postMessage(results)
})

parentPort?.postMessage('ready')
