import { actorReference, numbersOf, type Actor, type ActorReference, type View } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { cleanLines, parseNames } from '../../model/characters/names.ts'
import type { AgentRules } from '../../model/settings.ts'
import { toTime } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import {
  insertAgentRules,
  listAgentRules,
  newestAgentRules,
  type AgentRulesRow,
} from '../../store/inboxes/agent-rules.ts'
import { findInboxInView, requirePerson } from '../access/access.ts'
import type { Spool } from '../spool.ts'

const longestRules = 8_000
const mostVersions = 100

/** The rules for agents of each inbox in a view, by inbox id; inboxes without rules are left out. */
export async function readAgentRules(spool: Spool, { inboxes }: View): Promise<Map<string, AgentRules>> {
  const rows = await newestAgentRules(spool.db, numbersOf(inboxes))
  const ids = new Map(inboxes.map(({ number, id }) => [number, id]))
  return new Map(rows.filter(({ text }) => text !== '').map((row) => [ids.get(row.inbox)!, viewRules(row)]))
}

/** Every version, newest first; everybody who sees the inbox may read them. */
export async function listAgentRuleVersions(
  spool: Spool,
  actor: Actor,
  inboxId: string,
): Promise<AgentRules[]> {
  const { number } = await findInboxInView(spool.db, actor, inboxId)
  return (await listAgentRules(spool.db, number, mostVersions)).map(viewRules)
}

/** An admin writes a new version, based on the one they saw; an empty text removes the rules. */
export async function writeAgentRules(
  spool: Spool,
  actor: Actor,
  { inboxId, text, version }: { inboxId: string; text: string; version: number },
): Promise<AgentRules[]> {
  const person = requirePerson(actor)
  if (person.user.role !== 'admin')
    throw new SpoolError('forbidden', 'Only an admin can write the rules for agents.')
  const written = cleanLines(text).trim()
  if (written.length > longestRules)
    throw new SpoolError('bad_parameter', `The rules can have at most ${longestRules} characters.`)
  const now = spool.now()
  await transaction(spool.db, async (db) => {
    const { number } = await findInboxInView(db, actor, inboxId)
    const [newest] = await listAgentRules(db, number, 1)
    if ((newest?.version ?? 0) !== version)
      throw new SpoolError('conflict', 'Someone else has changed these rules. Read them again first.')
    if ((newest?.text ?? '') === written) return
    const author = JSON.stringify(actorReference(person))
    const next = { version: version + 1, text: written, author, created_at: now }
    await insertAgentRules(db, { inbox: number, ...next })
  })
  return listAgentRuleVersions(spool, actor, inboxId)
}

function viewRules({ version, text, author, created_at }: AgentRulesRow): AgentRules {
  return {
    version,
    text: cleanLines(text),
    author: parseNames(author) as ActorReference,
    at: toTime(created_at),
  }
}
