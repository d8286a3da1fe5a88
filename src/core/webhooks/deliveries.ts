import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import { actorReference, type Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Delivery, DeliveryState } from '../../model/webhooks.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import {
  countWaiting as countStored,
  findDelivery,
  listDeliveries as listStored,
  pruneDeliveries,
  saveDeliveries,
} from '../../store/webhooks/deliveries.ts'
import { appendEvent } from '../../store/log/events.ts'
import { findEvent, readLog, readLogBounds, seqBefore } from '../../store/log/log.ts'
import { readViews, pruneViews } from '../../store/webhooks/views.ts'
import {
  changeWebhook,
  findWebhook,
  listRemovedWebhooks,
  listWebhooks,
  webhooksChanged,
  type StoredWebhook,
} from '../../store/webhooks/webhooks.ts'
import type { Spool } from '../spool.ts'
import { concerns, findPrevious } from './view.ts'
import { findWebhookOf, sweepWebhook } from './webhooks.ts'

/** Newest events first. */
export async function listDeliveries(
  spool: Spool,
  actor: Actor,
  id: string,
  page: { state: DeliveryState | null; before: number | null; limit: number },
): Promise<Delivery[]> {
  await findWebhookOf(spool, spool.db, actor, id)
  return listStored(spool.db, id, page)
}

/** Deliveries of all webhooks that wait for a retry. */
export async function countWaiting(spool: Spool): Promise<number> {
  return [...(await countStored(spool.db)).values()].reduce((sum, count) => sum + count, 0)
}

/** Retries one event at once, with its full number of attempts again. `event` is its id or `seq`. */
export async function retryDelivery(spool: Spool, actor: Actor, id: string, event: string): Promise<number> {
  const webhook = await findEnabled(spool, spool.db, actor, id)
  const found = await findEvent(spool.db, event)
  if (!found || !concerns(webhook, await readViews(spool.db, id), found)) {
    throw new SpoolError('not_found', `The log has no event ${event} for ${id}, or no longer has it.`)
  }
  const tried = await findDelivery(spool.db, id, found.seq)
  // Searching back through the log may take long: done outside the transaction, so that no writer waits.
  const previousSeq = tried ? tried.previousSeq : await findPrevious(spool.db, webhook, found.seq)
  return transaction(spool.db, async (db) => {
    if (found.seq > passedBy(await findEnabled(spool, db, actor, id)))
      throw new SpoolError('conflict', `Event ${event} has not been tried yet; it will be delivered in turn.`)
    const { seq, id: eventId, type } = found
    const known = (await findDelivery(db, id, seq)) ?? { ...untried, webhookId: id, seq, previousSeq }
    const again = { eventId, type, state: 'waiting', attempts: 0, nextAttemptAt: spool.now() } as const
    await saveDeliveries(db, [{ ...known, ...again }])
    webhooksChanged(db)
    return found.seq
  })
}

const untried = { attemptedAt: null, status: null, milliseconds: null, answer: null, fault: null }

/** Everything up to here has been tried, or was skipped while disabled. */
function passedBy({ position, skipUntil }: StoredWebhook): number {
  return Math.max(position, skipUntil)
}

/** Where a replay begins or ends: after an event, or at a time. */
export type ReplayBound = { seq: number } | { time: number }

/** Redelivers every matching event in a part of the log, in order, in parallel with live events. */
export async function replayEvents(
  spool: Spool,
  actor: Actor,
  id: string,
  from: ReplayBound,
  until: ReplayBound | null,
): Promise<{ after: number; until: number }> {
  const before = await findIdle(spool, spool.db, actor, id)
  const seqOf = async (bound: ReplayBound): Promise<number> =>
    'seq' in bound ? bound.seq : await seqBefore(spool.db, bound.time)
  const after = Math.max(await seqOf(from), (await readLogBounds(spool.db)).prunedSeq)
  const end = until && (await seqOf(until))
  // Searching back through the log may take long: done outside the transaction, so that no writer waits.
  const previous = await findPrevious(spool.db, before, after + 1)
  return transaction(spool.db, async (db) => {
    const webhook = await findIdle(spool, db, actor, id)
    if (webhook.revision !== before.revision)
      throw new SpoolError('conflict', `${id} was just changed. Check it and try again.`)
    // Events without a first attempt are delivered anyway.
    const last = Math.min(end ?? (await readLogBounds(db)).lastSeq, passedBy(webhook))
    if (last <= after)
      throw new SpoolError('bad_parameter', 'There is nothing in that part of the log to replay.')
    await changeWebhook(db, id, { replay_after: after, replay_until: last, replay_previous: previous })
    return { after, until: last }
  })
}

async function findIdle(spool: Spool, db: Db, actor: Actor, id: string): Promise<StoredWebhook> {
  const webhook = await findEnabled(spool, db, actor, id)
  if (webhook.replay)
    throw new SpoolError(
      'conflict',
      `${id} is already being replayed, up to ${webhook.replay.until}; wait until it is done.`,
    )
  return webhook
}

const countPage = 1000
const mostCounted = 100_000

/** How many deliveries a replay will make; null if the range is too long to count. */
export async function countReplay(
  spool: Spool,
  id: string,
  { after, until }: { after: number; until: number },
): Promise<number | null> {
  if (until - after > mostCounted) return null
  const webhook = await findWebhook(spool.db, id)
  if (!webhook) return null
  const views = await readViews(spool.db, id)
  let count = 0
  for (let at = after; at < until;) {
    const { events } = await readLog(spool.db, at, countPage)
    const some = events.filter(({ seq }) => seq <= until)
    count += some.filter((event) => concerns(webhook, views, event)).length
    at = some.length < countPage ? until : some.at(-1)!.seq
    await breathe()
  }
  return count
}

/** Appends a `webhook.test` event for this webhook only, whatever types it asked for. Returns its `seq`. */
export async function sendTest(spool: Spool, actor: Actor, id: string): Promise<number> {
  return transaction(spool.db, async (db) => {
    const webhook = await findEnabled(spool, db, actor, id)
    return appendEvent(db, {
      type: 'webhook.test',
      inbox: null,
      userId: webhook.userId,
      timestamp: spool.now(),
      data: { threadId: null, webhookId: id, actor: actorReference(actor) },
    })
  })
}

const lookMilliseconds = 50

/** Sends a test and waits for its result; null if there is none after this many seconds. */
export async function testWebhook(
  spool: Spool,
  actor: Actor,
  id: string,
  seconds: number,
): Promise<{ seq: number; delivery: Delivery | null }> {
  const seq = await sendTest(spool, actor, id)
  for (const until = performance.now() + seconds * 1000; performance.now() < until;) {
    const delivery = await findDelivery(spool.db, id, seq)
    if (delivery) return { seq, delivery }
    await sleep(lookMilliseconds)
  }
  return { seq, delivery: null }
}

async function findEnabled(spool: Spool, db: Db, actor: Actor, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhookOf(spool, db, actor, id)
  if (webhook.state !== 'enabled') throw new SpoolError('conflict', `${id} is disabled. Enable it first.`)
  return webhook
}

const day = 86_400_000
const deliveryDays = 30

/** Deletes deliveries after 30 days, and the remains of removed webhooks. */
export async function forgetOldDeliveries(spool: Spool): Promise<void> {
  for (const id of await listRemovedWebhooks(spool.db)) await sweepWebhook(spool, id)
  const before = spool.now() - deliveryDays * day
  for (const { id } of await listWebhooks(spool.db, null))
    for (let some = 1; some > 0;)
      some = await transaction(spool.db, (db) => pruneDeliveries(db, id, before, 1000))
  const { prunedSeq } = await readLogBounds(spool.db)
  await transaction(spool.db, (db) => pruneViews(db, prunedSeq))
}
