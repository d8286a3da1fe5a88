import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { insertRow } from '../rows.ts'
import { touch } from '../log/versions.ts'
import type { Tables } from '../tables.ts'

export type AgentRulesRow = Selectable<Tables['agent_rules']>

/** The newest version of each inbox. */
export async function newestAgentRules(db: Db, inboxes: readonly number[]): Promise<AgentRulesRow[]> {
  if (inboxes.length === 0) return []
  return db.all(
    db.build
      .selectFrom('agent_rules')
      .selectAll()
      .where('inbox', 'in', inboxes)
      .where('version', '=', (select) =>
        select
          .selectFrom('agent_rules as newer')
          .select((value) => value.fn.max<number>('newer.version').as('version'))
          .whereRef('newer.inbox', '=', 'agent_rules.inbox'),
      ),
  )
}

/** Newest first. */
export async function listAgentRules(db: Db, inbox: number, limit: number): Promise<AgentRulesRow[]> {
  return db.all(
    db.build
      .selectFrom('agent_rules')
      .selectAll()
      .where('inbox', '=', inbox)
      .orderBy('version', 'desc')
      .limit(limit),
  )
}

export async function insertAgentRules(db: Tx, rules: AgentRulesRow): Promise<void> {
  touch(db, `inbox:${rules.inbox}`)
  await insertRow(db, 'agent_rules', rules)
}
