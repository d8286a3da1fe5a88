import { cleanName } from '../../model/characters/names.ts'
import { transaction } from '../../store/database.ts'
import { listInboxes, updateInbox } from '../../store/inboxes/inboxes.ts'
import { listAllUsers, updateUser } from '../../store/people/users.ts'
import type { Spool } from '../spool.ts'
import { renewSummaries } from './people.ts'

/** Cleans the names of people and inboxes from before the rule for names, because lists are answered as they are stored. */
export async function renewNames(spool: Spool): Promise<void> {
  const people = (await listAllUsers(spool.db)).filter(({ name }) => cleanName(name) !== name)
  for (const user of people) {
    const name = cleanName(user.name) || user.email
    await transaction(spool.db, (db) => updateUser(db, user.id, { name }))
    await renewSummaries(spool, { ...user, name })
  }
  const inboxes = (await listInboxes(spool.db)).filter(({ name }) => cleanName(name) !== name)
  for (const { number, name, address } of inboxes)
    await transaction(spool.db, (db) => updateInbox(db, number, { name: cleanName(name) || address }))
}
