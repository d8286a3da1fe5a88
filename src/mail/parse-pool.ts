import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail.ts'
import { defaultLimits, type MailLimits } from './limits.ts'
import { unparsableMail } from './parse.ts'
import type { ParseResult, WorkerAnswer } from './parse-worker.ts'

export interface ParsePool extends AsyncDisposable {
  /** Copies what it sends: `raw` stays whole and is what the result holds. */
  parse(raw: Uint8Array): Promise<ParsedMail>
}

export interface ParsePoolOptions {
  size?: number
  limits?: MailLimits
  /** By the clock, not the processor: more than parsing ever needs, so that a busy machine loses no text. */
  timeLimitMs?: number
  /** Another worker to run, as tests do that need one to hang. */
  workerUrl?: URL
}

interface Job {
  raw: Uint8Array
  resolve: (mail: ParsedMail) => void
  reject: (error: Error) => void
}

/** Run from source, or compiled beside this file. */
const ownWorker = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url)

/** Of each worker, the messages themselves aside. */
const mostHeapMb = 512

/** Messages a worker has at hand, so that it need not wait for the next one. */
const jobsAhead = 4

/** Parses off the calling thread. A message that hangs or kills its worker comes back as unparsable, kept whole. */
export function openParsePool(options: ParsePoolOptions = {}): ParsePool {
  const { size = availableParallelism(), ...given } = options
  const settings: SeatSettings = {
    limits: defaultLimits,
    timeLimitMs: 10_000,
    workerUrl: ownWorker,
    ...given,
  }
  const waiting: Job[] = []
  const seats = Array.from({ length: size }, () => new Seat(waiting, settings))
  let isClosed = false
  return {
    parse(raw) {
      if (isClosed) return Promise.reject(closedError())
      const { promise, resolve, reject } = Promise.withResolvers<ParsedMail>()
      // A caller that gave up before it awaited this one must not end the process.
      promise.catch(() => undefined)
      waiting.push({ raw, resolve, reject })
      const freest = seats.reduce((best, seat) => (seat.load < best.load ? seat : best))
      freest.takeJobs()
      return promise
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all(seats.map((seat) => seat.close()))
      for (const { reject } of waiting.splice(0)) reject(closedError())
    },
  }
}

/** Not `unparsable`: a message whose turn never came must not be stored as if it were broken. */
const closedError = () => new Error('The parse pool is closed.')

type SeatSettings = Required<Omit<ParsePoolOptions, 'size'>>

/** A place for one worker at a time; a new worker takes it when the old one is gone. */
class Seat {
  readonly #waiting: Job[]
  readonly #settings: SeatSettings
  /** What the worker has, in the order in which it answers. */
  readonly #jobs: Job[] = []
  /** What a worker had when it died: each is tried alone, as its last answers may have died with it. */
  readonly #suspects: Job[] = []
  #worker: Worker | null = null
  /** Loading its code is not the fault of the first message. */
  #isReady = false
  #timer: NodeJS.Timeout | undefined

  constructor(waiting: Job[], settings: SeatSettings) {
    this.#waiting = waiting
    this.#settings = settings
  }

  get load(): number {
    return this.#jobs.length + this.#suspects.length
  }

  takeJobs(): void {
    const most = this.#suspects.length > 0 ? 1 : jobsAhead
    while (this.#jobs.length < most) {
      const job = this.#suspects.shift() ?? this.#waiting.shift()
      if (job === undefined) break
      this.#jobs.push(job)
      this.#send(job)
      if (this.#jobs.length === 1) this.#startTimer()
    }
  }

  async close(): Promise<void> {
    const worker = this.#leaveWorker()
    for (const { reject } of [...this.#jobs.splice(0), ...this.#suspects.splice(0)]) reject(closedError())
    await worker?.terminate()
  }

  #send({ raw }: Job): void {
    const copy = new Uint8Array(raw)
    this.#worker ??= this.#hire()
    this.#worker.postMessage(copy, [copy.buffer])
  }

  #hire(): Worker {
    const { workerUrl, limits } = this.#settings
    const worker = new Worker(workerUrl, {
      workerData: { limits },
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (answer: WorkerAnswer) =>
      answer === 'ready' ? this.#makeReady() : this.#finish(answer),
    )
    worker.on('messageerror', () => this.#giveUp(worker))
    worker.on('error', () => this.#giveUp(worker))
    worker.on('exit', () => this.#giveUp(worker))
    return worker
  }

  #makeReady(): void {
    this.#isReady = true
    this.#startTimer()
  }

  #finish(result: ParseResult): void {
    const job = this.#jobs.shift()
    this.#startTimer()
    if (job !== undefined) job.resolve({ raw: job.raw, ...result })
    this.takeJobs()
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    // An idle worker must not keep the process alive, one that is at work must.
    if (this.#jobs.length === 0) this.#worker?.unref()
    else this.#worker?.ref()
    if (this.#jobs.length === 0 || !this.#isReady) return
    const [job] = this.#jobs
    // If this thread was busy, the answer may lie unread: it is read before the verdict.
    const judge = () =>
      setImmediate(() => this.#worker !== null && this.#jobs[0] === job && this.#giveUp(this.#worker))
    this.#timer = setTimeout(judge, this.#settings.timeLimitMs)
  }

  #giveUp(worker: Worker): void {
    if (worker !== this.#worker) return
    this.#leaveWorker()
    void worker.terminate()
    const jobs = this.#jobs.splice(0)
    const [job] = jobs
    if (job !== undefined && jobs.length === 1) job.resolve(unparsableMail(job.raw, this.#settings.limits))
    else this.#suspects.unshift(...jobs)
    this.takeJobs()
  }

  #leaveWorker(): Worker | null {
    const worker = this.#worker
    clearTimeout(this.#timer)
    this.#worker = null
    this.#isReady = false
    worker?.removeAllListeners()
    worker?.on('error', () => undefined)
    return worker
  }
}
