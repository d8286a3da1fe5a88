import type { Inbox } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import type { Address } from '../../model/mail/mail.ts'
import type { MailServer } from '../../model/mail/server.ts'
import { choiceFor, type NoticeSettings, type NoticeSettingsView } from '../../model/notices/notices.ts'
import type { NoticeKind } from '../../model/notices/words.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listMailServers } from '../../store/inboxes/mail-servers.ts'
import { listListeners, saveListener } from '../../store/notices/audience.ts'
import { browsersOf, deleteBrowser, forgetBrowsers, saveBrowser } from '../../store/notices/browsers.ts'
import { describeDue, putOff } from '../../store/notices/notices.ts'
import { findSession } from '../../store/people/sessions.ts'
import { readSetting, writeSetting } from '../../store/settings.ts'
import { findInbox } from '../access/access.ts'
import { requireAdmin, type SignedIn } from '../access/sessions.ts'
import { checkZone } from '../calendar-days.ts'
import type { Spool } from '../spool.ts'
import { mailTime, settingsOf, storeNotices } from './notices.ts'

export async function readNoticeSettings(spool: Spool, actor: SignedIn): Promise<NoticeSettingsView> {
  const { db, keys } = spool
  const [listener] = await listListeners(db, [actor.user.id])
  const browsers = await browsersOf(db, actor.user.id, spool.now())
  const sender = await findSender(spool)
  return {
    settings: settingsOf(listener ?? { settings: null }),
    isChanged: typeof listener?.settings === 'string',
    pushKey: keys.push.publicKey,
    browsers: browsers.map(({ id, device, created_at, last_used_at, session_id, problem }) => ({
      id,
      device,
      createdAt: toTime(created_at),
      lastUsedAt: toTimeOrNull(last_used_at),
      current: session_id === actor.session,
      problem,
    })),
    mail: {
      isPossible: sender !== null,
      problem: listener?.mailProblem ?? null,
      sender:
        actor.user.role !== 'admin' || spool.noticeMail !== null
          ? null
          : {
              inbox: sender && 'inbox' in sender ? sender.inbox.id : null,
              inboxes: (await inboxesThatSend(spool)).map(({ id, name }) => ({ id, name })),
            },
    },
  }
}

export async function changeNoticeSettings(
  spool: Spool,
  actor: SignedIn,
  settings: NoticeSettings,
): Promise<NoticeSettingsView> {
  const chosen = { ...settings, zone: checkZone(settings.zone) }
  await transaction(spool.db, async (db) => {
    await saveListener(db, actor.user.id, { settings: JSON.stringify(chosen) })
    await replanMail(db, actor.user.id, chosen)
  })
  return readNoticeSettings(spool, actor)
}

const mostReplanned = 500

/** What waits for a mail follows the new choices, as if they had been made before; retries keep their time. */
async function replanMail(db: Tx, userId: string, settings: NoticeSettings): Promise<void> {
  const waiting = await describeDue(db, 'mail', userId, Number.MAX_SAFE_INTEGER, mostReplanned)
  for (const { id, kind, inbox_id, rung_at, mail_tries } of waiting) {
    if (kind === 'test' || mail_tries > 0) continue
    const { mail } = choiceFor(settings, kind as NoticeKind, inbox_id)
    await putOff(db, 'mail', [id], mailTime(mail, settings, rung_at))
  }
}

/** Who sends notices by mail: the configured server, or that of the inbox an admin chose. */
export type NoticeSender = { server: MailServer; from: Address } | { inbox: Inbox; from: Address }

export async function findSender(spool: Spool): Promise<NoticeSender | null> {
  if (spool.noticeMail !== null) return spool.noticeMail
  const chosen = await readSetting(spool.db, senderSetting)
  const inbox = chosen ? (await inboxesThatSend(spool)).find(({ id }) => id === chosen) : undefined
  return inbox ? { inbox, from: { name: 'Spool', address: inbox.address } } : null
}

const senderSetting = 'notice_inbox'

async function inboxesThatSend({ db }: Spool): Promise<Inbox[]> {
  const sending = new Set((await listMailServers(db, 'smtp')).map(({ inbox }) => inbox))
  return (await listInboxes(db)).filter(({ number }) => sending.has(number))
}

export async function chooseNoticeSender(
  spool: Spool,
  actor: SignedIn,
  inboxId: string | null,
): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    await writeSetting(db, senderSetting, inboxId === null ? '' : (await findInbox(db, inboxId)).id)
  })
}

/** Starts pushes to this browser, or continues them under the current session. */
export async function addBrowser(
  spool: Spool,
  { user, session }: SignedIn,
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<void> {
  await spool.push.check(endpoint)
  const now = spool.now()
  await transaction(spool.db, async (db) => {
    await forgetBrowsers(db)
    const device = (await findSession(db, { id: session }))?.device ?? null
    await saveBrowser(db, {
      id: newId('psh', now),
      user_id: user.id,
      session_id: session,
      endpoint,
      ...keys,
      device,
      created_at: now,
      last_used_at: null,
      problem: null,
    })
  })
}

export async function removeBrowser(spool: Spool, { user }: SignedIn, id: string): Promise<void> {
  if (!(await transaction(spool.db, (db) => deleteBrowser(db, id, user.id))))
    throw new SpoolError('not_found', 'There is no such browser in your list; reload it.')
}

/** Takes the same path as every other notice, so that it shows whether that works. */
export async function testNotices(spool: Spool, actor: SignedIn, way: 'push' | 'mail'): Promise<void> {
  const { settings, browsers, mail } = await readNoticeSettings(spool, actor)
  if (way === 'push' && browsers.length === 0)
    throw new SpoolError('conflict', 'No browser of yours gets pushes; turn them on in one first.')
  if (way === 'mail' && !mail.isPossible)
    throw new SpoolError(
      'conflict',
      'No server sends notices by mail; an admin can choose an inbox for it, or set SPOOL_NOTICE_SMTP.',
    )
  const choice = { page: true, push: way === 'push', mail: way === 'mail' ? 'now' : 'off' } as const
  const ring = {
    userId: actor.user.id,
    kind: 'test' as const,
    about: `test:${way}`,
    inbox: null,
    thread: null,
    data: { actor: null, detail: null, id: null },
  }
  await transaction(spool.db, (db) => storeNotices(db, [{ ...ring, choice, settings }], spool.now()))
}
