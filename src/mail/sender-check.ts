import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SenderVerdict } from './sender-verdict.ts'

/** The mail and how it came, as far as the checks go by it. */
export interface Checked {
  raw: Uint8Array
  sender: string
  clientAddress: string
  helo: string
}

export interface SenderCheck extends AsyncDisposable {
  /** SPF, DKIM and DMARC. Never rejects: what cannot be found out in time is `temperror`. */
  check(mail: Checked): Promise<SenderVerdict>
}

export interface CheckRequest extends Checked {
  id: number
}

export interface CheckAnswer {
  id: number
  verdict: SenderVerdict
}

export interface SenderCheckSettings {
  /** Null: those of the machine. */
  nameServers: string[] | null
}

const patience = 8_000
const unknown: SenderVerdict = {
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' },
  author: null,
}

/** In a thread of its own: hashing and checking signatures would hold up those who are served. */
export function openSenderCheck(settings: SenderCheckSettings): SenderCheck {
  const file = new URL(`./sender-check-worker${extname(import.meta.url)}`, import.meta.url)
  const waiting = new Map<number, (verdict: SenderVerdict) => void>()
  let worker: Worker | null = null
  let last = 0
  let answered = 0
  let isClosed = false

  const lose = (lost: Worker): void => {
    if (lost !== worker) return
    worker = null
    for (const answer of waiting.values()) answer(unknown)
    waiting.clear()
  }
  /** One that answers nobody any more is stuck in a message; what waits for it would wait in vain. */
  const giveUp = (resolve: (verdict: SenderVerdict) => void): void => {
    resolve(unknown)
    if (worker === null || performance.now() - answered < patience) return
    void worker.terminate()
    lose(worker)
  }
  const hire = (): Worker => {
    answered = performance.now()
    const hired = new Worker(file, { workerData: settings })
    hired.unref()
    hired.on('message', ({ id, verdict }: CheckAnswer) => {
      answered = performance.now()
      waiting.get(id)?.(verdict)
    })
    hired.on('error', () => lose(hired))
    hired.on('exit', () => lose(hired))
    return hired
  }

  return {
    async check({ raw, sender, clientAddress, helo }) {
      if (isClosed) return unknown
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<SenderVerdict>()
      const timer = setTimeout(() => giveUp(resolve), patience)
      waiting.set(id, resolve)
      const copy = new Uint8Array(raw)
      worker ??= hire()
      worker.postMessage({ id, raw: copy, sender, clientAddress, helo } satisfies CheckRequest, [copy.buffer])
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await worker?.terminate()
    },
  }
}
