import { hash, randomBytes } from 'node:crypto'
import type { Actor } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import { newId } from '../model/ids.ts'
import { transaction } from '../store/database.ts'
import type { Db } from '../store/db.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findPassword,
  findSession,
  insertSession,
  prolongSession,
} from '../store/sessions.ts'
import { requirePerson } from './draft-access.ts'
import { checkPassword } from './passwords.ts'
import type { Spool } from './spool.ts'

export type SignedIn = Extract<Actor, { type: 'person' }> & { session: string }

const day = 86_400_000
/** A session ends when it was not used for two weeks, and at the latest after three months. */
const idleLife = 14 * day
const longestLife = 90 * day
const minute = 60_000

/** Kept on the server: the browser has a random name for it and the store only that name's hash. */
export async function signIn(
  spool: Spool,
  email: string,
  password: string,
): Promise<{ secret: string; actor: SignedIn }> {
  const known = await findPassword(spool.db, email.trim().toLowerCase())
  if (!(await checkPassword(password, known?.password ?? null)) || !known)
    throw new SpoolError('unauthorized', 'E-mail address or password is wrong; check both and try again.')
  const secret = randomBytes(32).toString('base64url')
  const now = spool.now()
  const id = newId('ses', now)
  await transaction(spool.db, async (db) => {
    await deleteEndedSessions(db, now)
    // Somebody who was removed, or got another password, between the check and here does not get in.
    const still = await findPassword(db, known.user.email)
    if (still?.password !== known.password)
      throw new SpoolError('unauthorized', 'The password has just changed; sign in with the new one.')
    await insertSession(db, {
      id,
      hash: hashSecret(secret),
      userId: known.user.id,
      createdAt: now,
      endsAt: now + idleLife,
    })
  })
  return {
    secret,
    actor: { type: 'person', id: known.user.id, name: known.user.name, user: known.user, session: id },
  }
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
): Promise<{ actor: SignedIn; endsAt: number } | null> {
  const session = await findSession(spool.db, { id })
  if (!session || session.endsAt <= spool.now()) return null
  const { user, endsAt } = session
  return { actor: { type: 'person', id: user.id, name: user.name, user, session: id }, endsAt }
}

export async function signOut(spool: Spool, actor: SignedIn): Promise<void> {
  await transaction(spool.db, (db) => deleteSession(db, actor.session))
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
