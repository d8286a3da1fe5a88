import assert from 'node:assert/strict'
import { addNote } from '../../src/core/threads/notes.ts'
import type { Role, User } from '../../src/model/access.ts'
import type { NoticeSettings } from '../../src/model/notices/notices.ts'
import { transaction } from '../../src/store/database.ts'
import { appendEvent } from '../../src/store/log/events.ts'
import type { DatabaseKind } from './databases.ts'
import { everyWay, listen, noticesOf, settingsWith } from './notices.ts'
import { startPushService, type PushServiceOfTests } from './push-service.ts'
import { startSmtpSink, type SmtpSink } from './smtp-sink.ts'
import { startSpool, type TestSpool } from './spool.ts'
import { until } from './until.ts'
import { openSession, type WebClient } from './web-client.ts'

/** Everything by every channel, except mail that is assigned to nobody: the tests receive much of that. */
const all = settingsWith(everyWay)
export const concerning: NoticeSettings = {
  ...all,
  kinds: { ...all.kinds, unassigned: { page: false, push: false, mail: 'off' } },
}

export interface Somebody {
  user: User
  page: WebClient
  endpoint: string
}

export interface World extends AsyncDisposable {
  spool: TestSpool
  sink: SmtpSink
  push: PushServiceOfTests
  somebody(name: string, role: Role, sees?: boolean, settings?: NoticeSettings): Promise<Somebody>
  /** Advances Spool's clock only. */
  pass(minutes: number): void
  /** Waits until every event in the log has been turned into notices and all due notices have been delivered. */
  settle(): Promise<void>
  /** Returns what was delivered since the last call. */
  told(): { pushes: string[]; mails: string[] }
}

/** A Spool that notifies by push and mail and whose clock can be set. */
export async function buildNoticeWorld(database: DatabaseKind): Promise<World> {
  const sink = await startSmtpSink()
  const spool = await startSpool(database, {
    SPOOL_FETCH_ALLOW: '127.0.0.0/8',
    SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8',
    SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${sink.port}?tls=none`,
    SPOOL_NOTICE_FROM: 'spool@shop.example',
    SPOOL_UNDO_SECONDS: '0',
  })
  const push = await startPushService(spool.spool.keys.push.publicKey)
  const owners = new Map<string, string>()
  // The probe's notice comes last, because the log is read in order.
  await spool.makeUser('probe@team.example', 'member', [spool.inbox])
  const { threadId: probeThread } = await spool.receive({ subject: 'Probe' })
  let ahead = 0
  spool.spool.now = () => Date.now() + ahead
  let [pushed, mailed] = [0, 0]
  return {
    spool,
    sink,
    push,
    async somebody(name, role, sees = true, settings = concerning) {
      const user = await spool.makeUser(`${name}@team.example`, role, sees ? [spool.inbox] : [])
      const page = await openSession(spool.spool, spool.url, user)
      const { endpoint } = await listen(page, push, settings)
      owners.set(endpoint, name)
      return { user, page, endpoint }
    },
    pass(minutes) {
      ahead += minutes * 60_000
    },
    async settle() {
      const { db, now } = spool.spool
      const note = await addNote(spool.spool, spool.actor, probeThread, '@probe')
      await until('all told', async () => {
        const told = await db.first(
          db.build.selectFrom('notices').select('id').where('about', '=', `mentioned:${note}`),
        )
        const due = await db.first(
          db.build
            .selectFrom('notices')
            .select('id')
            .where((or) =>
              or.or([or('push_at', '<=', now()), or('mail_at', '<=', now()), or('page_at', '<=', now())]),
            ),
        )
        return told !== undefined && due === undefined
      })
    },
    told() {
      const pushes = push.received
        .slice(pushed)
        .map(({ endpoint, message }) => `${owners.get(endpoint)}: ${message.title}`)
      const mails = sink.mails.slice(mailed).map(({ to }) => to.join())
      ;[pushed, mailed] = [push.received.length, sink.mails.length]
      return { pushes: pushes.sort(), mails: mails.sort() }
    },
    async [Symbol.asyncDispose]() {
      await spool[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
      assert.deepEqual(push.faults, [])
      const failures = spool.log.filter((line) => line.includes('"worker":"deliver-notices"'))
      assert.deepEqual(failures, [])
    },
  }
}

/** Kinds and counts of a person's unread notices. */
export async function kindsOf(page: WebClient): Promise<string[]> {
  return (await noticesOf(page)).filter(({ read }) => !read).map(({ kind, count }) => `${kind} ${count}`)
}

/** Logs an outcome of sending that only a mail server can cause. */
export async function failSending(
  { spool: { spool, inbox } }: World,
  { user }: Somebody,
  type: 'message.failed' | 'message.unknown' = 'message.failed',
): Promise<void> {
  await transaction(spool.db, (db) =>
    appendEvent(db, {
      type,
      inbox: inbox.number,
      timestamp: spool.now(),
      quiet: false,
      data: {
        threadId: null,
        draftId: `drf_${user.id}`,
        actor: { type: 'person', id: user.id, name: user.name },
      },
    }),
  )
}
