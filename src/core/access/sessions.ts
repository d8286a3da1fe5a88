import { requirePerson } from './access.ts'
import { hash, randomBytes } from 'node:crypto'
import type { Actor, User } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import type { SessionView } from '../../model/session.ts'
import { toTime } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOfUser,
  findPassword,
  findSession,
  insertSession,
  listSessionsOfUser,
  prolongSession,
} from '../../store/people/sessions.ts'
import { markBrowser } from './known-browsers.ts'
import { checkPassword } from './passwords.ts'
import type { Spool } from '../spool.ts'

export type SignedIn = Extract<Actor, { type: 'person' }> & { session: string }

const day = 86_400_000
/** A session ends when it was not used for two weeks, and at the latest after three months. */
const idleLife = 14 * day
const longestLife = 90 * day
const minute = 60_000

/** A session that has just begun; its secret goes to the browser and is kept nowhere else. */
export interface Begun {
  secret: string
  /** By which the browser is known when it comes to sign in again. */
  browser: string
  actor: SignedIn
}

/** As accounts are stored: however somebody writes the address, it is one name. */
export function accountName(email: string): string {
  return email.trim().toLowerCase()
}

export async function signIn(
  spool: Spool,
  email: string,
  password: string,
  device: string | null = null,
): Promise<Begun> {
  const known = await findPassword(spool.db, { email: accountName(email) })
  if (!(await checkPassword(password, known?.password ?? null)) || !known)
    throw new SpoolError('unauthorized', 'E-mail address or password is wrong; check both and try again.')
  return transaction(spool.db, async (db) => {
    // Somebody who was removed, or got another password, between the check and here does not get in.
    const still = await findPassword(db, { id: known.user.id })
    if (still?.password !== known.password)
      throw new SpoolError('unauthorized', 'The password has just changed; sign in with the new one.')
    return beginSession(spool, db, still.user, device)
  })
}

const longestDevice = 200

/** Kept on the server: the browser has a random name for it and the store only that name's hash. */
export async function beginSession(spool: Spool, db: Tx, user: User, device: string | null): Promise<Begun> {
  const now = spool.now()
  const secret = randomBytes(32).toString('base64url')
  const id = newId('ses', now)
  await deleteEndedSessions(db, now)
  await insertSession(db, {
    id,
    hash: hashSecret(secret),
    userId: user.id,
    device: device?.replace(/[^\x20-\x7e]/g, '').slice(0, longestDevice) || null,
    createdAt: now,
    endsAt: now + idleLife,
  })
  const actor = { type: 'person', id: user.id, name: user.name, user, session: id } as const
  return { secret, browser: await markBrowser(spool, db, user.id), actor }
}

/** Null when there is none, or it has ended. */
export async function resumeSession(spool: Spool, secret: string): Promise<SignedIn | null> {
  const session = await findSession(spool.db, { hash: hashSecret(secret) })
  const now = spool.now()
  if (!session || session.endsAt <= now) return null
  if (now - session.lastSeenAt > minute) {
    const endsAt = Math.min(now + idleLife, session.createdAt + longestLife)
    await transaction(spool.db, (db) => prolongSession(db, session.id, now, endsAt))
  }
  const { user } = session
  return { type: 'person', id: user.id, name: user.name, user, session: session.id }
}

/** The session as it is now, without counting as use of it; null when it has ended. */
export async function renewSession(
  spool: Spool,
  { session: id }: SignedIn,
  db: Db = spool.db,
): Promise<{ actor: SignedIn; endsAt: number } | null> {
  const session = await findSession(db, { id })
  if (!session || session.endsAt <= spool.now()) return null
  const { user, endsAt } = session
  return { actor: { type: 'person', id: user.id, name: user.name, user, session: id }, endsAt }
}

export async function signOut(spool: Spool, actor: SignedIn): Promise<void> {
  await transaction(spool.db, (db) => deleteSession(db, actor.session))
}

/** One's own, last used first. */
export async function listSessions(spool: Spool, actor: SignedIn): Promise<SessionView[]> {
  const sessions = await listSessionsOfUser(spool.db, actor.id, spool.now())
  return sessions.map(({ id, device, createdAt, lastSeenAt }) => ({
    id,
    device,
    createdAt: toTime(createdAt),
    lastSeenAt: toTime(lastSeenAt),
    current: id === actor.session,
  }))
}

export async function endSession(spool: Spool, actor: SignedIn, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    const session = await findSession(db, { id })
    if (session?.user.id !== actor.id)
      throw new SpoolError('not_found', 'You have no such session; it may have ended already.')
    await deleteSession(db, id)
  })
}

export async function signOutEverywhere(spool: Spool, actor: SignedIn): Promise<void> {
  await transaction(spool.db, (db) => deleteSessionsOfUser(db, actor.id))
}

/** Who acts, as of this very moment: with the role they have now, and refused once they are signed out. */
export async function renewActor(spool: Spool, db: Db, actor: Actor): Promise<Actor> {
  if (actor.type !== 'person' || actor.session === undefined) return actor
  const session = await renewSession(spool, actor as SignedIn, db)
  if (!session) throw sessionEnded()
  return session.actor
}

export function sessionEnded(): SpoolError {
  return new SpoolError('unauthorized', 'You are not signed in, or your session has ended; sign in again.')
}

/** As of this very moment: who was made something less, or signed out, is refused. Whoever runs the command line may. */
export async function requireAdmin(spool: Spool, db: Db, actor: Actor): Promise<void> {
  if (actor.type === 'system') return
  const signedIn = actor.type === 'person' && actor.session ? (actor as SignedIn) : null
  const session = signedIn && (await renewSession(spool, signedIn, db))
  if (session?.actor.user.role !== 'admin')
    throw new SpoolError('forbidden', 'Only an admin can do this; ask one.')
}

/** Who acts must be signed in at this very moment, and is taken with the name and role they have now. */
export async function requireSignedIn(spool: Spool, db: Db, actor: Actor): Promise<SignedIn> {
  const { session: id, user } = requirePerson(actor)
  const session = id === undefined ? undefined : await findSession(db, { id })
  if (!session || session.user.id !== user.id || session.endsAt <= spool.now())
    throw new SpoolError('forbidden', 'Only a person who is signed in can send; sign in first.')
  const signedIn = {
    type: 'person',
    id: user.id,
    name: session.user.name,
    user: session.user,
    session: session.id,
  } as const
  requirePerson(signedIn)
  return signedIn
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
