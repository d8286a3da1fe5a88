import type { Selectable } from 'kysely'
import type { User } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, insertRow, updateRows } from '../rows.ts'
import { touch } from '../log/versions.ts'
import type { Tables } from '../tables.ts'

export async function insertSession(
  db: Tx,
  session: Omit<SessionRecord, 'user' | 'lastSeenAt'> & { hash: Uint8Array; userId: string },
): Promise<void> {
  const { id, hash, userId, device, createdAt, endsAt } = session
  await insertRow(db, 'sessions', {
    id,
    hash,
    user_id: userId,
    device,
    created_at: createdAt,
    last_seen_at: createdAt,
    ends_at: endsAt,
  })
  await updateRows(db, 'users', { id: userId }, { last_seen_at: createdAt })
}

function sessionsOf(db: Db) {
  return db.build
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select(['email', 'name', 'role'])
    .where('users.removed_at', 'is', null)
}

/** By the hash of its cookie or by its id, with the current user; undefined if the user was removed. */
export async function findSession(db: Db, by: { hash: Uint8Array } | { id: string }) {
  const query = sessionsOf(db)
  const row = await db.first(
    'id' in by ? query.where('sessions.id', '=', by.id) : query.where('sessions.hash', '=', by.hash),
  )
  return row && readSession(row)
}

/** Most recently used first. */
export async function listSessionsOfUser(db: Db, userId: string, now: number): Promise<SessionRecord[]> {
  const rows = await db.all(
    sessionsOf(db)
      .where('user_id', '=', userId)
      .where('ends_at', '>', now)
      .orderBy('sessions.last_seen_at', 'desc')
      .orderBy('sessions.id', 'desc'),
  )
  return rows.map(readSession)
}

export type SessionRecord = ReturnType<typeof readSession>

function readSession(row: Selectable<Tables['sessions']> & Omit<User, 'id'>) {
  return {
    id: row.id,
    user: { id: row.user_id, email: row.email, name: row.name, role: row.role },
    device: row.device,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    endsAt: row.ends_at,
  }
}

export async function prolongSession(db: Tx, id: string, seenAt: number, endsAt: number): Promise<void> {
  await updateRows(db, 'sessions', { id }, { last_seen_at: seenAt, ends_at: endsAt })
  await db.run(
    db.build
      .updateTable('users')
      .set({ last_seen_at: seenAt })
      .where('id', '=', (where) => where.selectFrom('sessions').select('user_id').where('id', '=', id)),
  )
}

export async function deleteSession(db: Tx, id: string): Promise<void> {
  touch(db, 'access')
  await deleteRows(db, 'sessions', { id })
}

/** Deletes all sessions of a user, or all but one. */
export async function deleteSessionsOfUser(
  db: Tx,
  userId: string,
  except: string | null = null,
): Promise<void> {
  touch(db, 'access')
  const all = db.build.deleteFrom('sessions').where('user_id', '=', userId)
  await db.run(except === null ? all : all.where('id', '!=', except))
}

export async function deleteEndedSessions(db: Tx, now: number): Promise<void> {
  await db.run(db.build.deleteFrom('sessions').where('ends_at', '<=', now))
}

/** Undefined for a user who was removed or has no password. */
export async function findPassword(db: Db, by: { email: string } | { id: string }) {
  const query = db.build
    .selectFrom('users')
    .select(['id', 'email', 'name', 'role', 'password'])
    .where('removed_at', 'is', null)
  const row = await db.first('id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email))
  if (!row?.password) return undefined
  const { id, name, role, password } = row
  return { user: { id, email: row.email, name, role }, password }
}
