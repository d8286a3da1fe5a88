import { z } from 'zod'
import { noticeDetails, noticeKinds, type NoticeKind } from './words.ts'
import { Time } from '../thread.ts'

export const Notice = z.object({
  id: z.string(),
  kind: z.enum([...noticeKinds, 'test']),
  detail: z.enum(noticeDetails).nullable(),
  /** How many occurrences it stands for. */
  count: z.int(),
  actor: z.string().nullable(),
  thread: z.object({ id: z.string(), subject: z.string(), sender: z.string() }).nullable(),
  inbox: z.string().nullable(),
  /** The path of the web page it leads to. */
  link: z.string(),
  timestamp: Time,
  read: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

/** How a person is notified of one kind. */
export const NoticeChoice = z.strictObject({
  page: z.boolean(),
  push: z.boolean(),
  mail: z.enum(['off', 'now', 'digest']),
})
export type NoticeChoice = z.infer<typeof NoticeChoice>

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')

export const NoticeSettings = z.strictObject({
  kinds: z.record(z.enum(noticeKinds), NoticeChoice),
  /** Exceptions for single inboxes, by inbox id. */
  inboxes: z.record(z.string().max(100), z.partialRecord(z.enum(noticeKinds), NoticeChoice)),
  /** No push and no mail between these times of the person's day. */
  quiet: z.strictObject({ from: clockTime, until: clockTime }).nullable(),
  digestAt: clockTime,
  zone: z.string().max(100),
  /** Whether a push names sender and subject. */
  pushDetails: z.boolean(),
})
export type NoticeSettings = z.infer<typeof NoticeSettings>

const mine: NoticeChoice = { page: true, push: true, mail: 'off' }
const nothing: NoticeChoice = { page: false, push: false, mail: 'off' }

/** Page and push for what concerns the person; no mail until they ask for it. */
export const usualSettings: NoticeSettings = {
  kinds: {
    mentioned: mine,
    assigned: mine,
    mail: mine,
    unassigned: nothing,
    draft: mine,
    failed: mine,
    stopped: mine,
  },
  inboxes: {},
  quiet: null,
  digestAt: '08:00',
  zone: 'UTC',
  pushDetails: true,
}

export function choiceFor(settings: NoticeSettings, kind: NoticeKind, inbox: string | null): NoticeChoice {
  return (inbox === null ? undefined : settings.inboxes[inbox]?.[kind]) ?? settings.kinds[kind]
}

/** A browser that receives push messages. */
export const NoticeBrowser = z.object({
  id: z.string(),
  device: z.string().nullable(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  current: z.boolean(),
  problem: z.string().nullable(),
})
export type NoticeBrowser = z.infer<typeof NoticeBrowser>

export const NoticeSettingsView = z.object({
  settings: NoticeSettings,
  /** Whether the settings were ever changed; the zone is a guess until then. */
  isChanged: z.boolean(),
  /** The public key that a browser subscribes with. */
  pushKey: z.string(),
  browsers: z.array(NoticeBrowser),
  mail: z.object({
    isPossible: z.boolean(),
    /** Why the last mail failed. */
    problem: z.string().nullable(),
    /** For admins: the inbox whose server sends the mail, and all that have one; null if the environment sets one. */
    sender: z
      .object({
        inbox: z.string().nullable(),
        inboxes: z.array(z.object({ id: z.string(), name: z.string() })),
      })
      .nullable(),
  }),
})
export type NoticeSettingsView = z.infer<typeof NoticeSettingsView>

/** `follow`: notified of new mail in the thread. `mute`: notified of nothing in it. */
export const followings = ['follow', 'mute'] as const
export type Following = (typeof followings)[number]
