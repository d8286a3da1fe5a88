import type { Delivery, DeliveryState } from '../../model/webhooks.ts'
import type { Db, Tx } from '../db.ts'
import { statement, textQuery } from '../statement.ts'

/** The columns of the table, each with its name in a `Delivery`. */
const fields = [
  'webhook_id as webhookId',
  'seq',
  'previous_seq as previousSeq',
  'event_id as eventId',
  'type',
  'state',
  'attempts',
  'attempted_at as attemptedAt',
  'next_attempt_at as nextAttemptAt',
  'status',
  'milliseconds',
  'answer',
  'fault',
] as const
const columns = fields.map((field) => field.split(' as ')[0])
const names = fields.map((field) => field.split(' as ').at(-1) as keyof Delivery)
const row = `(${columns.map(() => '?').join(', ')})`
const changes = columns.slice(2).map((column) => `${column} = excluded.${column}`)
/** Few batch sizes, so that few statements are prepared. */
const sizes = [64, 32, 16, 8, 4, 2, 1]

/** In batches: a busy queue finishes hundreds a second. `deliveries` must not contain the same delivery twice. */
export async function saveDeliveries(db: Tx, deliveries: readonly Delivery[]): Promise<void> {
  for (let at = 0; at < deliveries.length;) {
    const size = sizes.find((size) => size <= deliveries.length - at)!
    const some = deliveries.slice(at, at + size)
    await db.run(
      textQuery(
        `INSERT INTO deliveries (${columns.join(', ')}) VALUES ${some.map(() => row).join(', ')}
         ON CONFLICT (webhook_id, seq) DO UPDATE SET ${changes.join(', ')}`,
        some.flatMap((delivery) => names.map((name) => delivery[name])),
      ),
    )
    at += size
  }
}

export async function findDelivery(db: Db, webhookId: string, seq: number): Promise<Delivery | undefined> {
  return db.first(
    db.build
      .selectFrom('deliveries')
      .select(fields)
      .where('webhook_id', '=', webhookId)
      .where('seq', '=', seq),
  )
}

/** Newest events first; `before` is a `seq`. */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  { state, before, limit }: { state: DeliveryState | null; before: number | null; limit: number },
) {
  let query = db.build
    .selectFrom('deliveries')
    .select(fields)
    .where('webhook_id', '=', webhookId)
    .orderBy('seq', 'desc')
    .limit(limit)
  if (state !== null) query = query.where('state', '=', state)
  if (before !== null) query = query.where('seq', '<', before)
  return db.all(query)
}

const due = statement((build, { id, limit }: { id: string; limit: number }) =>
  build
    .selectFrom('deliveries')
    .select(fields)
    .where('webhook_id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(limit),
)

/** Waiting deliveries, soonest first, due or not. */
export async function nextDeliveries(db: Db, webhookId: string, limit: number): Promise<Delivery[]> {
  return db.all(due({ id: webhookId, limit }))
}

export async function countWaiting(db: Db): Promise<Map<string, number>> {
  const rows = await db.all(
    textQuery<{ webhook_id: string; count: number }>(
      'SELECT webhook_id, count(*) AS count FROM deliveries WHERE next_attempt_at IS NOT NULL GROUP BY webhook_id',
    ),
  )
  return new Map(rows.map(({ webhook_id, count }) => [webhook_id, Number(count)]))
}

/** Waiting deliveries will not be retried automatically. */
export async function giveUpWaiting(db: Tx, webhookId: string, fault: string): Promise<void> {
  await db.run(
    db.build
      .updateTable('deliveries')
      .set({ state: 'failed', next_attempt_at: null, fault })
      .where('webhook_id', '=', webhookId)
      .where('next_attempt_at', 'is not', null),
  )
}

/**
 * Oldest first, at most `limit` at once: those last attempted before the time, or all. Returns how many were deleted.
 */
export async function pruneDeliveries(
  db: Tx,
  webhookId: string,
  before: number | null,
  limit: number,
): Promise<number> {
  const oldest = await db.all(
    db.build
      .selectFrom('deliveries')
      .select(['seq', 'attempted_at', 'next_attempt_at'])
      .where('webhook_id', '=', webhookId)
      .orderBy('seq')
      .limit(limit),
  )
  const kept = oldest.findIndex(
    ({ attempted_at, next_attempt_at }) =>
      // One given up before its first attempt has no time; it must not keep those after it.
      before !== null && (next_attempt_at !== null || (attempted_at ?? 0) >= before),
  )
  const last = oldest.at(kept === -1 ? -1 : kept - 1)
  if (!last || kept === 0) return 0
  return db.run(
    db.build.deleteFrom('deliveries').where('webhook_id', '=', webhookId).where('seq', '<=', last.seq),
  )
}
