import type { Selectable } from 'kysely'
import type { EventType } from '../../model/events.ts'
import { announce } from '../database.ts'
import { bulkUpdate } from '../bulk.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, insertRow, updateRows } from '../rows.ts'
import { currentSeq } from '../log/events.ts'
import { clock } from '../leases.ts'
import { statement, textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { touch } from '../log/versions.ts'
import { recordViews } from './views.ts'
import { sql } from '../kysely.ts'

type WebhookRow = Selectable<Tables['webhooks']>

/** Prefix of a queue's lease name; followed by the webhook's id. */
export const queueLeasePrefix = 'webhook:'

/** Tells every node that webhooks have changed. */
export function webhooksChanged(db: Tx): void {
  touch(db, 'webhooks')
  announce(db)
}

/** Starts at the end of the log. */
export async function insertWebhook(
  db: Tx,
  webhook: Pick<StoredWebhook, 'id' | 'userId' | 'url' | 'types' | 'inboxes' | 'createdAt' | 'secret'>,
): Promise<void> {
  const { id, userId, url, types, inboxes, createdAt, secret } = webhook
  const seq = await currentSeq(db)
  await insertRow(db, 'webhooks', {
    id,
    user_id: userId,
    url,
    types: types && JSON.stringify(types),
    inboxes: inboxes && JSON.stringify(inboxes),
    state: 'enabled',
    created_at: createdAt,
    revision: 1,
    secret,
    position: seq,
    skip_until: seq,
  })
  recordViews(db)
  webhooksChanged(db)
}

const one = statement((build, { id }: { id: string }) =>
  build.selectFrom('webhooks').selectAll().where('id', '=', id),
)

export async function findWebhook(db: Db, id: string): Promise<StoredWebhook | undefined> {
  const row = await db.first(one({ id }))
  return row && row.state !== 'removed' ? readWebhook(row) : undefined
}

/** Those of `ids` whose lease this holder has, by the database's clock. */
export async function findHeldWebhooks(db: Db, holder: string, ids: readonly string[]) {
  const rows = await db.all(
    textQuery<WebhookRow>(
      `SELECT webhooks.* FROM webhooks JOIN leases ON leases.name = '${queueLeasePrefix}' || webhooks.id
       WHERE webhooks.id IN (${ids.map(() => '?').join(', ')}) AND state <> 'removed'
         AND leases.holder = ? AND leases.ends_at > ${clock[db.dialect]}`,
      [...ids, holder],
    ),
  )
  return new Map(rows.map((row) => [row.id, readWebhook(row)]))
}

export async function listWebhooks(db: Db, userId: string | null): Promise<StoredWebhook[]> {
  let query = db.build
    .selectFrom('webhooks')
    .selectAll()
    .where('state', '<>', 'removed')
    .orderBy('created_at')
    .orderBy('id')
  if (userId !== null) query = query.where('user_id', '=', userId)
  return (await db.all(query)).map(readWebhook)
}

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'user_id' | 'created_at' | 'revision'>>

/** A change made by people: the node that delivers for it reloads it. */
export async function changeWebhook(db: Tx, id: string, change: WebhookChange): Promise<void> {
  webhooksChanged(db)
  await updateRows(db, 'webhooks', { id }, { ...change, revision: sql<number>`revision + 1` })
}

const progress = {
  id: 'text',
  position: 'bigint',
  previous_seq: 'bigint',
  replay_after: 'bigint',
  replay_until: 'bigint',
  replay_previous: 'bigint',
  failing_since: 'bigint',
} as const
const update = bulkUpdate<'webhooks', Progress>('webhooks', progress)

export type Progress = Pick<WebhookRow, keyof typeof progress>

export async function saveProgress(db: Tx, queues: readonly Progress[]): Promise<void> {
  for (const queue of queues) await db.add(update, queue)
}

export async function listRemovedWebhooks(db: Db): Promise<string[]> {
  const rows = await db.all(db.build.selectFrom('webhooks').select('id').where('state', '=', 'removed'))
  return rows.map(({ id }) => id)
}

/** Call once nothing refers to it any more. */
export async function deleteWebhook(db: Tx, id: string): Promise<void> {
  await deleteRows(db, 'webhook_views', { webhook_id: id })
  await deleteRows(db, 'webhooks', { id })
}

const enabledQueues = statement((build) =>
  build
    .selectFrom('webhooks')
    .select(['id', 'revision', 'position', 'replay_after'])
    .where('state', '=', 'enabled')
    .orderBy('id'),
)

export type QueueState = Pick<WebhookRow, 'id' | 'revision' | 'position' | 'replay_after'>

export async function listQueues(db: Db): Promise<QueueState[]> {
  return db.all(enabledQueues({}))
}

const signal = statement((build) =>
  build
    .selectFrom('log')
    .leftJoin('versions', (join) => join.on('versions.scope', '=', 'webhooks'))
    .select(['log.last_seq', 'versions.version']),
)

/** Tells whether there is work: the end of the log and the version of the webhooks. */
export async function readSignal(db: Db): Promise<{ lastSeq: number; version: number }> {
  const row = (await db.first(signal({})))!
  return { lastSeq: row.last_seq, version: row.version ?? 0 }
}

/** A webhook with its position in the log and its encrypted secrets. */
export type StoredWebhook = ReturnType<typeof readWebhook>

function readWebhook(row: WebhookRow) {
  return {
    id: row.id,
    userId: row.user_id,
    url: row.url,
    types: row.types === null ? null : (JSON.parse(row.types) as EventType[]),
    inboxes: row.inboxes === null ? null : (JSON.parse(row.inboxes) as number[]),
    state: row.state,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    revision: row.revision,
    secret: row.secret,
    oldSecret: row.old_secret,
    oldSecretUntil: row.old_secret_until,
    position: row.position,
    previousSeq: row.previous_seq,
    skipUntil: row.skip_until,
    replay:
      row.replay_after === null || row.replay_until === null
        ? null
        : { after: row.replay_after, until: row.replay_until, previousSeq: row.replay_previous },
    failingSince: row.failing_since,
  }
}
