import { tooMuchToDo } from '../../model/errors.ts'
import type { Database, Db } from '../db.ts'
import type { Dialect } from '../statement.ts'

/** SQLite has one thread for searches, which should find the next one waiting; PostgreSQL keeps half its connections. */
const mostAtOnce: Record<Dialect, number> = { sqlite: 2, postgres: 10 }
/**
 * In milliseconds. A search that has waited longer than this while many others wait behind it is rejected: answered in
 * order, they would all take longer than their clients wait.
 */
const longestWait = 1_000
const manyWaiting = 50

interface Turns {
  running: number
  waiting: { since: number; begin(): void; reject(error: Error): void }[]
}

const turnsOf = new WeakMap<Db, Turns>()

/** All slow reads of one request, a few requests at a time and in order of arrival. Other reads do not wait for them. */
export async function inSearchTurn<Result>(
  { slowReader: db }: Pick<Database, 'slowReader'>,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const turns = turnsOf.get(db) ?? { running: 0, waiting: [] }
  turnsOf.set(db, turns)
  if (turns.running < mostAtOnce[db.dialect]) turns.running++
  else
    await new Promise<void>((begin, reject) => {
      turns.waiting.push({ since: performance.now(), begin, reject })
    })
  try {
    return await work(db)
  } finally {
    turns.running--
    beginNext(turns)
  }
}

function beginNext(turns: Turns): void {
  for (let next = turns.waiting.shift(); next; next = turns.waiting.shift()) {
    if (turns.waiting.length < manyWaiting || performance.now() - next.since < longestWait) {
      turns.running++
      return next.begin()
    }
    next.reject(tooMuchToDo)
  }
}
