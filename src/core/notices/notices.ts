import { newId } from '../../model/ids.ts'
import type { NoticeKind } from '../../model/notices/words.ts'
import {
  choiceFor,
  usualSettings,
  type NoticeChoice,
  type NoticeSettings,
} from '../../model/notices/notices.ts'
import type { Tx } from '../../store/db.ts'
import { findAbout, keyOf, saveNotices, type NoticeRow } from '../../store/notices/notices.ts'
import type { Listener } from '../../store/notices/audience.ts'
import { canSee, type Knowledge, type Ring } from './rings.ts'
import { nextDigest } from './times.ts'

const minute = 60_000

/** Minimum time between two pushes or mails about the same thing; for proposals of agents also on the page. */
const gaps: Partial<Record<Ring['kind'], number>> = {
  mail: minute,
  unassigned: minute,
  draft: 10 * minute,
}

export function settingsOf({ settings }: Pick<Listener, 'settings'>): NoticeSettings {
  return settings === null ? usualSettings : (JSON.parse(settings) as NoticeSettings)
}

export interface Wanted extends Ring {
  choice: NoticeChoice
  settings: NoticeSettings
  /** Delays the notice: a mailbox may recover before anybody needs to know, and an assignment be undone. */
  delay?: number
}

/** The ring with the person's choices; null if they may not see it or do not want it. */
export function want(
  ring: Ring & { kind: NoticeKind },
  { listeners, follows }: Pick<Knowledge, 'listeners' | 'follows'>,
  inboxId: string | null,
): Wanted | null {
  const listener = listeners.get(ring.userId)
  if (!listener || !canSee(listener, ring.inbox)) return null
  if (ring.thread !== null && follows.get(ring.thread)?.get(ring.userId) === 'mute') return null
  const settings = settingsOf(listener)
  const choice = choiceFor(settings, ring.kind, inboxId)
  return choice.page || choice.push || choice.mail !== 'off' ? { ...ring, choice, settings } : null
}

/** Call in the transaction that marks the cause as handled, so that each ring is stored exactly once. */
export async function storeNotices(db: Tx, rings: readonly Wanted[], now: number): Promise<void> {
  const wanted = rings.map(({ userId, about }) => ({ user_id: userId, about }))
  const before = await findAbout(db, wanted)
  const rows = new Map<string, NoticeRow>()
  for (const ring of rings) {
    const key = keyOf({ user_id: ring.userId, about: ring.about })
    const known = rows.get(key) ?? before.get(key)
    // An edited note mentions the same people again; a mailbox that still fails was already reported.
    if (known && (ring.kind === 'mentioned' || ring.delay !== undefined)) continue
    rows.set(key, known ? ringAgain(known, ring, now) : ringFirst(ring, now))
  }
  await saveNotices(db, [...rows.values()])
}

export function ringFirst({ choice, settings, delay = 0, ...ring }: Wanted, now: number): NoticeRow {
  const at = now + delay
  return {
    id: newId('ntc', now),
    user_id: ring.userId,
    about: ring.about,
    kind: ring.kind,
    inbox: ring.inbox,
    thread: ring.thread,
    data: JSON.stringify(ring.data),
    count: 1,
    rung_at: at,
    read_at: null,
    on_page: choice.page && delay === 0 ? 1 : 0,
    page_at: choice.page && delay > 0 ? at : null,
    push_at: choice.push ? at : null,
    pushed_at: null,
    push_tries: 0,
    mail_at: mailTime(choice.mail, settings, at),
    mailed_at: null,
    mail_tries: 0,
  }
}

/** The same thing again: counted while unread, and sent again by push and mail after the gap. */
function ringAgain(known: NoticeRow, ring: Wanted, now: number): NoticeRow {
  const { choice, settings } = ring
  const gap = gaps[ring.kind] ?? 0
  const isUnread = known.read_at === null
  const isHeldBack = ring.kind === 'draft' && known.rung_at > now - gap
  const at = !isHeldBack ? now : isUnread ? known.rung_at : known.rung_at + gap
  const isLater = at > now
  const isNew = at !== known.rung_at
  const next = (pending: number | null, last: number | null): number | null =>
    // Somebody who requests another test is waiting for it; other notices wait for the retry.
    ring.kind === 'test' ? at : (pending ?? (isNew ? Math.max(at, (last ?? 0) + gap) : null))
  return {
    ...known,
    inbox: ring.inbox,
    thread: ring.thread,
    data: JSON.stringify(ring.data),
    count: isUnread ? known.count + 1 : 1,
    rung_at: at,
    read_at: null,
    on_page: choice.page && !isLater ? 1 : 0,
    page_at: choice.page && isLater ? at : null,
    push_at: choice.push ? next(known.push_at, known.pushed_at) : null,
    push_tries: 0,
    mail_at:
      choice.mail === 'off'
        ? null
        : choice.mail === 'now'
          ? next(known.mail_at, known.mailed_at)
          : (known.mail_at ?? mailTime('digest', settings, at)),
    mail_tries: 0,
  }
}

export function mailTime(mail: NoticeChoice['mail'], settings: NoticeSettings, at: number): number | null {
  if (mail === 'off') return null
  return mail === 'now' ? at : nextDigest(settings, at)
}
