import type { TestEvent } from 'node:test/reporters'
import { fileOf } from './test-files.ts'

/** Sums up a test run: passes its events through and reports durations before node's own summary lines. */
export class Tally {
  tests = 0
  failed = false
  readonly #started: number
  readonly #seconds = new Map<string, number>()
  /** Files that share a process are suites in it. Whether the current one has reported a test. */
  #inSuite = false

  constructor(started: number) {
    this.#started = started
  }

  async *watch(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      if (event.type === 'test:summary') this.#sum(event.data)
      if (event.type === 'test:pass' || event.type === 'test:fail') this.#look(event.data)
      if (event.type === 'test:diagnostic' && /^tests \d+$/.test(event.data.message))
        for (const message of this.#times()) yield { ...event, data: { ...event.data, message } }
      yield event
    }
  }

  #sum(data: {
    file: string | undefined
    counts: { tests: number }
    success: boolean
    duration_ms: number
  }): void {
    const file = fileOf(data.file)
    if (file !== null) this.#seconds.set(file, data.duration_ms / 1000)
    if (data.file !== undefined) return
    this.tests = data.counts.tests
    this.failed ||= !data.success
  }

  #look(data: {
    name: string
    nesting: number
    details: { duration_ms: number; type?: string | undefined }
    file?: string | undefined
  }): void {
    if (data.nesting > 0) {
      this.#inSuite = true
      return
    }
    const hadTests = this.#inSuite
    this.#inSuite = false
    const file = fileOf(data.name)
    if (file === null) return
    const isSuite = data.details.type === 'suite'
    if (isSuite) this.#seconds.set(file, data.details.duration_ms / 1000)
    // Node reports a file without tests as one passing test with the file's name.
    const isEmpty = isSuite ? !hadTests : fileOf(data.file) === file
    if (!isEmpty) return
    this.failed = true
    console.error(`${file} holds no test.`)
  }

  *#times(): Generator<string> {
    const slowest = [...this.#seconds].sort(([, a], [, b]) => b - a).slice(0, 15)
    if (this.#seconds.size > 15)
      for (const [file, seconds] of slowest) yield `${seconds.toFixed(1).padStart(6)} s ${file}`
    yield `${((performance.now() - this.#started) / 1000).toFixed(1)} s with starting the parts`
  }
}
