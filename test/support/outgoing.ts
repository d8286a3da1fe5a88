import { setTimeout as sleep } from 'node:timers/promises'
import { setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { Draft, DraftStatus } from '../../src/model/draft.ts'
import { transaction } from '../../src/store/database.ts'

/** Makes the inbox send through a server on this machine. */
export async function sendBy(
  spool: Spool,
  inbox: Inbox,
  port: number,
  credentials: { user: string; password: string } | null = null,
): Promise<void> {
  const { user, password } = credentials ?? { user: null, password: null }
  const server = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', options: {} } as const
  await setMailServer(spool, inbox, { ...server, user, password })
}

/** Polls until the draft has one of these statuses. */
export async function untilStatus(
  get: () => Promise<Draft>,
  statuses: readonly DraftStatus[],
  timeout = 60_000,
): Promise<Draft> {
  const until = performance.now() + timeout
  for (;;) {
    const draft = await get()
    if (statuses.includes(draft.status)) return draft
    if (performance.now() > until)
      throw new Error(`The draft is ${draft.status} (${draft.problem ?? ''}), not ${statuses.join(' or ')}.`)
    await sleep(50)
  }
}

/** Makes every lease expire and every delayed draft due. */
export async function passTime(spool: Spool): Promise<void> {
  await transaction(spool.db, async (db) => {
    await db.run(db.build.deleteFrom('leases'))
    await db.run(db.build.updateTable('drafts').set({ due_at: 0 }).where('due_at', 'is not', null))
  })
}
