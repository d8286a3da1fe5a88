import { randomBytes } from 'node:crypto'
import type { Actor, User } from '../../model/access.ts'
import { checkName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Invitation, OpenInvitation } from '../../model/settings.ts'
import { transaction } from '../../store/database.ts'
import {
  deleteEndedLinks,
  deleteLink,
  deleteLinks,
  findLink,
  insertLink,
  listLinks,
  type LinkKind,
  type LinkRecord,
} from '../../store/people/links.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { findUserByEmail, listUsers } from '../../store/people/users.ts'
import { toTime } from '../../model/time.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findInbox } from '../access/access.ts'
import { hashPassword } from '../access/passwords.ts'
import { hashSecret } from '../access/secrets.ts'
import { checkAddress, enterPerson, requireOwnName } from './people.ts'
import { beginSession, requireAdmin, type Begun } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

const hour = 3_600_000
const setupLife = hour
const invitationLife = 7 * 24 * hour

/**
 * The secret is in the URL fragment: browsers do not send that part, so no proxy can log it. The store keeps only its
 * hash.
 */
export async function issueLink(
  spool: Spool,
  db: Tx,
  path: string,
  { life, ...link }: Pick<LinkRecord, 'kind' | 'email' | 'data'> & { life: number },
): Promise<{ url: string; endsAt: number }> {
  const secret = randomBytes(32).toString('base64url')
  const createdAt = spool.now()
  const endsAt = createdAt + life
  await deleteEndedLinks(db, createdAt)
  await insertLink(db, hashSecret(secret), { ...link, createdAt, endsAt })
  return { url: `${spool.url}/${path}#${secret}`, endsAt }
}

/** True until the first admin has been created. */
export async function needsSetup({ db }: Spool): Promise<boolean> {
  return !(await hasAdmin(db))
}

/** While there is no admin: a link to create the first one, valid once and for an hour. */
export async function offerSetup(spool: Spool): Promise<{ url: string; endsAt: number } | null> {
  if (await hasAdmin(spool.db)) return null
  const link = { kind: 'setup', email: null, data: '{}', life: setupLife } as const
  return transaction(spool.db, (db) => issueLink(spool, db, 'setup', link))
}

async function hasAdmin(db: Db): Promise<boolean> {
  return (await listUsers(db)).some(({ role }) => role === 'admin')
}

/** Creates the first admin and signs them in. Invalidates every other set-up link. */
export async function setUp(
  spool: Spool,
  wanted: { token: string; email: string; name: string; password: string },
  device: string | null,
): Promise<Begun> {
  const link = hashSecret(wanted.token)
  await requireSetupLink(spool, spool.db, link)
  const person = { email: checkAddress(wanted.email.trim()), name: checkName(wanted.name) }
  const password = await hashPassword(wanted.password)
  return transaction(spool.db, async (db) => {
    await requireSetupLink(spool, db, link)
    await deleteLinks(db, 'setup', null)
    const user = await enterPerson(spool, db, { ...person, role: 'admin', inboxes: [], password })
    return beginSession(spool, db, user, device)
  })
}

/** Refused with the reason if the link can no longer create the first admin. */
export async function checkSetupLink(spool: Spool, token: string): Promise<void> {
  await requireSetupLink(spool, spool.db, hashSecret(token))
}

async function requireSetupLink(spool: Spool, db: Db, link: Buffer): Promise<void> {
  const found = await findLink(db, 'setup', link, spool.now())
  if (await hasAdmin(db))
    throw found
      ? new SpoolError('conflict', 'Spool already has an admin. Ask them for an invitation.')
      : new SpoolError('not_found', 'Spool is already set up. Sign in, or ask an admin for an invitation.')
  if (!found) throw linkEnded('setup')
}

export async function requireLink(spool: Spool, db: Db, kind: LinkKind, hash: Buffer): Promise<LinkRecord> {
  const link = await findLink(db, kind, hash, spool.now())
  if (!link) throw linkEnded(kind)
  return link
}

export function linkEnded(kind: LinkKind): SpoolError {
  return new SpoolError('not_found', ended[kind])
}

const ended: Record<LinkKind, string> = {
  setup:
    'This link was used or is over an hour old. The server prints a new one every hour, and when it starts.',
  invitation: 'This invitation was used or replaced, or is over a week old. Ask for a new one.',
  reset: 'This link was used or replaced, or is over a day old. Ask an admin for a new one.',
  mailbox:
    'This sign-in was not started in this session, is already finished or took longer than 20 minutes. Start it again.',
}

/** An admin creates a link for one person to join; a newer one for the same address replaces it. */
export async function invite(
  spool: Spool,
  actor: Actor,
  wanted: Invitation & { inboxes: readonly string[] },
): Promise<{ url: string; endsAt: number; replaced: boolean }> {
  const email = checkAddress(wanted.email.trim())
  const name = checkName(wanted.name)
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const known = await findUserByEmail(db, email)
    if (known && known.removedAt === null)
      throw new SpoolError('conflict', `There is already a user ${email}.`)
    await requireOwnName(db, name, known?.id ?? null)
    const inboxes: string[] = []
    for (const inbox of wanted.inboxes) inboxes.push((await findInbox(db, inbox)).id)
    const replaced = (await listLinks(db, 'invitation', spool.now())).some((other) => other.email === email)
    await deleteLinks(db, 'invitation', email)
    const data = JSON.stringify({ name, role: wanted.role, inboxes, by: actor.id })
    const link = { kind: 'invitation', email, data, life: invitationLife } as const
    return { ...(await issueLink(spool, db, 'invitations', link)), replaced }
  })
}

type InvitationData = Pick<User, 'name' | 'role'> & { inboxes: string[]; by: string }

/** The link's contents; invalid once its creator is no longer an admin. */
async function findInvitation(
  spool: Spool,
  db: Db,
  hash: Buffer,
): Promise<InvitationData & { email: string }> {
  const { email, data } = await requireLink(spool, db, 'invitation', hash)
  const invitation = JSON.parse(data) as InvitationData
  const by = (await listUsers(db)).find(({ id }) => id === invitation.by)
  if (by?.role !== 'admin') throw linkEnded('invitation')
  return { ...invitation, email: email! }
}

export async function readInvitation(spool: Spool, token: string): Promise<Invitation> {
  const { email, name, role } = await findInvitation(spool, spool.db, hashSecret(token))
  return { email, name, role }
}

/** The invited person joins with their own password and is signed in at once. */
export async function acceptInvitation(
  spool: Spool,
  token: string,
  own: { name: string | null; password: string },
  device: string | null,
): Promise<Begun> {
  const link = hashSecret(token)
  await findInvitation(spool, spool.db, link)
  const chosen = own.name === null ? null : checkName(own.name)
  const password = await hashPassword(own.password)
  return transaction(spool.db, async (db) => {
    const { email, name, role, inboxes } = await findInvitation(spool, db, link)
    // Skip inboxes that were removed in the meantime.
    const there = new Set((await listInboxes(db)).map(({ id }) => id))
    const given = inboxes.filter((id) => there.has(id))
    const person = { email, name: chosen ?? name, role, inboxes: given, password }
    return beginSession(spool, db, await enterPerson(spool, db, person), device)
  })
}

/** Invitations that can still be accepted. Their id is the hash of the secret, which does not reveal it. */
export async function listInvitations(spool: Spool): Promise<OpenInvitation[]> {
  const people = new Map((await listUsers(spool.db)).map(({ id, role }) => [id, role]))
  return (await listLinks(spool.db, 'invitation', spool.now())).flatMap((link) => {
    const { name, role, inboxes, by } = JSON.parse(link.data) as InvitationData
    if (people.get(by) !== 'admin') return []
    return {
      id: Buffer.from(link.hash).toString('hex'),
      email: link.email!,
      name,
      role,
      inboxes: role === 'admin' ? null : inboxes,
      createdAt: toTime(link.createdAt),
      expiresAt: toTime(link.endsAt),
    }
  })
}

/** Invalidates its link. */
export async function takeBackInvitation(spool: Spool, actor: Actor, id: string): Promise<void> {
  const taken = await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    return deleteLink(db, 'invitation', Buffer.from(id, 'hex'))
  })
  if (!taken)
    throw new SpoolError('not_found', 'This invitation no longer exists. It was accepted or has expired.')
}
