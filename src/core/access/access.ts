import { numbersOf, type Actor, type Inbox, type User, type View } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import type { Db } from '../../store/db.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { findVisibleThread } from '../../store/threads/threads.ts'
import { findUserByEmail, findUserById, inboxesOfUser } from '../../store/people/users.ts'

/** Admins see all inboxes, others those they were given. */
export async function inboxesVisibleTo(db: Db, user: User): Promise<Inbox[]> {
  const inboxes = await listInboxes(db)
  if (user.role === 'admin') return inboxes
  const given = new Set(await inboxesOfUser(db, user.id))
  return inboxes.filter((inbox) => given.has(inbox.number))
}

/** The same message whether the thing is outside the view or does not exist. */
export function noSuch(
  thing: 'thread' | 'attachment' | 'draft' | 'message' | 'picture' | 'note' | 'inbox' | 'person',
): SpoolError {
  return new SpoolError('not_found', `There is no such ${thing}, or you have no access to it. Check the id.`)
}

/** The system sees all inboxes, a person those they have access to, an agent those of its token. */
export async function viewOf(db: Db, actor: Actor): Promise<readonly Inbox[]> {
  if (actor.type === 'system') return listInboxes(db)
  return actor.type === 'agent' ? actor.inboxes : inboxesVisibleTo(db, actor.user)
}

/** What a person can see right now. */
export async function viewOfUser(db: Db, user: User): Promise<View> {
  return { user, inboxes: await inboxesVisibleTo(db, user) }
}

/** The inboxes of the view with these ids or addresses. A name outside the view matches none, like an unknown one. */
export function inboxesNamed({ inboxes }: View, named: readonly string[] | null): readonly Inbox[] {
  if (named === null) return inboxes
  const wanted = new Set(named.map((each) => each.toLowerCase()))
  return inboxes.filter((inbox) => [inbox.id, ...addressesOf(inbox)].some((name) => wanted.has(name)))
}

/** Viewers only read, and so do their agents. */
export function requireWriter(actor: Actor): void {
  if (actor.type !== 'system' && actor.user.role === 'viewer') {
    throw new SpoolError('forbidden', 'Your role is viewer, so you can read drafts but not write them.')
  }
}

export function requirePerson(actor: Actor): Extract<Actor, { type: 'person' }> {
  if (actor.type !== 'person')
    throw new SpoolError('forbidden', 'Only a person can do this. An agent can only propose.')
  requireWriter(actor)
  return actor
}

export async function findThreadIn(db: Db, inboxes: readonly Inbox[], id: string): Promise<ThreadRow> {
  const thread = await findVisibleThread(db, id, numbersOf(inboxes))
  if (!thread) throw noSuch('thread')
  return thread
}

export async function findThreadInView(db: Db, actor: Actor, id: string): Promise<ThreadRow> {
  return findThreadIn(db, await viewOf(db, actor), id)
}

export async function findInboxInView(db: Db, actor: Actor, inboxId: string): Promise<Inbox> {
  const inbox = (await viewOf(db, actor)).find(({ id }) => id === inboxId)
  if (!inbox) throw noSuch('inbox')
  return inbox
}

/** Requires a person whose role allows changes; finds the thread within their view. */
export async function findThreadToChange(db: Db, actor: Actor, id: string): Promise<ThreadRow> {
  requireChanger(actor)
  return findThreadInView(db, actor, id)
}

export function requireChanger(actor: Actor): void {
  if (actor.type !== 'person') {
    throw new SpoolError('forbidden', 'Only a person can change a thread.')
  }
  if (actor.user.role === 'viewer') {
    throw new SpoolError('forbidden', 'Your role is viewer, so you can read threads but not change them.')
  }
}

export async function findActiveUser(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, email)
  if (!user || user.removedAt !== null) {
    throw new SpoolError('not_found', `There is no user ${email}; "spool user list" shows them.`)
  }
  return user
}

export async function findTeammate(db: Db, id: string): Promise<User> {
  const user = await findUserById(db, id)
  if (!user || user.removedAt !== null) throw noSuch('person')
  return user
}

/** The inboxes with these ids or addresses, all of which the user must see. */
export async function findInboxesOf(db: Db, user: User, asked: readonly string[]): Promise<Inbox[]> {
  const view = await viewOfUser(db, user)
  return asked.map((name) => {
    const [inbox] = inboxesNamed(view, [name])
    if (!inbox) throw new SpoolError('not_found', `${user.email} has no inbox ${name}.`)
    return inbox
  })
}

export async function findInbox(db: Db, idOrAddress: string): Promise<Inbox> {
  const wanted = idOrAddress.toLowerCase()
  const inbox = (await listInboxes(db)).find(
    (each) => each.id === idOrAddress || addressesOf(each).includes(wanted),
  )
  if (!inbox)
    throw new SpoolError('not_found', `There is no inbox ${idOrAddress}; "spool inbox list" shows them.`)
  return inbox
}
