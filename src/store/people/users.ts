import type { Selectable, Updateable } from 'kysely'
import type { User } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, findRow, insertRow, updateRows } from '../rows.ts'
import type { Tables } from '../tables.ts'
import { touch } from '../log/versions.ts'
import { recordViews } from '../webhooks/views.ts'

export async function findUserByEmail(db: Db, email: string): Promise<UserRecord | undefined> {
  const row = await findRow(db, 'users', { email: email.toLowerCase() })
  return row && readUser(row)
}

export async function findUserById(db: Db, id: string): Promise<UserRecord | undefined> {
  const row = await findRow(db, 'users', { id })
  return row && readUser(row)
}

/** Including removed users. */
export async function listAllUsers(db: Db): Promise<UserRecord[]> {
  return inOrder(await db.all(db.build.selectFrom('users').selectAll()))
}

export async function listUsers(db: Db): Promise<UserRecord[]> {
  return inOrder(await db.all(db.build.selectFrom('users').selectAll().where('removed_at', 'is', null)))
}

/** Sorted here: PostgreSQL would compare addresses in its own language. */
function inOrder(rows: readonly Selectable<Tables['users']>[]): UserRecord[] {
  return rows.map(readUser).sort((one, other) => (one.email < other.email ? -1 : 1))
}

export async function insertUser(
  db: Tx,
  user: User & { password: string | null; createdAt: number },
): Promise<void> {
  touch(db, 'access')
  recordViews(db)
  const { id, email, name, role, password, createdAt } = user
  await insertRow(db, 'users', { id, email, name, role, password, created_at: createdAt })
}

type UserChange = Pick<Updateable<Tables['users']>, 'name' | 'role' | 'password' | 'removed_at'>

export async function updateUser(db: Tx, id: string, change: UserChange): Promise<void> {
  touch(db, 'access')
  recordViews(db)
  if (Object.keys(change).length === 0) return
  await updateRows(db, 'users', { id }, change)
}

/** Inboxes a person was given; none once they are removed. Admins see all, whatever is stored here. */
export async function inboxesOfUser(db: Db, userId: string): Promise<number[]> {
  const rows = await db.all(
    db.build
      .selectFrom('user_inboxes')
      .innerJoin('users', 'users.id', 'user_inboxes.user_id')
      .select('inbox')
      .where('user_id', '=', userId)
      .where('users.removed_at', 'is', null)
      .orderBy('inbox'),
  )
  return rows.map((row) => row.inbox)
}

export async function inboxesOfUsers(db: Db): Promise<{ userId: string; inbox: number }[]> {
  return db.all(db.build.selectFrom('user_inboxes').select(['user_id as userId', 'inbox']))
}

export async function setInboxesOfUser(db: Tx, userId: string, inboxes: readonly number[]): Promise<void> {
  touch(db, 'access')
  recordViews(db)
  await deleteRows(db, 'user_inboxes', { user_id: userId })
  // An inbox named twice, such as by id and by address, is stored once.
  for (const inbox of new Set(inboxes)) await insertRow(db, 'user_inboxes', { user_id: userId, inbox })
}

/** Everyone who can see the inbox: those who were given it, and admins. */
export async function readersOfInbox(db: Db, inbox: number): Promise<string[]> {
  const rows = await db.all(
    db.build
      .selectFrom('users')
      .select('id')
      .where('removed_at', 'is', null)
      .where((where) =>
        where.or([
          where('role', '=', 'admin'),
          where('id', 'in', where.selectFrom('user_inboxes').select('user_id').where('inbox', '=', inbox)),
        ]),
      )
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

export type UserRecord = ReturnType<typeof readUser>

function readUser(row: Selectable<Tables['users']>) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    hasPassword: row.password !== null,
    createdAt: row.created_at,
    removedAt: row.removed_at,
    lastSeenAt: row.last_seen_at,
  }
}
