import type { Selectable } from 'kysely'
import type { MailServerKind } from '../../model/mail/server.ts'
import type { Db, Tx } from '../db.ts'
import type { Tables } from '../tables.ts'
import { deleteRows, findRow, updateRows, upsert } from '../rows.ts'

export async function listMailServers(db: Db, kind: MailServerKind): Promise<StoredMailServer[]> {
  const rows = await db.all(
    db.build.selectFrom('mail_servers').selectAll().where('kind', '=', kind).orderBy('inbox'),
  )
  return rows.map(readMailServer)
}

export async function findMailServer(db: Db, inbox: number, kind: MailServerKind) {
  const row = await findRow(db, 'mail_servers', { inbox, kind })
  return row && readMailServer(row)
}

export async function saveMailServer(db: Tx, server: Omit<StoredMailServer, 'askedAt'>): Promise<void> {
  const { inbox, kind, host, port, security, user, password, options } = server
  const values = { host, port, security, user_name: user, password, options: JSON.stringify(options) }
  await upsert(db, 'mail_servers', { inbox, kind }, values)
}

export async function deleteMailServer(db: Tx, inbox: number, kind: MailServerKind): Promise<void> {
  await deleteRows(db, 'mail_servers', { inbox, kind })
}

/** Changes the row, so that the worker following the mailbox sees new settings and starts over. */
export async function askMailServer(db: Tx, inbox: number, kind: MailServerKind, at: number): Promise<void> {
  await updateRows(db, 'mail_servers', { inbox, kind }, { asked_at: at })
}

export type StoredMailServer = ReturnType<typeof readMailServer>

function readMailServer(row: Selectable<Tables['mail_servers']>) {
  return {
    inbox: row.inbox,
    kind: row.kind,
    host: row.host,
    port: row.port,
    security: row.security,
    user: row.user_name,
    password: row.password,
    options: JSON.parse(row.options) as Record<string, string>,
    askedAt: row.asked_at,
  }
}
