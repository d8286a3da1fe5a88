import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Observer } from '../../src/http/observer.ts'
import { StoreUnavailable } from '../../src/model/errors.ts'

function logged(error: unknown): Record<string, unknown> {
  const lines: string[] = []
  new Observer(pino({}, { write: (line) => void lines.push(line) })).fault('req_1', error)
  return JSON.parse(lines[0]!) as Record<string, unknown>
}

function catchFrom(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a fault is logged with its place, but without words of the mail that brought it about', () => {
  const line = logged(catchFrom(() => JSON.parse('{"subject": Kanarienvogel}')))
  assert.ok(!JSON.stringify(line).includes('Kanarien'))
  assert.match(String(line['stack']), /^SyntaxError: .*\n +at .*log\.test\.ts/s)
  assert.equal(line['requestId'], 'req_1')
})

test('a store out of reach is logged with the reason', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const line = logged(new StoreUnavailable(undefined, { cause }))
  assert.equal(line['code'], 'store_unavailable')
  assert.equal(line['cause'], 'ECONNREFUSED')
})
