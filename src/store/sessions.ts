import type { Role, User } from '../model/access.ts'
import type { Db, Tx } from './db.ts'
import { touch } from './versions.ts'

export interface SessionRecord {
  id: string
  user: User
  createdAt: number
  lastSeenAt: number
  endsAt: number
}

export async function insertSession(
  db: Tx,
  session: { id: string; hash: Uint8Array; userId: string; createdAt: number; endsAt: number },
): Promise<void> {
  const { id, hash, userId, createdAt, endsAt } = session
  await db.run(
    db.build.insertInto('sessions').values({
      id,
      hash,
      user_id: userId,
      created_at: createdAt,
      last_seen_at: createdAt,
      ends_at: endsAt,
    }),
  )
}

/** By the hash of its cookie or by its id, with its user as of now; none of somebody who was removed. */
export async function findSession(
  db: Db,
  by: { hash: Uint8Array } | { id: string },
): Promise<SessionRecord | undefined> {
  const query = db.build
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.created_at', 'last_seen_at', 'ends_at'])
    .select(['users.id as user_id', 'email', 'name', 'role'])
    .where('users.removed_at', 'is', null)
  const row = await db.first(
    'id' in by ? query.where('sessions.id', '=', by.id) : query.where('sessions.hash', '=', by.hash),
  )
  if (!row) return undefined
  return {
    id: row.id,
    user: { id: row.user_id, email: row.email, name: row.name, role: row.role as Role },
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    endsAt: row.ends_at,
  }
}

export async function prolongSession(db: Tx, id: string, seenAt: number, endsAt: number): Promise<void> {
  await db.run(
    db.build.updateTable('sessions').set({ last_seen_at: seenAt, ends_at: endsAt }).where('id', '=', id),
  )
}

export async function deleteSession(db: Tx, id: string): Promise<void> {
  touch(db, 'access')
  await db.run(db.build.deleteFrom('sessions').where('id', '=', id))
}

export async function deleteSessionsOfUser(db: Tx, userId: string): Promise<void> {
  touch(db, 'access')
  await db.run(db.build.deleteFrom('sessions').where('user_id', '=', userId))
}

export async function deleteEndedSessions(db: Tx, now: number): Promise<void> {
  await db.run(db.build.deleteFrom('sessions').where('ends_at', '<=', now))
}

export async function findPassword(
  db: Db,
  email: string,
): Promise<{ user: User; password: string } | undefined> {
  const row = await db.first(
    db.build
      .selectFrom('users')
      .select(['id', 'email', 'name', 'role', 'password'])
      .where('email', '=', email)
      .where('removed_at', 'is', null),
  )
  if (!row?.password) return undefined
  const { id, name, role, password } = row
  return { user: { id, email: row.email, name, role: role as Role }, password }
}
