import type { Inbox } from '../../src/model/access.ts'
import type { Spool } from '../../src/core/spool.ts'
import { transaction } from '../../src/store/database.ts'
import { textQuery } from '../../src/store/statement.ts'

/** Copies an inbox's first thread many times, faster than mail could. Only for counts: the copies have no messages. */
export async function growInbox({ db }: Spool, inbox: Inbox, from: number, to: number): Promise<void> {
  await transaction(db, (db) => db.run(textQuery(growSql(db.dialect), [from, to, inbox.number])))
}

function growSql(dialect: 'sqlite' | 'postgres'): string {
  const number = dialect === 'sqlite' ? '?' : 'CAST(? AS BIGINT)'
  return `INSERT INTO threads (id, inbox, timestamp, status, message_count, note_count,
      attachment_count, draft_count, created_at, updated_at, revision, last_inbound, sender_address)
    WITH RECURSIVE n (i) AS (SELECT ${number} UNION ALL SELECT i + 1 FROM n WHERE i < ${number})
    SELECT t.id || n.i, t.inbox, t.timestamp - n.i, t.status, 1, 0, 0, 0,
      t.created_at, t.updated_at, 1, 0, t.sender_address
    FROM n CROSS JOIN (SELECT * FROM threads WHERE inbox = ${number} ORDER BY number LIMIT 1) t`
}
