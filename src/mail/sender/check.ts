import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unchecked, type SenderVerdict } from './verdict.ts'

/** The mail, and the details of its delivery that the checks need. */
export interface Checked {
  raw: Uint8Array
  sender: string
  clientAddress: string
  helo: string
}

export interface SenderCheck extends AsyncDisposable {
  /** SPF, DKIM and DMARC. Never rejects: a check that does not finish in time is `temperror`. */
  check(mail: Checked): Promise<SenderVerdict>
}

export interface CheckRequest extends Checked {
  id: number
}

/** Asks whether the thread still responds. */
export type Probe = 'there?'

export interface CheckAnswer {
  id: number
  verdict: SenderVerdict
}

export interface SenderCheckSettings {
  /** Null: the machine's own. */
  nameServers: string[] | null
}

const timeout = 8_000
const probeTimeout = 1_000

const ownWorker = new URL(`./check-worker${extname(import.meta.url)}`, import.meta.url)

/** In a separate thread (tests pass one that hangs): hashing and checking would delay all other requests. */
export function openSenderCheck(settings: SenderCheckSettings, file = ownWorker): SenderCheck {
  const waiting = new Map<number, (verdict: SenderVerdict) => void>()
  let worker: Worker | null = null
  let last = 0
  let heard = 0
  let isClosed = false

  const lose = (lost: Worker): void => {
    if (lost !== worker) return
    worker = null
    for (const answer of waiting.values()) answer(unchecked)
    waiting.clear()
  }
  /** A slow name server is waited for; a thread that does not even answer this probe is stuck in a message. */
  const probe = (asked: Worker): void => {
    const before = heard
    asked.postMessage('there?' satisfies Probe)
    const judge = (): void => {
      if (heard !== before || asked !== worker) return
      lose(asked)
      void asked.terminate()
    }
    setTimeout(judge, probeTimeout).unref()
  }
  const hire = (): Worker => {
    // The limit also makes V8 collect earlier: without it, the heap grows to three times its size first.
    const hired = new Worker(file, { workerData: settings, resourceLimits: { maxOldGenerationSizeMb: 128 } })
    hired.unref()
    hired.on('message', (answer: CheckAnswer | 'here') => {
      heard++
      if (answer !== 'here') waiting.get(answer.id)?.(answer.verdict)
    })
    hired.on('error', () => lose(hired))
    hired.on('exit', () => lose(hired))
    return hired
  }

  return {
    async check({ raw, sender, clientAddress, helo }) {
      if (isClosed) return unchecked
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<SenderVerdict>()
      waiting.set(id, resolve)
      const copy = new Uint8Array(raw)
      const asked = (worker ??= hire())
      asked.postMessage({ id, raw: copy, sender, clientAddress, helo } satisfies CheckRequest, [copy.buffer])
      const timer = setTimeout(() => {
        resolve(unchecked)
        if (asked === worker) probe(asked)
      }, timeout)
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
