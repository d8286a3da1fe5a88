import { numbersOf, system, type Actor, type Inbox, type Role, type User } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { checkName, skeletonOf } from '../../model/characters/names.ts'
import { newId } from '../../model/ids.ts'
import type { Revoked } from '../../model/settings.ts'
import { transaction } from '../../store/database.ts'
import type { Db, Tx } from '../../store/db.ts'
import { deleteLinks } from '../../store/people/links.ts'
import { deleteSessionsOfUser } from '../../store/people/sessions.ts'
import { renameAssignee, saveThread, threadsOfAssignee } from '../../store/threads/threads.ts'
import { revokeTokensOfUser } from '../../store/people/tokens.ts'
import { withdrawNotices } from '../../store/notices/notices.ts'
import { markInboxRead } from '../../store/threads/unread.ts'
import {
  findUserByEmail,
  insertUser,
  listUsers,
  setInboxesOfUser,
  updateUser,
  type UserRecord,
} from '../../store/people/users.ts'
import { findActiveUser, findInbox, inboxesVisibleTo } from '../access/access.ts'
import { replacePassword } from './new-password.ts'
import { hashPassword } from '../access/passwords.ts'
import { requireAdmin } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { setAssignee } from '../threads/state.ts'
import { disableWebhooksOf } from '../webhooks/webhooks.ts'

const addressForm = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/

export function checkAddress(address: string): string {
  if (!addressForm.test(address) || address.length > 254) {
    throw new SpoolError('bad_parameter', `${address} is not an e-mail address.`)
  }
  return address.toLowerCase()
}

/** Refuses a name that looks like the one of somebody else who is here. `own`: who may have it. */
export async function requireOwnName(db: Db, name: string, own: string | null): Promise<void> {
  const skeleton = skeletonOf(name)
  if (skeleton === '') return
  const other = (await listUsers(db)).find((user) => user.id !== own && skeletonOf(user.name) === skeleton)
  if (other)
    throw new SpoolError(
      'conflict',
      `This name looks like that of ${other.name} (${other.email}). Add something that tells them apart.`,
    )
}

interface NewPerson {
  email: string
  name: string
  role: Role
  /** Addresses or ids. */
  inboxes: readonly string[]
  password: string | null
}

export async function addUser(spool: Spool, person: NewPerson): Promise<User> {
  const email = checkAddress(person.email)
  const name = checkName(person.name)
  const password = person.password === null ? null : await hashPassword(person.password)
  return transaction(spool.db, (db) => enterPerson(spool, db, { ...person, email, name, password }))
}

/**
 * Expects checked values and the password's hash. Somebody who returns keeps their id and history, and starts with
 * everything read.
 */
export async function enterPerson(spool: Spool, db: Tx, person: NewPerson): Promise<User> {
  const { email, name, role, password } = person
  const known = await findUserByEmail(db, email)
  if (known && known.removedAt === null) throw new SpoolError('conflict', `There is already a user ${email}.`)
  await requireOwnName(db, name, known?.id ?? null)
  // Applies however they joined: an unused invitation would let them back in after they are removed.
  await deleteLinks(db, 'invitation', email)
  const inboxes = await findInboxes(db, person.inboxes)
  const user: User = { id: known?.id ?? newId('usr', spool.now()), email, name, role }
  if (known) await updateUser(db, user.id, { name, role, password, removed_at: null })
  else await insertUser(db, { ...user, password, createdAt: spool.now() })
  await setInboxesOfUser(db, user.id, numbersOf(inboxes))
  for (const inbox of await inboxesVisibleTo(db, user)) await beginInbox(db, inbox.number, user.id)
  return user
}

export interface PersonChange {
  name?: string
  role?: Role
  inboxes?: readonly string[]
  password?: string
  /** With a new password: keep tokens and webhooks. */
  keepAccess?: boolean
}

export async function changeUser(
  spool: Spool,
  email: string,
  change: PersonChange,
  actor: Actor = system,
): Promise<{ user: User; revoked: Revoked | null }> {
  const password = change.password === undefined ? undefined : await hashPassword(change.password)
  const done = await transaction(spool.db, async (db) => {
    const user = await findActiveUser(db, email)
    if (!isOwnName(actor, user, change)) await requireAdmin(spool, db, actor)
    const before = new Set(numbersOf(await inboxesVisibleTo(db, user)))
    const changed: User = {
      ...user,
      name: change.name === undefined ? user.name : checkName(change.name),
      role: change.role ?? user.role,
    }
    if (changed.name !== user.name) await requireOwnName(db, changed.name, user.id)
    await keepAnAdmin(db, user, changed.role)
    await updateUser(db, user.id, { name: changed.name, role: changed.role })
    const by = { actor, now: spool.now() }
    const revoked = password
      ? await replacePassword(db, user, password, by, change.keepAccess ? { access: 'all' } : {})
      : null
    if (changed.role === 'viewer')
      await disableWebhooksOf(db, user.id, 'owner_viewer', { actor: system, now: spool.now() })
    if (change.inboxes) await setInboxesOfUser(db, user.id, numbersOf(await findInboxes(db, change.inboxes)))
    const after = numbersOf(await inboxesVisibleTo(db, changed))
    for (const inbox of after.filter((number) => !before.has(number))) await beginInbox(db, inbox, user.id)
    return { user: changed, revoked }
  })
  await renewSummaries(spool, done.user)
  return done
}

/** In a newly given inbox everything starts out read, and notices from an earlier time with access are withdrawn. */
async function beginInbox(db: Tx, inbox: number, userId: string): Promise<void> {
  await markInboxRead(db, inbox, userId)
  await withdrawNotices(db, { userId, inbox })
}

/** What everybody may change about themselves. */
function isOwnName(actor: Actor, user: User, change: PersonChange): boolean {
  return actor.id === user.id && Object.keys(change).every((field) => field === 'name')
}

/**
 * Deactivates: ends tokens and sessions, disables webhooks, clears assignments. The name stays in the history. Who has
 * very many threads is removed together with the last of them, so that a stop in between leaves nobody's threads.
 */
export async function removeUser(spool: Spool, email: string, actor: Actor = system): Promise<void> {
  for (let isRemoved = false; !isRemoved;)
    isRemoved = await transaction(spool.db, async (db) => {
      await requireAdmin(spool, db, actor)
      const user = await findActiveUser(db, email)
      await keepAnAdmin(db, user, 'viewer')
      const now = spool.now()
      const threads = await threadsOfAssignee(db, user.id, 0, mostThreads)
      const isLast = threads.length < mostThreads
      if (isLast) {
        await updateUser(db, user.id, { removed_at: now, password: null })
        await revokeTokensOfUser(db, user.id, now)
        await deleteSessionsOfUser(db, user.id)
        await deleteLinks(db, 'reset', user.email)
        await disableWebhooksOf(db, user.id, 'owner_removed', { actor, now })
      }
      for (const thread of threads) {
        await setAssignee(db, thread, null, { actor, now, quiet: false })
        await saveThread(db, thread, now)
      }
      return isLast
    })
}

async function keepAnAdmin(db: Db, user: User, role: Role): Promise<void> {
  if (user.role !== 'admin' || role === 'admin') return
  const admins = (await listUsers(db)).filter((other) => other.role === 'admin')
  if (admins.length === 1)
    throw new SpoolError('conflict', `${user.email} is the last admin. Make someone else an admin first.`)
}

/** Threads per commit: a person can have very many. */
const mostThreads = 100

/** The summaries of a person's threads have their name. */
export async function renewSummaries(spool: Spool, { id, name }: Pick<User, 'id' | 'name'>): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const after: number = last
    last = await transaction(spool.db, async (db) => {
      const threads = await threadsOfAssignee(db, id, after, mostThreads)
      for (const thread of threads) await renameAssignee(db, thread, name)
      return threads.at(-1)?.number
    })
  }
}

/** Sequentially: within a transaction PostgreSQL runs one query at a time. */
async function findInboxes(db: Db, asked: readonly string[]): Promise<Inbox[]> {
  const found: Inbox[] = []
  for (const inbox of asked) found.push(await findInbox(db, inbox))
  return found
}

export async function listPeople(spool: Spool): Promise<(UserRecord & { inboxes: string[] })[]> {
  return Promise.all(
    (await listUsers(spool.db)).map(async (user) => {
      const inboxes = await inboxesVisibleTo(spool.db, user)
      return { ...user, inboxes: inboxes.map(({ address }) => address) }
    }),
  )
}
