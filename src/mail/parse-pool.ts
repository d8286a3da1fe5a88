import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ParsedMail } from '../model/mail/mail.ts'
import { defaultLimits, type MailLimits } from './limits.ts'
import type { Outcome, ParseRequest, ParseWorkerData, WorkerAnswer } from './parse-worker.ts'

export interface MailReader {
  /** Sends a copy to the worker: `raw` stays intact and is part of the result. */
  parse(raw: Uint8Array, when?: When): Promise<ParsedMail>
}

export type ParsePool = MailReader & AsyncDisposable

/** `later`: only while nothing else is queued. */
export type When = 'now' | 'later'

export interface ParsePoolOptions {
  /**
   * Workers for ordinary mail; all but the first start when mail has been queueing for a while. By default one for each
   * core except the caller's: with two cores a second one makes an import a tenth slower. Heavy mail may add one.
   */
  size?: number
  limits?: MailLimits
  /**
   * Wall-clock time, not CPU time: more than parsing ever needs, so that a busy machine loses no text. The steps in
   * `limits` bound the work; this timeout is for faults.
   */
  timeLimitMs?: number
  /** Starts the first worker at once, so that it loads its code in the background; otherwise with the first message. */
  atOnce?: boolean
  /** Another worker file to run, for tests that need a worker that hangs. */
  workerUrl?: URL
}

interface Job {
  raw: Uint8Array
  resolve: (mail: ParsedMail | Promise<ParsedMail>) => void
  reject: (error: Error) => void
}

/**
 * Almost all mail goes through `inLine`, where each message may take few steps. A message that takes more is `heavy`:
 * it is parsed on its own, and never by the first worker, so that ordinary mail does not wait for it.
 */
interface Queues {
  inLine: Job[]
  heavy: Job[]
  later: Job[]
}

/** Run from source, or compiled beside this file. */
const ownWorker = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url)

/** Heap limit of each worker, not counting the messages themselves. */
const mostHeapMb = 512

/** Queued messages go to a worker in groups: for small ones, the transfer would cost as much as the work. */
const mostJobsTogether = 64
const mostBytesTogether = 256 * 1024
/** Even splitting a message of this size into parts takes long. */
const heavyBytes = 8 * 1024 * 1024
/** Groups sent to a worker in advance, so that it does not wait for the next one. */
const groupsAhead = 2
/** Consecutive answers with more mail queued before another worker starts: it costs 50 MB and half a second. */
const answersBeforeHiring = 6

/** Consecutive workers that may exit before their code is loaded. */
const mostFailedStarts = 3

/** Parses in worker threads. A message that hangs or kills its worker is returned as unparsable, with `raw` intact. */
export function openParsePool(options: ParsePoolOptions = {}): ParsePool {
  const { size = availableParallelism() - 1, atOnce = false, ...given } = options
  const settings: SeatSettings = {
    limits: defaultLimits,
    timeLimitMs: 10_000,
    workerUrl: ownWorker,
    ...given,
  }
  const queues: Queues = { inLine: [], heavy: [], later: [] }
  const seats: Seat[] = []
  let isClosed = false
  let busyAnswers = 0
  const addSeat = (): void => {
    const seat = new Seat(queues, settings, { takesHeavy: seats.length > 0, onAnswer })
    seats.push(seat)
    seat.open()
  }
  const onAnswer = (): void => {
    if (isClosed) return
    const isBusy = queues.inLine.length + queues.heavy.length > 0
    busyAnswers = isBusy ? busyAnswers + 1 : 0
    if (queues.heavy.length > 0 && seats.length === 1) addSeat()
    else if (busyAnswers >= answersBeforeHiring && seats.length < size) {
      busyAnswers = 0
      addSeat()
    }
    // Messages that were put aside or handed back may suit another worker.
    if (isBusy) for (const seat of seats) seat.takeJobs()
  }
  if (atOnce) addSeat()
  return {
    parse(raw, when = 'now') {
      if (isClosed) return Promise.reject(closedError())
      const { promise, resolve, reject } = Promise.withResolvers<ParsedMail>()
      // A rejection must not end the process if the caller gave up before awaiting this promise.
      promise.catch(() => undefined)
      const isHeavy = raw.byteLength > heavyBytes
      queues[isHeavy ? 'heavy' : when === 'now' ? 'inLine' : 'later'].push({ raw, resolve, reject })
      while (seats.length < (isHeavy ? 2 : 1)) addSeat()
      for (const seat of seats.toSorted((one, other) => one.load - other.load)) seat.takeJobs()
      return promise
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all(seats.map((seat) => seat.close()))
      for (const queue of Object.values(queues))
        for (const { reject } of (queue as Job[]).splice(0)) reject(closedError())
    },
  }
}

/** Reads what is possible without the parts. The parser is loaded only then: this thread does not need it otherwise. */
async function readRest(raw: Uint8Array, limits: MailLimits): Promise<ParsedMail> {
  const { unparsableMail } = await import('./parse.ts')
  return unparsableMail(raw, limits)
}

/** Not `unparsable`: a message that was never parsed must not be stored as if it were broken. */
const closedError = () => new Error('The parse pool is closed.')

type SeatSettings = Required<Omit<ParsePoolOptions, 'size' | 'atOnce'>>

/** A slot for one worker at a time; a new worker takes it when the old one is gone. */
class Seat {
  readonly #queues: Queues
  readonly #settings: SeatSettings
  readonly #takesHeavy: boolean
  readonly #onAnswer: () => void
  /** Jobs sent to the worker, in the order in which it answers. */
  readonly #jobs: Job[] = []
  /** Number of unanswered jobs in each group. */
  readonly #groups: number[] = []
  /** Whether the current group, or else the last one, is a single heavy message. */
  #isAlone = false
  #worker: Worker | null = null
  /** Messages that the worker has started, as counted by the worker itself, and answered. */
  #begun = new Int32Array(new SharedArrayBuffer(4))
  #answered = 0
  /** Whether the code is loaded; until then no timeout runs, as loading is not the first message's fault. */
  #isReady = false
  #failedStarts = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    queues: Queues,
    settings: SeatSettings,
    { takesHeavy, onAnswer }: { takesHeavy: boolean; onAnswer: () => void },
  ) {
    this.#queues = queues
    this.#settings = settings
    this.#takesHeavy = takesHeavy
    this.#onAnswer = onAnswer
  }

  get load(): number {
    return this.#jobs.length
  }

  open(): void {
    this.#worker = this.#hire()
    this.takeJobs()
    // An idle worker must not keep the process alive.
    if (this.load === 0) this.#worker.unref()
  }

  takeJobs(): void {
    while (this.#groups.length < groupsAhead) {
      const isIdle = this.#groups.length === 0
      if (!isIdle && (this.#isAlone || this.#isHeavyDue())) break
      const isHeavy = this.#isHeavyDue()
      const group = isHeavy ? this.#queues.heavy.splice(0, 1) : this.#nextGroup()
      if (group.length === 0 && isIdle) group.push(...this.#queues.later.splice(0, 1))
      if (group.length === 0) break
      this.#isAlone = isHeavy
      this.#jobs.push(...group)
      this.#groups.push(group.length)
      this.#send(group)
      if (isIdle) this.#startTimer()
    }
  }

  /** Heavy and ordinary messages take turns, so that neither kind waits until the other queue is empty. */
  #isHeavyDue(): boolean {
    const { heavy, inLine } = this.#queues
    return this.#takesHeavy && heavy.length > 0 && (!this.#isAlone || inLine.length === 0)
  }

  #nextGroup(): Job[] {
    const { inLine } = this.#queues
    const group: Job[] = []
    let bytes = 0
    while (group.length < mostJobsTogether) {
      const next = inLine[0]
      if (!next || (group.length > 0 && bytes + next.raw.byteLength > mostBytesTogether)) break
      group.push(next)
      bytes += next.raw.byteLength
      inLine.shift()
    }
    return group
  }

  async close(): Promise<void> {
    const worker = this.#leaveWorker()
    this.#groups.length = 0
    for (const { reject } of this.#jobs.splice(0)) reject(closedError())
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
    const request: ParseRequest = { bytes, ends, inLine: !this.#isAlone }
    this.#worker.postMessage(request, [bytes.buffer])
  }

  #hire(): Worker {
    const { workerUrl, limits } = this.#settings
    const codeFolder = getCompileCacheDir()
    this.#begun = new Int32Array(new SharedArrayBuffer(4))
    this.#answered = 0
    const worker = new Worker(workerUrl, {
      // Node returns the subfolder for its own version; the worker needs the folder that contains it.
      workerData: {
        limits,
        codeFolder: codeFolder ? dirname(codeFolder) : null,
        begun: this.#begun,
      } satisfies ParseWorkerData,
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

  #finish(outcomes: readonly Outcome[]): void {
    const jobs = this.#jobs.splice(0, outcomes.length)
    this.#answered += outcomes.length
    if (this.#groups[0] === outcomes.length) this.#groups.shift()
    else this.#groups[0]! -= outcomes.length
    const unread = jobs.filter((_, index) => outcomes[index] === 'unread')
    this.#queues.inLine.unshift(...unread)
    this.#queues.heavy.push(...jobs.filter((_, index) => outcomes[index] === 'heavy'))
    this.#startTimer()
    // Done first, so that the worker does not wait while these results are handled.
    this.takeJobs()
    this.#onAnswer()
    for (const [index, { raw, resolve }] of jobs.entries()) {
      const outcome = outcomes[index]!
      if (typeof outcome !== 'string') resolve({ raw, ...outcome })
    }
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    // An idle worker must not keep the process alive; a busy one must.
    if (this.#jobs.length === 0) this.#worker?.unref()
    else this.#worker?.ref()
    if (this.#jobs.length === 0 || !this.#isReady) return
    const [job] = this.#jobs
    // If this thread was busy, the answer may not have been read yet: it is read before the verdict.
    const judge = () =>
      setImmediate(() => this.#worker !== null && this.#jobs[0] === job && this.#giveUp(this.#worker))
    this.#timer = setTimeout(judge, this.#settings.timeLimitMs)
  }

  #giveUp(worker: Worker): void {
    if (worker !== this.#worker) return
    const hadBegun = this.#isReady
    const place = Atomics.load(this.#begun, 0) - 1 - this.#answered
    this.#leaveWorker()
    void worker.terminate()
    const jobs = this.#jobs.splice(0)
    this.#groups.length = 0
    if (!hadBegun) return this.#startAgain(jobs)
    // The message it started last is parsed again on its own, to find out if it is at fault; the others are requeued.
    const [guilty] = jobs.splice(place > 0 && place < jobs.length ? place : 0, 1)
    if (guilty && this.#isAlone) guilty.resolve(readRest(guilty.raw, this.#settings.limits))
    else if (guilty) this.#queues.heavy.push(guilty)
    this.#queues.inLine.unshift(...jobs)
    this.takeJobs()
    this.#onAnswer()
  }

  /** Code that cannot be loaded is no message's fault: retries, and finally rejects everything that is queued. */
  #startAgain(jobs: readonly Job[]): void {
    const { inLine, heavy, later } = this.#queues
    if (this.#isAlone) heavy.unshift(...jobs)
    else inLine.unshift(...jobs)
    this.#failedStarts++
    if (this.#failedStarts < mostFailedStarts) {
      this.#timer = setTimeout(() => this.takeJobs(), 200 * this.#failedStarts)
      return
    }
    this.#failedStarts = 0
    for (const { reject } of [...inLine.splice(0), ...heavy.splice(0), ...later.splice(0)])
      reject(new Error('The threads that read mail cannot be started.'))
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
