import { person, type Actor, type User } from '../../model/access.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { deleteLinks } from '../../store/people/links.ts'
import { listUsers } from '../../store/people/users.ts'
import { findTeammate } from '../access/access.ts'
import { issueLink, linkEnded, requireLink } from './invitations.ts'
import { replacePassword } from './new-password.ts'
import { hashPassword } from '../access/passwords.ts'
import { hashSecret } from '../access/secrets.ts'
import { beginSession, requireAdmin, type Begun } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

const resetLife = 24 * 3_600_000

/** An admin creates a link for somebody who forgot their password; a newer one replaces it. */
export async function offerReset(
  spool: Spool,
  actor: Actor,
  userId: string,
): Promise<{ url: string; endsAt: number }> {
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const { email } = await findTeammate(db, userId)
    await deleteLinks(db, 'reset', email)
    const data = JSON.stringify({ userId, by: actor.id })
    return issueLink(spool, db, 'reset', { kind: 'reset', email, data, life: resetLife })
  })
}

/** The person the link is for; invalid once they are removed or its creator is no longer an admin. */
async function findReset(spool: Spool, db: Db, hash: Buffer): Promise<User> {
  const { data } = await requireLink(spool, db, 'reset', hash)
  const { userId, by } = JSON.parse(data) as { userId: string; by: string }
  const people = await listUsers(db)
  const user = people.find(({ id }) => id === userId)
  if (!user || people.find(({ id }) => id === by)?.role !== 'admin') throw linkEnded('reset')
  return user
}

export async function readReset(spool: Spool, token: string): Promise<{ email: string; name: string }> {
  const { email, name } = await findReset(spool, spool.db, hashSecret(token))
  return { email, name }
}

/** Sets the new password and signs them in; all other sessions, tokens and webhooks end. */
export async function acceptReset(
  spool: Spool,
  token: string,
  wanted: string,
  device: string | null,
): Promise<Begun> {
  const link = hashSecret(token)
  await findReset(spool, spool.db, link)
  const password = await hashPassword(wanted)
  return transaction(spool.db, async (db) => {
    const user = await findReset(spool, db, link)
    await replacePassword(db, user, password, { actor: person(user), now: spool.now() })
    return beginSession(spool, db, user, device)
  })
}
