import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail.ts'
import { defaultLimits, type MailLimits } from './limits.ts'
import type { ParseRequest, ParseResult, ParseWorkerData, WorkerAnswer } from './parse-worker.ts'

export interface ParsePool extends AsyncDisposable {
  /** Copies what it sends: `raw` stays whole and is what the result holds. */
  parse(raw: Uint8Array): Promise<ParsedMail>
}

export interface ParsePoolOptions {
  /** Workers at most; the second and further ones start when there has been too much for the others for a while. */
  size?: number
  limits?: MailLimits
  /** By the clock, not the processor: more than parsing ever needs, so that a busy machine loses no text. */
  timeLimitMs?: number
  /** The first worker loads its code while the caller does something else; otherwise with the first message. */
  atOnce?: boolean
  /** Another worker to run, as tests do that need one to hang. */
  workerUrl?: URL
}

interface Job {
  raw: Uint8Array
  resolve: (mail: ParsedMail | Promise<ParsedMail>) => void
  reject: (error: Error) => void
}

/** Run from source, or compiled beside this file. */
const ownWorker = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url)

/** Of each worker, the messages themselves aside. */
const mostHeapMb = 512

/** What is waiting goes to a worker together: for small messages the journey would cost as much as the work. */
const mostJobsTogether = 64
const mostBytesTogether = 256 * 1024
/** Groups a worker has at hand, so that it need not wait for the next one. */
const groupsAhead = 2
/** Answers in a row that found more waiting, before another worker is hired: it costs 50 MB and half a second. */
const answersBeforeHiring = 6

/** Workers in a row that may end before their code is loaded. */
const mostFailedStarts = 3

/** Parses off the calling thread. A message that hangs or kills its worker comes back as unparsable, kept whole. */
export function openParsePool(options: ParsePoolOptions = {}): ParsePool {
  const { size = availableParallelism(), atOnce = false, ...given } = options
  const settings: SeatSettings = {
    limits: defaultLimits,
    timeLimitMs: 10_000,
    workerUrl: ownWorker,
    ...given,
  }
  const waiting: Job[] = []
  const seats: Seat[] = []
  let isClosed = false
  let busyAnswers = 0
  const addSeat = (): void => {
    const seat = new Seat(waiting, settings, hireIfBusy)
    seats.push(seat)
    seat.open()
  }
  const hireIfBusy = (): void => {
    busyAnswers = waiting.length === 0 ? 0 : busyAnswers + 1
    if (busyAnswers < answersBeforeHiring || seats.length >= size || isClosed) return
    busyAnswers = 0
    addSeat()
  }
  if (atOnce) addSeat()
  return {
    parse(raw) {
      if (isClosed) return Promise.reject(closedError())
      const { promise, resolve, reject } = Promise.withResolvers<ParsedMail>()
      // A caller that gave up before it awaited this one must not end the process.
      promise.catch(() => undefined)
      waiting.push({ raw, resolve, reject })
      if (seats.length === 0) addSeat()
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

/** What can be read without its parts. Loaded only then: this thread has no other need of a parser. */
async function readRest(raw: Uint8Array, limits: MailLimits): Promise<ParsedMail> {
  const { unparsableMail } = await import('./parse.ts')
  return unparsableMail(raw, limits)
}

/** Not `unparsable`: a message whose turn never came must not be stored as if it were broken. */
const closedError = () => new Error('The parse pool is closed.')

const startError = () => new Error('The threads that read mail cannot be started.')

type SeatSettings = Required<Omit<ParsePoolOptions, 'size' | 'atOnce'>>

/** A place for one worker at a time; a new worker takes it when the old one is gone. */
class Seat {
  readonly #waiting: Job[]
  readonly #settings: SeatSettings
  readonly #onAnswer: () => void
  /** What the worker has, in the order in which it answers. */
  readonly #jobs: Job[] = []
  /** How many jobs of each group it has not answered yet. */
  readonly #groups: number[] = []
  /** What a worker had when it died: each is tried alone, as its last answers may have died with it. */
  readonly #suspects: Job[] = []
  #worker: Worker | null = null
  /** Loading its code is not the fault of the first message. */
  #isReady = false
  #failedStarts = 0
  #timer: NodeJS.Timeout | undefined

  constructor(waiting: Job[], settings: SeatSettings, onAnswer: () => void) {
    this.#waiting = waiting
    this.#settings = settings
    this.#onAnswer = onAnswer
  }

  get load(): number {
    return this.#jobs.length + this.#suspects.length
  }

  open(): void {
    this.#worker = this.#hire()
    this.takeJobs()
    // An idle worker must not keep the process alive.
    if (this.load === 0) this.#worker.unref()
  }

  takeJobs(): void {
    while (this.#groups.length < (this.#suspects.length > 0 ? 1 : groupsAhead)) {
      const group = this.#nextGroup()
      if (group.length === 0) break
      const isFirst = this.#jobs.length === 0
      this.#jobs.push(...group)
      this.#groups.push(group.length)
      this.#send(group)
      if (isFirst) this.#startTimer()
    }
  }

  #nextGroup(): Job[] {
    const suspect = this.#suspects.shift()
    if (suspect) return [suspect]
    const group: Job[] = []
    let bytes = 0
    while (group.length < mostJobsTogether) {
      const next = this.#waiting[0]
      if (!next || (group.length > 0 && bytes + next.raw.byteLength > mostBytesTogether)) break
      group.push(next)
      bytes += next.raw.byteLength
      this.#waiting.shift()
    }
    return group
  }

  async close(): Promise<void> {
    const worker = this.#leaveWorker()
    this.#groups.length = 0
    for (const { reject } of [...this.#jobs.splice(0), ...this.#suspects.splice(0)]) reject(closedError())
    await worker?.terminate()
  }

  #send(group: readonly Job[]): void {
    const bytes = new Uint8Array(group.reduce((sum, { raw }) => sum + raw.byteLength, 0))
    const ends: number[] = []
    let end = 0
    for (const { raw } of group) {
      bytes.set(raw, end)
      end += raw.byteLength
      ends.push(end)
    }
    this.#worker ??= this.#hire()
    this.#worker.postMessage({ bytes, ends } satisfies ParseRequest, [bytes.buffer])
  }

  #hire(): Worker {
    const { workerUrl, limits } = this.#settings
    const codeFolder = getCompileCacheDir()
    const worker = new Worker(workerUrl, {
      // What it names is the folder of this version of Node inside the one that was given.
      workerData: { limits, codeFolder: codeFolder ? dirname(codeFolder) : null } satisfies ParseWorkerData,
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
    this.#failedStarts = 0
    this.#startTimer()
  }

  #finish(results: readonly ParseResult[]): void {
    const jobs = this.#jobs.splice(0, results.length)
    if (this.#groups[0] === results.length) this.#groups.shift()
    else this.#groups[0]! -= results.length
    this.#startTimer()
    // The worker is not kept waiting while these are dealt with.
    this.takeJobs()
    this.#onAnswer()
    for (const [index, { raw, resolve }] of jobs.entries()) resolve({ raw, ...results[index]! })
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
    const hadBegun = this.#isReady
    this.#leaveWorker()
    void worker.terminate()
    const jobs = this.#jobs.splice(0)
    this.#groups.length = 0
    if (!hadBegun) return this.#startAgain(jobs)
    const [job] = jobs
    if (job !== undefined && jobs.length === 1) job.resolve(readRest(job.raw, this.#settings.limits))
    else this.#suspects.unshift(...jobs)
    this.takeJobs()
  }

  /** That code cannot be loaded is no message's fault: it is tried again, and then whoever asked is told. */
  #startAgain(jobs: readonly Job[]): void {
    this.#suspects.unshift(...jobs)
    this.#failedStarts++
    if (this.#failedStarts < mostFailedStarts) {
      this.#timer = setTimeout(() => this.takeJobs(), 200 * this.#failedStarts)
      return
    }
    this.#failedStarts = 0
    for (const { reject } of [...this.#suspects.splice(0), ...this.#waiting.splice(0)]) reject(startError())
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
