import type { Person, View } from '../../model/access.ts'
import type { InboxReference } from '../../model/thread.ts'
import { inboxesOfUsers, listAllUsers } from '../../store/people/users.ts'
import { noSuch } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Spool } from '../spool.ts'

interface Page {
  cursor: string | null
  limit: number
}

interface Listed<Item> {
  data: Item[]
  nextCursor: string | null
}

/** The inboxes and people that a view shows to programs. */
export function listInboxesOf(spool: Spool, view: View, page: Page): Listed<InboxReference> {
  const inboxes = view.inboxes.map(({ id, name, address }) => ({ id, name, address }))
  return cutPage(spool, ['inboxes', view.user.id], inboxes, page)
}

export function getInbox({ inboxes }: View, wanted: string): InboxReference {
  const inbox = inboxes.find(({ id }) => id === wanted)
  if (!inbox) throw noSuch('inbox')
  const { id, name, address } = inbox
  return { id, name, address }
}

export async function listPeopleOf(spool: Spool, view: View, page: Page): Promise<Listed<Person>> {
  return cutPage(spool, ['users', view.user.id], await peopleOf(spool, view), page)
}

export async function getPerson(spool: Spool, view: View, id: string): Promise<Person> {
  const person = (await peopleOf(spool, view)).find((each) => each.id === id)
  if (!person) throw noSuch('person')
  return person
}

/** The user, and everybody who shares an inbox of the view or did so until they were removed. */
async function peopleOf(spool: Spool, { user, inboxes }: View): Promise<Person[]> {
  const shared = new Set(inboxes.map(({ number }) => number))
  const given = await inboxesOfUsers(spool.db)
  const sharing = new Set(given.flatMap(({ userId, inbox }) => (shared.has(inbox) ? [userId] : [])))
  const people = (await listAllUsers(spool.db)).filter(
    ({ id, role }) => id === user.id || sharing.has(id) || (role === 'admin' && shared.size > 0),
  )
  return people.map(({ id, name, email, removedAt }) => ({ id, name, email, active: removedAt === null }))
}

/** Sorted by id, which is the order of creation. */
function cutPage<Item extends { id: string }>(
  spool: Spool,
  list: readonly string[],
  items: readonly Item[],
  { cursor, limit }: Page,
): Listed<Item> {
  const filters = JSON.stringify(list)
  const after = cursor === null ? '' : readCursor(spool, filters, cursor).id
  const rest = items.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1))
  const data = rest.slice(0, limit)
  const more = rest.length > limit
  return {
    data,
    nextCursor: more ? writeCursor(spool, filters, { timestamp: 0, id: data.at(-1)!.id }) : null,
  }
}
