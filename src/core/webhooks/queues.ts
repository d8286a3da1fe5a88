import { isSuccess, failingLimit, nextAttempt, type Attempt, type Delivery } from '../../model/webhooks.ts'
import { transaction } from '../../store/database.ts'
import { nextDeliveries, saveDeliveries } from '../../store/webhooks/deliveries.ts'
import { findEvents, readLog, type LoggedEvent } from '../../store/log/log.ts'
import { readViews } from '../../store/webhooks/views.ts'
import {
  findWebhook,
  findHeldWebhooks,
  saveProgress,
  type Progress,
  type StoredWebhook,
} from '../../store/webhooks/webhooks.ts'
import type { Spool } from '../spool.ts'
import { concerns, writePayload } from './view.ts'
import { bySystem, disable, openSecrets } from './webhooks.ts'

/**
 * What the worker needs: each subscription is a queue with a place in the log of its own. A queue belongs to the node that
 * holds its lease; that node alone moves its place on.
 */
export interface Parcel {
  webhookId: string
  seq: number
  previousSeq: number | null
  eventId: string
  type: LoggedEvent['type']
  /** Attempts made before this one. */
  attempts: number
  /** Which place it moves on: a retry moves none. */
  from: 'log' | 'replay' | 'retry'
  body: string
}

/** Where a POST goes and what signs it, as of now. */
export interface Destination {
  url: string
  secrets: string[]
}

/** A queue's next parcels, with where it stands once they are gone. */
export interface Load {
  destination: Destination
  parcels: Parcel[]
  /** Everything up to here has been looked at. */
  position: number
  previousSeq: number | null
  /** Where it ends: the end of the log, or of the replay. */
  lastSeq: number
}

const pageSize = 200

/** As it is now, or null when nothing is to be delivered to it. Good until the version of the signal changes. */
export async function openWebhook(spool: Spool, id: string): Promise<StoredWebhook | null> {
  const webhook = await findWebhook(spool.db, id)
  return webhook?.state === 'enabled' ? webhook : null
}

/** The queue's next events. `from` is where it stands in this process. */
export async function loadQueue(
  spool: Spool,
  webhook: StoredWebhook,
  from: { position: number; previousSeq: number | null } | null,
): Promise<Load> {
  const { position, previousSeq } = from ?? webhook
  const page = await readLog(spool.db, position, pageSize)
  // A hole that shows: what the log no longer has cannot be delivered, only pointed at.
  const before = position < page.prunedSeq ? page.prunedSeq : previousSeq
  const picked = await pickParcels(spool, webhook, page.events, before, 'log')
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    ...picked,
    position: page.events.at(-1)?.seq ?? Math.max(position, page.prunedSeq),
    lastSeq: page.lastSeq,
  }
}

/** The next events of its replay, or null when there is none. */
export async function loadReplay(
  spool: Spool,
  id: string,
  from: { position: number; previousSeq: number | null } | null,
): Promise<Load | null> {
  const webhook = await findWebhook(spool.db, id)
  if (webhook?.state !== 'enabled' || !webhook.replay) return null
  const { after, until, previousSeq } = webhook.replay
  const start = from ?? { position: after, previousSeq }
  const page = await readLog(spool.db, start.position, pageSize)
  const events = page.events.filter(({ seq }) => seq <= until)
  const picked = await pickParcels(spool, { ...webhook, skipUntil: 0 }, events, start.previousSeq, 'replay')
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    ...picked,
    position: events.at(-1)?.seq ?? until,
    lastSeq: until,
  }
}

async function pickParcels(
  spool: Spool,
  webhook: StoredWebhook,
  events: readonly LoggedEvent[],
  before: number | null,
  from: 'log' | 'replay',
): Promise<{ parcels: Parcel[]; previousSeq: number | null }> {
  if (events.length === 0) return { parcels: [], previousSeq: before }
  const views = await readViews(spool.db, webhook.id)
  const parcels: Parcel[] = []
  let previousSeq = before
  for (const event of events) {
    if (!concerns(webhook, views, event)) continue
    if (event.seq > webhook.skipUntil)
      parcels.push({ ...writeParcel(webhook.id, event, previousSeq), attempts: 0, from })
    previousSeq = event.seq
  }
  return { parcels, previousSeq }
}

function writeParcel(
  webhookId: string,
  event: LoggedEvent,
  previousSeq: number | null,
): Omit<Parcel, 'attempts' | 'from'> {
  const { seq, id, type } = event
  return { webhookId, seq, previousSeq, eventId: id, type, body: writePayload(event, previousSeq) }
}

export interface Retries {
  destination: Destination
  parcels: Parcel[]
  /** What cannot be sent any more: the log no longer has it. */
  lost: Delivery[]
  /** When the soonest of the others is due. */
  nextAt: number | null
}

/** Those whose time has come, without those that are under way. */
export async function loadRetries(
  spool: Spool,
  id: string,
  underWay: ReadonlySet<number>,
  room: number,
): Promise<Retries | null> {
  // One that ends while this is read may still stand there as it was before.
  const busy = new Set(underWay)
  const webhook = await findWebhook(spool.db, id)
  if (webhook?.state !== 'enabled') return null
  const now = spool.now()
  const next = await nextDeliveries(spool.db, id, room + underWay.size + 1)
  const free = next.filter(({ seq }) => !busy.has(seq) && !underWay.has(seq))
  const due = free.filter(({ nextAttemptAt }) => nextAttemptAt! <= now).slice(0, room)
  const events = await findEvents(
    spool.db,
    due.map(({ seq }) => seq),
  )
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    parcels: due.flatMap(({ seq, previousSeq, attempts }) => {
      const event = events.get(seq)
      return event ? [{ ...writeParcel(id, event, previousSeq), attempts, from: 'retry' as const }] : []
    }),
    lost: due.filter(({ seq }) => !events.has(seq)),
    nextAt: free.at(due.length)?.nextAttemptAt ?? null,
  }
}

/** What a queue has to write down: an attempt, or only that it has moved on. */
export interface Outcome {
  webhookId: string
  parcel: Parcel | null
  attempt: Attempt | null
  /** Where the queue or its replay stands now; null: it did not move. */
  moved: { position: number; previousSeq: number | null } | null
  replay: 'moved' | 'ended' | null
  lost: Delivery | null
}

/** Many queues' outcomes in one commit. Answers those that are no longer this node's; for them nothing is written. */
export async function recordOutcomes(
  spool: Spool,
  holder: string,
  outcomes: readonly Outcome[],
): Promise<{ notOurs: Set<string>; disabled: { id: string; reason: string }[] }> {
  const queues = Map.groupBy(outcomes, ({ webhookId }) => webhookId)
  return transaction(spool.db, async (db) => {
    const webhooks = await findHeldWebhooks(db, holder, [...queues.keys()])
    const progress: Progress[] = []
    const notOurs = new Set<string>()
    const disabled: { id: string; reason: string }[] = []
    const deliveries = new Map<string, Delivery>()
    for (const [id, some] of queues) {
      const webhook = webhooks.get(id)
      if (!webhook) {
        notOurs.add(id)
        continue
      }
      for (const each of some) {
        const delivery = each.lost ?? (each.parcel && each.attempt && readDelivery(each.parcel, each.attempt))
        if (delivery) deliveries.set(`${id} ${delivery.seq}`, endedWith(webhook, delivery))
      }
      const { queue, reason } = moveQueue(spool, webhook, some)
      progress.push(queue)
      if (reason && webhook.state === 'enabled') disabled.push({ id, reason })
    }
    await saveDeliveries(db, [...deliveries.values()])
    await saveProgress(db, progress)
    for (const { id, reason } of disabled)
      await disable(db, webhooks.get(id)!, reason as 'gone' | 'failing', bySystem(spool))
    return { notOurs, disabled }
  })
}

/** An attempt that was under way when its subscription was disabled is the last. */
function endedWith({ state }: StoredWebhook, delivery: Delivery): Delivery {
  if (state === 'enabled' || delivery.state !== 'waiting') return delivery
  return { ...delivery, state: 'failed', nextAttemptAt: null }
}

/** Where the queue stands now, and why it has to be disabled, where it has. */
function moveQueue(
  spool: Spool,
  webhook: StoredWebhook,
  outcomes: readonly Outcome[],
): { queue: Progress; reason: 'gone' | 'failing' | null } {
  let { position, previousSeq, failingSince, replay } = webhook
  let reason: 'gone' | 'failing' | null = null
  for (const { attempt, moved, replay: replayed } of outcomes) {
    if (moved && replayed === null && moved.position > position) ({ position, previousSeq } = moved)
    if (moved && replayed === 'moved' && replay)
      replay = { after: moved.position, until: replay.until, previousSeq: moved.previousSeq }
    if (replayed === 'ended') replay = null
    if (!attempt) continue
    if (isSuccess(attempt)) failingSince = null
    else {
      failingSince ??= attempt.at
      if (attempt.status === 410) reason = 'gone'
      else if (spool.now() - failingSince >= failingLimit) reason ??= 'failing'
    }
  }
  const queue = {
    id: webhook.id,
    position,
    previous_seq: previousSeq,
    replay_after: replay?.after ?? null,
    replay_until: replay?.until ?? null,
    replay_previous: replay?.previousSeq ?? null,
    failing_since: failingSince,
  }
  return { queue, reason }
}

function readDelivery(parcel: Parcel, attempt: Attempt): Delivery {
  const { webhookId, seq, previousSeq, eventId, type } = parcel
  const attempts = parcel.attempts + 1
  const done = isSuccess(attempt)
  const nextAttemptAt = done || attempt.status === 410 ? null : nextAttempt(attempts, attempt, Math.random)
  return {
    webhookId,
    seq,
    previousSeq,
    eventId,
    type,
    state: done ? 'delivered' : nextAttemptAt === null ? 'failed' : 'waiting',
    attempts,
    attemptedAt: attempt.at,
    nextAttemptAt,
    status: attempt.status,
    milliseconds: attempt.milliseconds,
    answer: attempt.answer,
    fault: attempt.fault,
  }
}
