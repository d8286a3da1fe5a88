import type { User, View } from '../../model/access.ts'
import type { Colleague } from '../../model/work.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { inboxesOfUsers, listUsers } from '../../store/people/users.ts'
import { noSuch } from '../access/access.ts'
import type { Spool } from '../spool.ts'

/** Includes oneself. */
export async function listColleagues(spool: Spool, view: View): Promise<Colleague[]> {
  const inboxes = await listInboxes(spool.db)
  const given = Map.groupBy(await inboxesOfUsers(spool.db), ({ userId }) => userId)
  const shared = new Set(view.inboxes.map(({ number }) => number))
  return (await listUsers(spool.db))
    .map(({ id, email, name, role }) => {
      const own = new Set(given.get(id)?.map(({ inbox }) => inbox))
      const seen = inboxes.filter(({ number }) => shared.has(number) && (role === 'admin' || own.has(number)))
      return { id, email, name, role, inboxes: seen.map((inbox) => inbox.id) }
    })
    .filter(({ id, inboxes }) => inboxes.length > 0 || id === view.user.id)
}

export async function findColleague(spool: Spool, view: View, id: string): Promise<User> {
  const colleague = (await listColleagues(spool, view)).find((each) => each.id === id)
  if (!colleague) throw noSuch('person')
  const { email, name, role } = colleague
  return { id, email, name, role }
}
