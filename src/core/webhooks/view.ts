import { parseNames } from '../../model/characters/names.ts'
import { setImmediate as breathe } from 'node:timers/promises'
import type { EventData } from '../../model/events.ts'
import type { Webhook } from '../../model/webhooks.ts'
import type { Db } from '../../store/db.ts'
import { readLogBefore, type LoggedEvent } from '../../store/log/log.ts'
import { readViews, type WebhookView } from '../../store/webhooks/views.ts'
import { readEvent } from '../log/events.ts'

/** Whether an event matches this webhook: by type, and by what its owner could see when it happened. */
export function concerns(webhook: Webhook, views: readonly WebhookView[], event: LoggedEvent): boolean {
  if (event.quiet === 1) return false
  // A test goes only to its own webhook, whatever types that asked for.
  if (event.type === 'webhook.test') return readData(event).webhookId === webhook.id
  if (webhook.types !== null && !webhook.types.includes(event.type)) return false
  if (event.inbox === null) return event.user_id === webhook.userId
  return viewAt(views, event.seq).has(event.inbox)
}

const nothing: ReadonlySet<number> = new Set()

/** `views` are newest first. */
function viewAt(views: readonly WebhookView[], seq: number): ReadonlySet<number> {
  return views.find(({ afterSeq }) => afterSeq < seq)?.inboxes ?? nothing
}

function readData(event: LoggedEvent): EventData {
  return parseNames(event.data) as EventData
}

const pageSize = 500

/** The last matching event before `seq`. Yields to other work between pages. */
export async function findPrevious(db: Db, webhook: Webhook, seq: number): Promise<number | null> {
  const views = await readViews(db, webhook.id)
  for (let before = seq; ;) {
    const page = await readLogBefore(db, before, pageSize)
    const found = page.find((event) => concerns(webhook, views, event))
    if (found) return found.seq
    if (page.length < pageSize) return null
    before = page.at(-1)!.seq
    await breathe()
  }
}

/** The body of a delivery: the event as in `GET /events`, plus the previous event of this webhook. */
export function writePayload(event: LoggedEvent, previousSeq: number | null): string {
  const { type, timestamp, data } = readEvent({ ...event, data: readData(event) })
  const { eventId, seq, ...rest } = data
  return JSON.stringify({ type, timestamp, data: { eventId, seq, previousSeq, ...rest } })
}
