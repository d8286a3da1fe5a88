import type { Selectable } from 'kysely'
import type { Inbox } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'
import { updateRows } from '../rows.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { touch } from '../log/versions.ts'
import { recordViews } from '../webhooks/views.ts'

type InboxRow = Selectable<Tables['inboxes']>

const activeInboxes = statement((build) =>
  build.selectFrom('inboxes').selectAll().where('removed_at', 'is', null).orderBy('number'),
)

export async function listInboxes(db: Db): Promise<(Inbox & { createdAt: number })[]> {
  return (await db.all(activeInboxes({}))).map(readInbox)
}

export async function insertInbox(
  db: Tx,
  inbox: { id: string; address: string; name: string; aliases: readonly string[]; createdAt: number },
): Promise<Inbox> {
  touch(db, 'access')
  recordViews(db)
  const { id, address, name, createdAt } = inbox
  const aliases = JSON.stringify(inbox.aliases)
  const row = await db.first(
    db.build
      .insertInto('inboxes')
      .values({ id, address, name, aliases, created_at: createdAt })
      // An address that is added again gets its old mail back.
      .onConflict((conflict) => conflict.column('address').doUpdateSet({ name, aliases, removed_at: null }))
      .returningAll(),
  )
  return readInbox(row!)
}

export async function updateInbox(
  db: Tx,
  number: number,
  { aliases, ...change }: { name?: string; aliases?: readonly string[]; removed_at?: number },
): Promise<void> {
  touch(db, 'access')
  recordViews(db)
  const values = { ...change, ...(aliases ? { aliases: JSON.stringify(aliases) } : {}) }
  await updateRows(db, 'inboxes', { number }, values)
}

function readInbox(row: InboxRow): Inbox & { createdAt: number } {
  return {
    number: row.number,
    id: row.id,
    address: row.address,
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    createdAt: row.created_at,
  }
}
