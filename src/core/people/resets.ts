import { person, type Actor, type User } from '../../model/access.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { deleteLinks, listLinks } from '../../store/people/links.ts'
import { findUserByEmail, listUsers } from '../../store/people/users.ts'
import { findTeammate } from '../access/access.ts'
import { issueLink, linkEnded, requireLink } from './invitations.ts'
import { replacePassword } from './new-password.ts'
import { hashPassword } from '../access/passwords.ts'
import { hashSecret } from '../access/secrets.ts'
import { accountName, beginSession, requireAdmin, type Begun } from '../access/sessions.ts'
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
    const data = JSON.stringify({ userId, by: actor.id } satisfies ResetData)
    return issueLink(spool, db, 'reset', { kind: 'reset', email, data, life: resetLife })
  })
}

const mailedResetLife = 3_600_000
/** More would only fill a mailbox: each of these links still works. */
const mostMailedResets = 3

/**
 * A link that a person asked for themselves, to be mailed to them; null if there is no such person or they were sent
 * enough. It replaces no other link, so that a stranger who asks takes nothing from the person.
 */
export async function issueOwnReset(
  spool: Spool,
  email: string,
): Promise<{ user: User; url: string } | null> {
  return transaction(spool.db, async (db) => {
    const user = await findUserByEmail(db, accountName(email))
    if (!user || user.removedAt !== null) return null
    const open = await listLinks(db, 'reset', spool.now())
    const own = open.filter((link) => link.email === user.email && readData(link).by === null)
    if (own.length >= mostMailedResets) return null
    const data = JSON.stringify({ userId: user.id, by: null } satisfies ResetData)
    const link = { kind: 'reset', email: user.email, data, life: mailedResetLife } as const
    return { user, url: (await issueLink(spool, db, 'reset', link)).url }
  })
}

/** `by`: the admin who made it; null if the person asked for it themselves. */
interface ResetData {
  userId: string
  by: string | null
}

function readData({ data }: { data: string }): ResetData {
  return JSON.parse(data) as ResetData
}

/** The person the link is for; invalid once they are removed or its creator is no longer an admin. */
async function findReset(spool: Spool, db: Db, hash: Buffer): Promise<User> {
  const { userId, by } = readData(await requireLink(spool, db, 'reset', hash))
  const people = await listUsers(db)
  const user = people.find(({ id }) => id === userId)
  const isGood = by === null || people.find(({ id }) => id === by)?.role === 'admin'
  if (!user || !isGood) throw linkEnded('reset')
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
