import type { Inbox } from '../../model/access.ts'
import type { Tx } from '../../store/db.ts'
import { listListeners } from '../../store/notices/audience.ts'
import { withdrawNotices } from '../../store/notices/notices.ts'
import { storeNotices, want } from './notices.ts'

/** A mailbox often recovers within this time. */
const delay = 5 * 60_000

/** Stopped mailboxes and grants have no event in the log; call these in the commit that finds them stopped. */
export async function notifyStoppedMailbox(db: Tx, inbox: Inbox, now: number): Promise<void> {
  const admins = (await listListeners(db)).filter(({ role }) => role === 'admin')
  await notifyStopped(db, admins, 'mailbox', { about: aboutMailbox(inbox), inbox }, now, delay)
}

export async function forgetStoppedMailbox(db: Tx, inbox: Inbox): Promise<void> {
  await withdrawNotices(db, { about: aboutMailbox(inbox) })
}

const aboutMailbox = ({ id }: Inbox): string => `stopped:${id}`

export async function notifyEndedGrant(db: Tx, grantId: string, userId: string, now: number): Promise<void> {
  const owner = await listListeners(db, [userId])
  await notifyStopped(db, owner, 'grant', { about: `stopped:${grantId}`, inbox: null }, now)
}

async function notifyStopped(
  db: Tx,
  listeners: Awaited<ReturnType<typeof listListeners>>,
  detail: 'mailbox' | 'grant',
  { about, inbox }: { about: string; inbox: Inbox | null },
  now: number,
  delay?: number,
): Promise<void> {
  const known = new Map(listeners.map((each) => [each.id, each]))
  const rings = listeners.flatMap(({ id: userId }) => {
    const data = { actor: null, detail, id: null }
    const ring = { userId, kind: 'stopped' as const, about, inbox: inbox?.number ?? null, thread: null, data }
    const wanted = want(ring, { listeners: known, follows: new Map() }, inbox?.id ?? null)
    return wanted ? [{ ...wanted, ...(delay === undefined ? {} : { delay }) }] : []
  })
  await storeNotices(db, rings, now)
}
