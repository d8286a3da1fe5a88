import { choiceFor, type NoticeSettings } from '../../model/notices/notices.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import { transaction } from '../../store/database.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listListeners, saveListener, type Listener } from '../../store/notices/audience.ts'
import { browsersOf, deleteBrowser, noteUse, type PushBrowser } from '../../store/notices/browsers.ts'
import { followsOf } from '../../store/notices/follows.ts'
import {
  describeDue,
  dueOnPage,
  nextDue,
  peopleDue,
  putOff,
  saveNotices,
  settleNotice,
  type OutwardWay,
  type ShownNotice,
} from '../../store/notices/notices.ts'
import type { NoticeKind } from '../../model/notices/words.ts'
import type { Spool } from '../spool.ts'
import { settingsOf } from './notices.ts'
import { canSee } from './rings.ts'
import { quietUntil } from './times.ts'

const minute = 60_000
/** After a mail to a person, further notices within this time are collected into the next mail. */
const mailGap = minute
/** Delays after failed attempts; after the last one, push or mail is given up for the notice. */
const retryDelays = [1, 5, 30, 120].map((minutes) => minutes * minute)
const mostAtOnce = 500
/** People fetched at once: few enough that each is notified soon after. */
const mostPeople = 20

/** What one person is to be sent by push or mail now. */
export interface Parcel {
  way: OutwardWay
  listener: Listener
  settings: NoticeSettings
  notices: ShownNotice[]
  browsers: PushBrowser[]
}

/** Shows notices on the page that were held back until now. */
export async function showDue(spool: Spool): Promise<void> {
  if ((await dueOnPage(spool.db, spool.now(), 1)).length === 0) return
  await transaction(spool.db, async (db) => {
    const due = await dueOnPage(db, spool.now(), mostAtOnce)
    const shown = due.map((row) => ({ ...row, on_page: 1, page_at: null }))
    await saveNotices(db, shown)
  })
}

export async function whenNextDue(spool: Spool): Promise<number | null> {
  return nextDue(spool.db, spool.now())
}

/** People with something due for this channel, longest waiting first, without those being notified now. */
export async function findDue(spool: Spool, way: OutwardWay, busy: readonly string[]): Promise<string[]> {
  return peopleDue(spool.db, way, spool.now(), busy, mostPeople)
}

/**
 * Filters right before delivery: people who were removed, lost the inbox, muted the thread, read the notice meanwhile
 * or no longer want it get nothing. Null if nothing is left to deliver now.
 */
export async function pack(spool: Spool, way: OutwardWay, userId: string): Promise<Parcel | null> {
  const { db } = spool
  const now = spool.now()
  const [listener] = await listListeners(db, [userId])
  const rows = await describeDue(db, way, userId, now, mostAtOnce)
  const threads = rows.flatMap(({ thread }) => thread ?? [])
  const follows = (await followsOf(db, threads)).filter((each) => each.userId === userId)
  const muted = new Set(follows.flatMap(({ state, thread }) => (state === 'mute' ? [thread] : [])))
  const browsers = way === 'push' ? await browsersOf(db, userId, now) : []
  const reachable = way === 'push' ? browsers.length > 0 : listener && (await mayBeMailed(spool, listener))
  const settings = listener && settingsOf(listener)
  const isWanted = (row: ShownNotice): boolean =>
    listener !== undefined &&
    row.read_at === null &&
    canSee(listener, row.inbox) &&
    // An inbox that was removed is in nobody's view.
    (row.inbox === null || row.inbox_id !== null) &&
    !(row.thread !== null && muted.has(row.thread)) &&
    (row.kind === 'test' || isChosen(settings!, way, row))
  const notices = reachable ? rows.filter(isWanted) : []
  const kept = new Set(notices.map(({ id }) => id))
  const dropped = rows.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  const later = notices.length > 0 ? waitUntil(way, listener!, settings!, notices, now) : null
  if (dropped.length > 0 || later !== null)
    await transaction(db, async (db) => {
      await putOff(db, way, dropped, null)
      if (later !== null) await putOff(db, way, [...kept], later)
    })
  if (notices.length === 0 || later !== null) return null
  return { way, listener: listener!, settings: settings!, notices, browsers }
}

function isChosen(settings: NoticeSettings, way: OutwardWay, { kind, inbox_id }: ShownNotice): boolean {
  const choice = choiceFor(settings, kind as NoticeKind, inbox_id)
  return way === 'push' ? choice.push : choice.mail !== 'off'
}

function waitUntil(
  way: OutwardWay,
  { mailedAt }: Listener,
  settings: NoticeSettings,
  notices: readonly ShownNotice[],
  now: number,
): number | null {
  // The person who requested a test is waiting for it.
  if (notices.some(({ kind }) => kind === 'test')) return null
  const free = way === 'mail' && mailedAt !== null && mailedAt + mailGap > now ? mailedAt + mailGap : null
  return quietUntil(settings, now) ?? free
}

/** Mail to an inbox's own address would become new mail, which others read. */
export async function mayBeMailed({ db }: Spool, { email }: { email: string }): Promise<boolean> {
  return !(await listInboxes(db)).some((inbox) => addressesOf(inbox).includes(email))
}

export interface Delivered {
  parcel: Parcel
  /** Null if it was delivered. */
  problem: string | null
  /** A retry would not help. */
  isFinal: boolean
  /** One entry per browser; `problem` is null if it accepted the push. */
  browsers: { id: string; problem: string | null; isGone: boolean }[]
}

export async function recordDelivery(spool: Spool, delivered: Delivered): Promise<void> {
  const { parcel, problem, isFinal, browsers } = delivered
  const { way, listener, notices } = parcel
  await transaction(spool.db, async (db) => {
    const now = spool.now()
    if (problem === null)
      // A repeat in the meantime is sent a minute later, not lost.
      for (const notice of notices) await settleNotice(db, way, notice, { now, next: now + minute })
    else
      for (const row of notices) {
        const delay = isFinal ? undefined : retryDelays[row[`${way}_tries`]]
        await putOff(db, way, [row.id], delay === undefined ? null : now + delay, row[`${way}_tries`] + 1)
      }
    for (const { id, problem, isGone } of browsers)
      if (isGone) await deleteBrowser(db, id, listener.id)
      else await noteUse(db, id, problem === null ? { last_used_at: now, problem } : { problem })
    const mailed = problem === null ? { mailed_at: now } : {}
    if (way === 'mail') await saveListener(db, listener.id, { ...mailed, mail_problem: problem })
  })
}
