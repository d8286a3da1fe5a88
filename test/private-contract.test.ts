import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLiveEvent, checkPrivateAnswer } from './support/contract.ts'

const contentType = 'application/json; charset=utf-8'

function check(method: string, path: string, value: unknown, status = 200): void {
  checkPrivateAnswer(method, `http://localhost/app/api${path}`, {
    status,
    contentType,
    text: JSON.stringify(value),
  })
}

const ada = { id: 'usr_1', email: 'ada@shop.example', name: 'Ada', role: 'admin', inboxes: [] }

test('an answer that is what page and server agreed on passes', () => {
  check('GET', '/people', { data: [ada] })
  check('POST', '/threads/bulk', { done: ['thr_1'], failed: [], receipt: null })
  check('GET', '/people', { statusCode: 404, message: 'No.', code: 'not_found', requestId: 'req_1' }, 404)
  checkLiveEvent('ready', { seq: 1 })
})

const broken: [what: string, run: () => void][] = [
  ['a field that nobody declared', () => check('GET', '/people', { data: [{ ...ada, password: 'x' }] })],
  ['a field that is missing', () => check('GET', '/people', { data: [{ ...ada, role: undefined }] })],
  ['a field of another kind', () => check('GET', '/people', { data: [{ ...ada, name: 1 }] })],
  ['a time that is none', () => check('GET', '/agents/tok_1/first-call', { calledAt: 'now', tool: null })],
  ['the answer of another route', () => check('POST', '/threads/bulk', { data: [ada] })],
  ['a route that is in no contract', () => check('GET', '/nothing', {})],
  ['a method that is in no contract', () => check('DELETE', '/people', { data: [] })],
  ['a refusal of another shape', () => check('GET', '/people', { message: 'No.' }, 404)],
  ['an undeclared detail', () => check('GET', '/people', { ...refusal, details: { secret: 1 } }, 409)],
  ['a live event that nobody declared', () => checkLiveEvent('gossip', {})],
  ['a live event with a field more', () => checkLiveEvent('ready', { seq: 1, more: true })],
]
const refusal = { statusCode: 409, message: 'No.', code: 'conflict', requestId: 'req_1' }

for (const [what, run] of broken)
  test(`fails on ${what}`, () => assert.throws(run, { name: 'AssertionError' }))
