import { viewOf } from '../../../core/access/access.ts'
import { listStopped } from '../../../core/inboxes/sign-in.ts'
import { readGuide } from '../../../core/inboxes/guide.ts'
import type { SignedIn } from '../../../core/access/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import type { Session } from '../../../model/session.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

/** The signed-in person, what they see and what they may do. */
export async function viewSession(spool: Spool, actor: SignedIn): Promise<Session> {
  const inboxes = await viewOf(spool.db, actor)
  const { id, email, name, role } = actor.user
  return {
    user: { id, email, name, role },
    inboxes: inboxes.map(({ id, name, address, aliases }) => ({ id, name, address, aliases: [...aliases] })),
    canSend: role !== 'viewer',
    undoSeconds: spool.undoSeconds,
    ...(role === 'admin'
      ? { guide: !(await readGuide(spool)).finished, stopped: await listStopped(spool) }
      : {}),
  }
}

export const sessionGet = defineAppRoute('getSession', everyone, ({ spool, actor }) =>
  viewSession(spool, actor),
)
