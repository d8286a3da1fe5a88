import { system } from '../../model/access.ts'
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
import { disable, openSecrets } from './webhooks.ts'

/**
 * Each webhook is a queue with its own position in the log. A queue belongs to the node that holds its lease; only that
 * node advances it.
 */
export interface Parcel extends Pick<Delivery, 'webhookId' | 'seq' | 'previousSeq' | 'eventId' | 'type'> {
  /** Attempts made before this one. */
  attempts: number
  /** Which position it advances; a retry advances none. */
  from: 'log' | 'replay' | 'retry'
  body: string
}

/** The current URL and signing secrets. */
export interface Destination {
  url: string
  secrets: string[]
}

/** The next parcels of a queue, and its position after them. */
export interface Load {
  destination: Destination
  parcels: Parcel[]
  /** Everything up to here has been read. */
  position: number
  previousSeq: number | null
  /** The end of the log or of the replay. */
  lastSeq: number
  /** Of the webhook: a change by people may have cancelled the replay, or begun another. */
  revision: number
}

/** A position in a replay; once the revision has changed, it goes on from what was recorded. */
export type ReplayStanding = Pick<Load, 'position' | 'previousSeq' | 'revision'>

const pageSize = 200

/** The current row, or null if nothing is to be delivered. Valid until the signal's version changes. */
export async function openWebhook(spool: Spool, id: string): Promise<StoredWebhook | null> {
  const webhook = await findWebhook(spool.db, id)
  return webhook?.state === 'enabled' ? webhook : null
}

/** The queue's next events, or null if nothing is to be delivered any more. `from` is its position in this process. */
export async function loadQueue(
  spool: Spool,
  known: StoredWebhook,
  from: { position: number; previousSeq: number | null } | null,
): Promise<Load | null> {
  const { position, previousSeq } = from ?? known
  const page = await readLog(spool.db, position, pageSize)
  // Read after the log: a change of the webhook, such as a new secret, applies to every event after it.
  const webhook = page.events.length > 0 ? await openWebhook(spool, known.id) : known
  if (!webhook) return null
  // Make the gap visible to the subscriber: pruned events cannot be delivered, only pointed at.
  const before = position < page.prunedSeq ? page.prunedSeq : previousSeq
  const picked = await pickParcels(spool, webhook, page.events, before, 'log')
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    ...picked,
    position: page.events.at(-1)?.seq ?? Math.max(position, page.prunedSeq),
    lastSeq: page.lastSeq,
    revision: webhook.revision,
  }
}

/** The next events of the replay; null if there is none. */
export async function loadReplay(
  spool: Spool,
  id: string,
  from: ReplayStanding | null,
): Promise<Load | null> {
  const webhook = await findWebhook(spool.db, id)
  if (webhook?.state !== 'enabled' || !webhook.replay) return null
  const { after, until, previousSeq } = webhook.replay
  const start = from?.revision === webhook.revision ? from : { position: after, previousSeq }
  const page = await readLog(spool.db, start.position, pageSize)
  const events = page.events.filter(({ seq }) => seq <= until)
  const picked = await pickParcels(spool, { ...webhook, skipUntil: 0 }, events, start.previousSeq, 'replay')
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    ...picked,
    position: events.at(-1)?.seq ?? until,
    lastSeq: until,
    revision: webhook.revision,
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

/** Retries that are due, without those in flight. */
export async function loadRetries(spool: Spool, id: string, underWay: ReadonlySet<number>, room: number) {
  // A delivery that finishes during this read may still show its old state.
  const busy = new Set(underWay)
  const webhook = await findWebhook(spool.db, id)
  if (webhook?.state !== 'enabled') return null
  const now = spool.now()
  const next = await nextDeliveries(spool.db, id, room + underWay.size + 1)
  const free = next.filter(({ seq }) => !busy.has(seq) && !underWay.has(seq))
  const due = free.filter(({ nextAttemptAt }) => nextAttemptAt! <= now).slice(0, room)
  const seqs = due.map(({ seq }) => seq)
  const events = await findEvents(spool.db, seqs)
  return {
    destination: { url: webhook.url, secrets: openSecrets(spool, webhook) },
    parcels: due.flatMap(({ seq, previousSeq, attempts }) => {
      const event = events.get(seq)
      return event ? [{ ...writeParcel(id, event, previousSeq), attempts, from: 'retry' as const }] : []
    }),
    // Events that have been pruned can no longer be sent.
    lost: due.filter(({ seq }) => !events.has(seq)),
    // When the next delivery that is not in this load is due.
    nextAt: free.at(due.length)?.nextAttemptAt ?? null,
  }
}

/** What a queue records: an attempt, or only its new position. */
export interface Outcome {
  webhookId: string
  parcel?: Parcel
  attempt?: Attempt
  /** The new position of the queue or its replay, if it has changed. */
  moved?: { position: number; previousSeq: number | null }
  /** Ignored if the webhook has another revision by now: it may be another replay. */
  replay?: { revision: number; ended: boolean } | null
  lost?: Delivery
}

/**
 * Saves the outcomes of many queues in one commit. Returns the queues this node no longer holds; nothing is written for
 * them.
 */
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
    const disabled: { id: string; reason: 'gone' | 'failing' }[] = []
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
      const { queue, reason } = advanceQueue(spool, webhook, some)
      progress.push(queue)
      if (reason && webhook.state === 'enabled') disabled.push({ id, reason })
    }
    await saveDeliveries(db, [...deliveries.values()])
    await saveProgress(db, progress)
    for (const { id, reason } of disabled)
      await disable(db, webhooks.get(id)!, reason, { actor: system, now: spool.now() })
    return { notOurs, disabled }
  })
}

/** An attempt in flight when its webhook was disabled is the last. */
function endedWith({ state }: StoredWebhook, delivery: Delivery): Delivery {
  if (state === 'enabled' || delivery.state !== 'waiting') return delivery
  return { ...delivery, state: 'failed', nextAttemptAt: null }
}

/** The new position, and why the webhook must be disabled, if it must. */
function advanceQueue(
  spool: Spool,
  webhook: StoredWebhook,
  outcomes: readonly Outcome[],
): { queue: Progress; reason: 'gone' | 'failing' | null } {
  let { position, previousSeq, failingSince, replay } = webhook
  let reason: 'gone' | 'failing' | null = null
  for (const { attempt, moved, replay: replayed } of outcomes) {
    if (moved && !replayed && moved.position > position) ({ position, previousSeq } = moved)
    if (replay && replayed?.revision === webhook.revision) {
      if (replayed.ended) replay = null
      else if (moved) replay = { ...replay, after: moved.position, previousSeq: moved.previousSeq }
    }
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

function readDelivery({ from: _from, body: _body, ...parcel }: Parcel, attempt: Attempt): Delivery {
  const { at: attemptedAt, retryAfter: _retryAfter, ...result } = attempt
  const attempts = parcel.attempts + 1
  const done = isSuccess(attempt)
  const nextAttemptAt = done || attempt.status === 410 ? null : nextAttempt(attempts, attempt, Math.random)
  const state = done ? 'delivered' : nextAttemptAt === null ? 'failed' : 'waiting'
  return { ...parcel, ...result, state, attempts, attemptedAt, nextAttemptAt }
}
