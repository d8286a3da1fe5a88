import assert from 'node:assert/strict'
import { test } from 'node:test'
import { futureTime } from '../../web/src/page/times.ts'
import { readFutureTime, suggestTimes } from '../../web/src/threads/snooze.ts'

/** A Wednesday, half past two in the afternoon. */
const now = new Date(2026, 10, 18, 14, 30)

/** As a local time, so that the test's time zone does not matter. */
function read(said: string): string | null {
  const at = readFutureTime(said, now)
  if (!at) return null
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

const understood: Record<string, string> = {
  'in 3 hours': '2026-11-18 17:30',
  '20 min': '2026-11-18 14:50',
  '30m': '2026-11-18 15:00',
  'an hour': '2026-11-18 15:30',
  'in two days': '2026-11-20 09:00',
  'in a week': '2026-11-25 09:00',
  'in a month': '2026-12-18 09:00',
  tomorrow: '2026-11-19 09:00',
  'Tomorrow  at 10:30': '2026-11-19 10:30',
  'tomorrow 7pm': '2026-11-19 19:00',
  tonight: '2026-11-18 18:00',
  'this evening': '2026-11-18 18:00',
  'today 16.15': '2026-11-18 16:15',
  '9:00': '2026-11-19 09:00',
  '16': '2026-11-18 16:00',
  'at 12 am': '2026-11-19 00:00',
  friday: '2026-11-20 09:00',
  'on fri 8:00': '2026-11-20 08:00',
  wednesday: '2026-11-25 09:00',
  'next week': '2026-11-23 09:00',
  'next mon at 11': '2026-11-23 11:00',
  '24 dec': '2026-12-24 09:00',
  '24. december 18:00': '2026-12-24 18:00',
  'jan 2': '2027-01-02 09:00',
  '2 Mar 10': '2027-03-02 10:00',
  '2027-02-28 10:00': '2027-02-28 10:00',
}

test('future times in everyday English are understood', () => {
  for (const [said, meant] of Object.entries(understood)) assert.equal(read(said), meant, said)
})

test('invalid and past times are rejected', () => {
  for (const said of [
    '',
    'soon',
    'in',
    'today',
    'yesterday',
    '25:00',
    '9:75',
    '13 pm',
    '31 feb',
    '2026-11-17',
  ])
    assert.equal(read(said), null, said)
})

test('a month after the 31st is the last day of the next month', () => {
  const at = readFutureTime('in a month', new Date(2027, 0, 31, 12))
  assert.deepEqual([at?.getMonth(), at?.getDate()], [1, 28])
})

test('suggestions fit the hour and the weekday, and are understood when typed', () => {
  const said = (at: Date): string[] => suggestTimes(at).map(({ phrase }) => phrase)
  assert.deepEqual(said(now), ['In 3 hours', 'This evening', 'Tomorrow', 'Friday', 'Next week', 'In a month'])
  assert.deepEqual(said(new Date(2026, 10, 21, 17)), ['In 3 hours', 'Tomorrow', 'Next week', 'In a month'])
  assert.deepEqual(said(new Date(2026, 10, 22, 17)), ['In 3 hours', 'Tomorrow', 'In a month'])
  for (const { phrase, at } of suggestTimes(now)) assert.deepEqual(readFutureTime(phrase, now), at)
})

test('a time to come names its year when that is another one', () => {
  assert.doesNotMatch(futureTime(new Date(2026, 11, 24, 9).toISOString(), now), /2026/)
  assert.match(futureTime(new Date(2027, 10, 18, 9).toISOString(), now), /2027/)
})
