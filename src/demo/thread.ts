import type { Attachment } from './message.ts'

/** The notation for the sample mail; `build.ts` turns it into real messages. */

export type Person = 'ada' | 'tom' | 'sofia'
export type InboxName = 'support' | 'billing'
export type Status = 'open' | 'waiting' | 'snoozed' | 'closed' | 'spam'

/** The customer's mail program: it determines whether there is HTML, the quoting style and a few headers. */
export type Client = 'gmail' | 'outlook' | 'apple' | 'thunderbird' | 'bare'

/** Replaces `{d4}` and similar placeholders with dates, see `calendar.ts`. */
export type Fill = (text: string) => string
export type DemoFile = (fill: Fill) => Attachment

export interface Extras {
  /** An outside sender other than the one who started the thread. */
  from?: string
  cc?: string
  /** Its own HTML, used as it is beside `text`, for mail that no person typed. */
  html?: string
  /** A line `[image: NAME]` in the text shows the file of that name right there. */
  files?: DemoFile[]
  headers?: Record<string, string>
  /** Does not quote the previous message. */
  bare?: true
  /** A `text/calendar` invitation in addition to the text. */
  invitation?: string
  /** A delivery report about the previous message. */
  undeliverable?: { recipient: string; status: string; diagnostic: string }
}

export interface DemoMessage extends Extras {
  /** `'12 09:41'`: twelve working days ago; `'sun2 20:15'`: two Sundays ago; `'-25m'`, `'-3h'`: before now. */
  at: string
  by: Person | null
  text: string
}

export interface DemoNote {
  at: string
  by: Person
  text: string
}

/** What an agent proposes; a person decides. */
export interface DemoDraft {
  at: string
  text: string
  /** Passages from the newest mail at that time that the draft is based on. */
  quotes: readonly string[]
}

export interface DemoThread {
  inbox: InboxName
  subject: string
  from: string
  status: Status
  snoozedHours?: number
  assignee?: Person
  /** Who has not read it; everyone else has. */
  unread?: readonly Person[]
  client?: Client
  language?: 'en' | 'de' | 'fr' | 'es'
  /** Old programs still use ISO 8859-1. */
  charset?: 'utf-8' | 'iso-8859-1'
  messages: DemoMessage[]
  notes?: DemoNote[]
  drafts?: DemoDraft[]
}

export const everyone: readonly Person[] = ['ada', 'tom', 'sofia']

export function received(at: string, text: string, extras: Extras = {}): DemoMessage {
  return { at, by: null, text: text.trim(), ...extras }
}

export function sent(at: string, by: Person, text: string, extras: Extras = {}): DemoMessage {
  return { at, by, text: text.trim(), ...extras }
}

export function note(at: string, by: Person, text: string): DemoNote {
  return { at, by, text }
}

export function proposed(at: string, text: string, quotes: readonly string[] = []): DemoDraft {
  return { at, text: text.trim(), quotes }
}
