import { setImmediate as breathe } from 'node:timers/promises'
import type { View } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Numbers } from '../../model/settings.ts'
import { listAllUsers } from '../../store/people/users.ts'
import { quarterMilliseconds } from '../../store/threads/closings.ts'
import { countOutcomesOfInboxes } from '../../store/drafts/outcomes.ts'
import {
  countAnswered,
  countBegun,
  countClosed,
  countOpenOf,
  countReplySeconds,
  type Span,
} from '../../store/numbers.ts'
import { noSuch } from '../access/access.ts'
import { addDays, checkZone, listDays, today, type CalendarDay } from '../calendar-days.ts'
import { sumProposals } from './proposals.ts'
import type { Spool } from '../spool.ts'

export interface Period {
  /** Inclusive; null: the last thirty days. */
  from: string | null
  to: string | null
  /** The time zone of the days. */
  zone: string
  /** Only this inbox, by id. */
  inbox: string | null
}

const usualDays = 30
const mostDays = 366
/** Days queried together; the process yields to other requests in between. */
const daysAtOnce = 31
/** Up to this many replies, median and percentile are exact; beyond it they are sampled. */
const mostGrouped = 50_000

export async function readNumbers(spool: Spool, view: View, period: Period): Promise<Numbers> {
  const zone = checkZone(period.zone)
  const { from, to } = chooseDays(period, today(spool.now(), zone))
  const days = listDays(from, to, zone)
  const inboxes = chooseInboxes(view, period.inbox)
  const spans = inboxes.length === 0 ? [] : splitDays(days)
  const opened: number[] = []
  const closed = new Map<number, number>()
  let answered = 0
  for (const some of spans) {
    const span = spanOf(inboxes, some)
    const times = some.map(({ begins }) => begins)
    opened.push(...(await countBegun(spool.db, inboxes, times)))
    merge(closed, await countClosed(spool.db, span))
    answered += await countAnswered(spool.db, span)
    await breathe()
  }
  const step = Math.ceil(answered / mostGrouped) || 1
  const replies = new Map<number, number>()
  for (const some of spans) {
    merge(replies, await countReplySeconds(spool.db, spanOf(inboxes, some), step))
    await breathe()
  }
  const closedOn = byDay(days, closed)
  return {
    from,
    to,
    zone,
    days: days
      .slice(0, -1)
      .map(({ day }, index) => ({ day, opened: opened[index] ?? 0, closed: closedOn[index]! })),
    firstReply: describeReplies(answered, replies),
    openPerPerson: await countOpen(spool, inboxes),
    proposals: sumProposals(
      await countOutcomesOfInboxes(spool.db, inboxes, days[0]!.begins, days.at(-1)!.begins),
    ),
  }
}

function chooseDays({ from, to }: Period, today: string): { from: string; to: string } {
  const last = to ?? (from === null ? today : earlier(addDays(from, usualDays - 1), today))
  const first = from ?? addDays(last, 1 - usualDays)
  if (first > last)
    throw new SpoolError('bad_parameter', 'The period ends before it begins. Swap from and to.')
  if (last >= addDays(first, mostDays))
    throw new SpoolError('bad_parameter', `A period can have at most ${mostDays} days; choose a shorter one.`)
  return { from: first, to: last }
}

const earlier = (one: string, other: string): string => (one < other ? one : other)

function chooseInboxes({ inboxes }: View, wanted: string | null): number[] {
  const chosen = wanted === null ? inboxes : inboxes.filter(({ id }) => id === wanted)
  if (wanted !== null && chosen.length === 0) throw noSuch('inbox')
  return chosen.map(({ number }) => number)
}

/** Each piece includes the day that ends it, which also begins the next. */
function splitDays(days: readonly CalendarDay[]): CalendarDay[][] {
  const pieces: CalendarDay[][] = []
  for (let at = 0; at < days.length - 1; at += daysAtOnce) pieces.push(days.slice(at, at + daysAtOnce + 1))
  return pieces
}

function spanOf(inboxes: readonly number[], days: readonly CalendarDay[]): Span {
  return { inboxes, from: days[0]!.begins, until: days.at(-1)!.begins }
}

function merge(into: Map<number, number>, counts: ReadonlyMap<number, number>): void {
  for (const [key, count] of counts) into.set(key, (into.get(key) ?? 0) + count)
}

/** Both are sorted, so one pass assigns every quarter of an hour to its day. */
function byDay(days: readonly CalendarDay[], quarters: ReadonlyMap<number, number>): number[] {
  const counts = days.slice(0, -1).map(() => 0)
  let index = 0
  for (const [quarter, count] of [...quarters].sort(([one], [other]) => one - other)) {
    while (index < counts.length - 1 && days[index + 1]!.begins <= quarter * quarterMilliseconds) index++
    counts[index]! += count
  }
  return counts
}

function describeReplies(count: number, replies: ReadonlyMap<number, number>): Numbers['firstReply'] {
  const sorted = [...replies].sort(([one], [other]) => one - other)
  const looked = sorted.reduce((sum, [, each]) => sum + each, 0)
  /** The smallest value that this share of all does not exceed. */
  const rank = (share: number): number | null => {
    let left = Math.ceil(share * looked)
    return sorted.find(([, each]) => (left -= each) <= 0)?.[0] ?? null
  }
  return { count, medianSeconds: rank(0.5), p90Seconds: rank(0.9) }
}

async function countOpen(spool: Spool, inboxes: readonly number[]): Promise<Numbers['openPerPerson']> {
  if (inboxes.length === 0) return []
  const nobody = { person: null, open: await countOpenOf(spool.db, inboxes, null) }
  const people: Numbers['openPerPerson'] = []
  // Somebody who has lost the inbox may still be the assignee.
  for (const { id, name } of await listAllUsers(spool.db))
    people.push({ person: { id, name }, open: await countOpenOf(spool.db, inboxes, id) })
  return [nobody, ...people.filter(({ open }) => open > 0).sort((one, other) => other.open - one.open)]
}
