import { requirePerson } from './access.ts'
import { randomBytes } from 'node:crypto'
import type { Actor, User } from '../../model/access.ts'
import { SpoolError, StoreUnavailable } from '../../model/errors.ts'
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
import type { Standing } from './password-gate.ts'
import { checkPassword } from './passwords.ts'
import { hashSecret } from './secrets.ts'
import type { Spool } from '../spool.ts'

export type SignedIn = Extract<Actor, { type: 'person' }> & { session: string }

const day = 86_400_000
/** A session expires after two weeks without use, and after three months at the latest. */
const idleLife = 14 * day
const longestLife = 90 * day
const minute = 60_000

/** A new session; its secret goes to the browser and is stored nowhere else. */
export interface Begun {
  secret: string
  /** Identifies this browser at the next sign-in. */
  browser: string
  actor: SignedIn
}

/** The form in which accounts store an address: case and surrounding spaces do not matter. */
export function accountName(email: string): string {
  return email.trim().toLowerCase()
}

export async function signIn(
  spool: Spool,
  email: string,
  password: string,
  { device, standing }: { device: string | null; standing: Standing } = { device: null, standing: 'known' },
): Promise<Begun> {
  const known = await findPassword(spool.db, { email: accountName(email) })
  if (!(await checkPassword(password, known?.password ?? null, standing)) || !known)
    throw new SpoolError('unauthorized', 'The e-mail address or password is wrong. Check both and try again.')
  return transaction(spool.db, async (db) => {
    // Reject somebody who was removed or got another password since the check.
    const still = await findPassword(db, { id: known.user.id })
    if (still?.password !== known.password)
      throw new SpoolError('unauthorized', 'The password was just changed. Sign in with the new one.')
    return beginSession(spool, db, still.user, device)
  })
}

const longestDevice = 200

/** The browser holds a random secret; the store keeps only its hash. */
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
  return { secret, browser: await markBrowser(spool, db, user.id), actor: signedInAs(user, id) }
}

/** A store that takes no writes can still be read. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}

function signedInAs(user: User, session: string): SignedIn {
  return { type: 'person', id: user.id, name: user.name, user, session }
}

/** Null if there is none or it has expired. */
export async function resumeSession(spool: Spool, secret: string): Promise<SignedIn | null> {
  const session = await findSession(spool.db, { hash: hashSecret(secret) })
  const now = spool.now()
  if (!session || session.endsAt <= now) return null
  if (now - session.lastSeenAt > minute) {
    const endsAt = Math.min(now + idleLife, session.createdAt + longestLife)
    await transaction(spool.db, (db) => prolongSession(db, session.id, now, endsAt)).catch(unlessUnavailable)
  }
  return signedInAs(session.user, session.id)
}

/** The current session, without counting as use; null once expired. */
export async function renewSession(
  spool: Spool,
  { session: id }: SignedIn,
  db: Db = spool.db,
): Promise<{ actor: SignedIn; endsAt: number } | null> {
  const session = await findSession(db, { id })
  if (!session || session.endsAt <= spool.now()) return null
  return { actor: signedInAs(session.user, id), endsAt: session.endsAt }
}

export async function signOut(spool: Spool, actor: SignedIn): Promise<void> {
  await transaction(spool.db, (db) => deleteSession(db, actor.session))
}

/** One's own sessions, most recently used first. */
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
      throw new SpoolError('not_found', 'This session does not exist. It may have expired.')
    await deleteSession(db, id)
  })
}

export async function signOutEverywhere(spool: Spool, actor: SignedIn): Promise<void> {
  await transaction(spool.db, (db) => deleteSessionsOfUser(db, actor.id))
}

/** The actor as of now: with their current role, and refused once signed out. */
export async function renewActor(spool: Spool, db: Db, actor: Actor): Promise<Actor> {
  if (actor.type !== 'person' || actor.session === undefined) return actor
  const session = await renewSession(spool, actor as SignedIn, db)
  if (!session) throw sessionEnded()
  return session.actor
}

export function sessionEnded(): SpoolError {
  return new SpoolError('unauthorized', 'You are not signed in, or your session has expired. Sign in again.')
}

/**
 * Checked against the current session: somebody demoted or signed out is refused. The command line is always allowed.
 */
export async function requireAdmin(spool: Spool, db: Db, actor: Actor): Promise<void> {
  if (actor.type === 'system') return
  const signedIn = actor.type === 'person' && actor.session ? (actor as SignedIn) : null
  const session = signedIn && (await renewSession(spool, signedIn, db))
  if (session?.actor.user.role !== 'admin')
    throw new SpoolError('forbidden', 'Only an admin can do this. Ask one of them.')
}

/** Requires a valid session right now; returns the actor with their current name and role. */
export async function requireSignedIn(spool: Spool, db: Db, actor: Actor): Promise<SignedIn> {
  const person = requirePerson(actor)
  const session = person.session === undefined ? null : await renewSession(spool, person as SignedIn, db)
  if (session?.actor.id !== person.user.id)
    throw new SpoolError('forbidden', 'Only a person who is signed in can send. Sign in first.')
  requirePerson(session.actor)
  return session.actor
}
