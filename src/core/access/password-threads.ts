import type { Argon2Parameters } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** An idle thread ends after this time. */
const idleMilliseconds = 30_000

const ownWorker = new URL(`./password-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Derives each password in a thread of its own. Node's asynchronous argon2 would use the pool in which answers are
 * compressed, so that every answer would wait for the derivations before it.
 */
export class PasswordThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>()

  async derive(parameters: Argon2Parameters): Promise<Buffer> {
    const worker = this.#takeIdle() ?? this.#hire()
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const fail = (error: unknown): void =>
      reject(error instanceof Error ? error : new Error('The thread that derives passwords has ended.'))
    worker.once('message', resolve).once('error', fail).once('exit', fail)
    try {
      worker.postMessage(parameters)
      const derived = await promise
      worker.unref()
      const dismiss = (): void => void worker.terminate()
      this.#idle.set(worker, setTimeout(dismiss, idleMilliseconds).unref())
      return Buffer.from(derived)
    } finally {
      worker.off('message', resolve).off('error', fail).off('exit', fail)
    }
  }

  #takeIdle(): Worker | null {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(worker)
      return worker
    }
    return null
  }

  #hire(): Worker {
    const worker = new Worker(ownWorker)
    // While it is idle, nothing else listens.
    worker.on('error', () => undefined)
    worker.once('exit', () => this.#idle.delete(worker))
    return worker
  }
}
