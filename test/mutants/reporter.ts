import type { TestEvent } from 'node:test/reporters'

export const mark = '#mutants '

/** What a test said when it ended. */
export interface Report {
  name: string
  passed: boolean
  /** Name and message of what it failed with. */
  error: string | null
}

/** A line for each test that ended: `node --test-reporter` of the test files that are run on an edited tree. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (type === 'test:pass' && (data.skip !== undefined || data.details.type === 'suite')) continue
    const passed = type === 'test:pass'
    const ended: Report = { name: data.name, passed, error: passed ? null : describe(data.details.error) }
    yield `\n${mark}${JSON.stringify(ended)}\n`
  }
}

function describe(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error
  return `${cause.name}: ${cause.message.split('\n')[0]}`
}
