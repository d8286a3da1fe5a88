import { beforeCommit } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { currentSeq } from '../log/events.ts'
import { statement, textQuery } from '../statement.ts'
import { upsert } from '../rows.ts'

/**
 * A webhook gets what its owner could see when the event happened, however late it is delivered. So whenever people,
 * their inboxes or the inboxes change, the same commit records what each webhook sees from that position in the log on.
 * Events of that commit itself still belong to the previous view.
 */
export function recordViews(db: Tx): void {
  beforeCommit(db, 'webhook views', async () => {
    const webhooks = await db.all(
      db.build
        .selectFrom('webhooks')
        .innerJoin('users', 'users.id', 'webhooks.user_id')
        .select(['webhooks.id', 'webhooks.inboxes', 'webhooks.user_id', 'users.role', 'users.removed_at'])
        .where('webhooks.state', '<>', 'removed'),
    )
    if (webhooks.length === 0) return
    const seq = await currentSeq(db)
    const all = await db.all(
      db.build.selectFrom('inboxes').select('number').where('removed_at', 'is', null).orderBy('number'),
    )
    const given = await db.all(db.build.selectFrom('user_inboxes').selectAll())
    for (const { id, inboxes, user_id, role, removed_at } of webhooks) {
      const asked = inboxes === null ? null : new Set(JSON.parse(inboxes) as number[])
      const own = new Set(given.filter((each) => each.user_id === user_id).map(({ inbox }) => inbox))
      const seen = all
        .map(({ number }) => number)
        .filter((number) => role === 'admin' || own.has(number))
        .filter((number) => asked === null || asked.has(number))
      await saveView(db, id, seq, removed_at === null ? seen : [])
    }
  })
}

async function saveView(db: Tx, webhook_id: string, after_seq: number, seen: number[]): Promise<void> {
  const inboxes = JSON.stringify(seen)
  const last = await db.first(
    textQuery<{ inboxes: string }>(
      'SELECT inboxes FROM webhook_views WHERE webhook_id = ? ORDER BY after_seq DESC LIMIT 1',
      [webhook_id],
    ),
  )
  if (last?.inboxes !== inboxes) await upsert(db, 'webhook_views', { webhook_id, after_seq }, { inboxes })
}

export type WebhookView = Awaited<ReturnType<typeof readViews>>[number]

const viewsOf = statement((build, { id }: { id: string }) =>
  build.selectFrom('webhook_views').selectAll().where('webhook_id', '=', id).orderBy('after_seq', 'desc'),
)

/** Newest first. Read views after the events they apply to: a view is committed before the events it covers. */
export async function readViews(db: Db, webhookId: string) {
  const rows = await db.all(viewsOf({ id: webhookId }))
  return rows.map(({ after_seq, inboxes }) => ({
    afterSeq: after_seq,
    inboxes: new Set(JSON.parse(inboxes) as number[]),
  }))
}

/** Deletes views that ended before the oldest event still in the log. */
export async function pruneViews(db: Tx, prunedSeq: number): Promise<void> {
  await db.run(
    textQuery(
      `DELETE FROM webhook_views WHERE after_seq < (
         SELECT max(later.after_seq) FROM webhook_views AS later
         WHERE later.webhook_id = webhook_views.webhook_id AND later.after_seq <= ?)`,
      [prunedSeq],
    ),
  )
}
