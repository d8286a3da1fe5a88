import type { Actor } from '../../model/access.ts'
import type { OpenInvitation, Teammate } from '../../model/settings.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { inboxesOfUsers, listAllUsers } from '../../store/people/users.ts'
import { findTeammate } from '../access/access.ts'
import { listInvitations } from './invitations.ts'
import { changeUser, removeUser, type PersonChange } from './people.ts'
import type { Spool } from '../spool.ts'

export async function listTeam(spool: Spool): Promise<{ data: Teammate[]; invitations: OpenInvitation[] }> {
  const inboxes = new Map((await listInboxes(spool.db)).map(({ number, id }) => [number, id]))
  const given = Map.groupBy(await inboxesOfUsers(spool.db), ({ userId }) => userId)
  const data = (await listAllUsers(spool.db)).map((user) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    inboxes:
      user.removedAt !== null
        ? []
        : user.role === 'admin'
          ? null
          : (given.get(user.id) ?? []).flatMap(({ inbox }) => inboxes.get(inbox) ?? []),
    active: user.removedAt === null,
    lastSeenAt: toTimeOrNull(user.lastSeenAt),
    createdAt: toTime(user.createdAt),
  }))
  return { data, invitations: await listInvitations(spool) }
}

export async function changeTeammate(
  spool: Spool,
  actor: Actor,
  id: string,
  change: Pick<PersonChange, 'name' | 'role' | 'inboxes'>,
): Promise<Teammate> {
  const { email } = await findTeammate(spool.db, id)
  await changeUser(spool, email, change, actor)
  return (await listTeam(spool)).data.find((each) => each.id === id)!
}

/** Deactivates: see `removeUser`. */
export async function removeTeammate(spool: Spool, actor: Actor, id: string): Promise<void> {
  const { email } = await findTeammate(spool.db, id)
  await removeUser(spool, email, actor)
}
