import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { broken } from '../support/must-hold.ts'
import type { Group } from './groups.ts'

/** How one test file ended. */
export interface FileResult {
  file: string
  passed: boolean
  tests: number
  skipped: number
  seconds: number
  /** What failed in it. */
  failures: string[]
  /** Something was lost, doubled, sent, seen or let through. */
  isUnforgivable: boolean
}

/** Collects how each file of some groups ends, while their events pass through. */
export class Results {
  readonly byFile = new Map<string, FileResult>()
  readonly #groups: readonly Group[]
  /** Groups whose process ended in order. */
  readonly #sound = new Set<string>()
  /** What the current suite has reported so far: events of one file come together. */
  #current = empty('')

  constructor(groups: readonly Group[]) {
    this.#groups = groups
  }

  async *watch(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      if (event.type === 'test:pass' || event.type === 'test:fail') this.#note(event.data, event.type)
      if (event.type === 'test:summary' && event.data.file && event.data.success)
        this.#sound.add(event.data.file)
      // Each lane would say its own; the whole run's are printed once, at its end.
      if (event.type !== 'test:summary' && event.type !== 'test:diagnostic') yield event
    }
    for (const group of this.#groups) this.#judge(group)
  }

  #note(data: EventData.TestPass | EventData.TestFail, type: 'test:pass' | 'test:fail'): void {
    const { details, name, nesting } = data
    const failed = type === 'test:fail'
    const error = failed ? (details as EventData.TestFail['details']).error : null
    if (nesting === 0 && this.#groups.some(({ files }) => files.includes(name))) {
      const failures = this.#current.failures
      if (error && failures.length === 0) failures.push(inspect(error.cause ?? error))
      const seconds = details.duration_ms / 1000
      this.byFile.set(name, { ...this.#current, file: name, passed: !failed, seconds })
      this.#current = empty('')
      return
    }
    if (details.type === 'suite') return
    this.#current.tests++
    if (data.skip !== undefined) this.#current.skipped++
    if (!error) return
    const text = inspect(error.cause ?? error)
    this.#current.failures.push(`${name}\n${text}`)
    if (text.includes(broken)) this.#current.isUnforgivable = true
  }

  /** A file that reported nothing, or no test, has failed; so have all files of a process that ended badly without a failed test. */
  #judge({ path, files }: Group): void {
    for (const file of files) {
      const result = this.byFile.get(file) ?? empty(file)
      this.byFile.set(file, result)
      if (result.tests > 0 || !result.passed) continue
      Object.assign(result, { passed: false, failures: ['It holds no test, or its process ended before.'] })
    }
    const results = files.map((file) => this.byFile.get(file)!)
    if (this.#sound.has(path) || results.some(({ passed }) => !passed)) return
    for (const result of results)
      Object.assign(result, { passed: false, failures: ['Its process ended with an error after the tests.'] })
  }
}

function empty(file: string): FileResult {
  return { file, passed: true, tests: 0, skipped: 0, seconds: 0, failures: [], isUnforgivable: false }
}
