import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileText } from '../../model/files/file-text.ts'
import type { FileAnswer, FileRequest } from './file-worker.ts'

/**
 * Limits per file: CPU time, memory of its thread, and wall-clock time in case of faults. They are only checked at
 * intervals, and other threads collect the garbage: with these values the total stays within 2 s and 150 MB.
 */
const limits = { cpuMilliseconds: 900, bytes: 130_000_000, milliseconds: 60_000 }
const lookMilliseconds = 50
/** A larger file is not read: the file and its text would exceed the memory limit. */
const largestFile = 30_000_000
/** What a thread holds of earlier files, and the next one three times: above this it gets a new thread. */
const mostReused = 90_000_000
/** An idle thread ends after this time: it holds libraries that are rarely needed. */
const idleMilliseconds = 30_000

const ownWorker = new URL(`./file-worker${extname(import.meta.url)}`, import.meta.url)

const tooMuch: FileText = { kind: 'other', text: null, note: 'This file takes too much work to read.' }

/** Reads attachments in a separate thread, one at a time. If a file exceeds the limits, its thread is terminated. */
export class FileReader implements AsyncDisposable {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #hire: () => Promise<Worker>

  constructor(hire = hireWorker) {
    this.#hire = hire
  }

  read(bytes: Uint8Array, contentType: string, filename = ''): Promise<FileText> {
    if (bytes.byteLength > largestFile) return Promise.resolve(tooMuch)
    const read = this.#last.then(() => this.#readNext({ bytes, contentType, filename }))
    this.#last = read.catch(() => undefined)
    return read
  }

  async #readNext(request: FileRequest): Promise<FileText> {
    clearTimeout(this.#idle)
    if (this.#worker && (await isCrowded(this.#worker, request))) await this.#dismiss()
    const worker = (this.#worker ??= await this.#start())
    worker.ref()
    const answer = await this.#ask(worker, request)
    if (answer === null) await this.#dismiss()
    else {
      worker.unref()
      this.#idle = setTimeout(() => void this.#dismiss(), idleMilliseconds).unref()
    }
    return answer ?? tooMuch
  }

  async #start(): Promise<Worker> {
    const worker = await this.#hire()
    // One that dies between two files is replaced.
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    return worker
  }

  /** Null if the file exceeded the limits or its thread died. */
  async #ask(worker: Worker, request: FileRequest): Promise<FileText | null> {
    const { promise, resolve } = Promise.withResolvers<FileText | null>()
    const fail = (): void => resolve(null)
    worker.once('message', resolve).once('error', fail).once('exit', fail)
    const before = await spentBy(worker).catch(() => 0)
    const copy = new Uint8Array(request.bytes)
    worker.postMessage({ ...request, bytes: copy } satisfies FileRequest, [copy.buffer])
    const begun = performance.now()
    let isLooking = false
    const look = async (): Promise<void> => {
      if (isLooking) return
      isLooking = true
      const [spent, held] = await Promise.all([spentBy(worker), heldBy(worker)]).catch(() => [0, 0])
      isLooking = false
      const isOver = performance.now() - begun > limits.milliseconds
      if (isOver || spent! - before > limits.cpuMilliseconds || held! > limits.bytes) fail()
    }
    const timer = setInterval(() => void look(), lookMilliseconds)
    try {
      return await promise
    } finally {
      clearInterval(timer)
      worker.removeListener('message', resolve).removeListener('error', fail).removeListener('exit', fail)
    }
  }

  async #dismiss(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    clearTimeout(this.#idle)
    await worker?.terminate()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dismiss()
  }
}

export async function hireWorker(): Promise<Worker> {
  const worker = new Worker(ownWorker, {
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    // Output that a library prints about a file does not belong in the log.
    stdout: true,
    stderr: true,
  })
  // `#ask` handles errors while a file is read; between two files nothing else listens for them.
  worker.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    worker.once('message', (answer: FileAnswer) => answer === 'ready' && resolve())
    worker.once('error', reject)
  })
  return worker
}

async function spentBy(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}

async function heldBy(worker: Worker): Promise<number> {
  const { used_heap_size: heap, external_memory: outside } = await worker.getHeapStatistics()
  return heap + outside
}

/** Whether garbage of earlier files, which nothing has collected yet, could make this one exceed the memory limit. */
async function isCrowded(worker: Worker, { bytes }: FileRequest): Promise<boolean> {
  worker.ref()
  const held = await heldBy(worker).catch(() => mostReused)
  return held + 3 * bytes.byteLength > mostReused
}
