import type { Attachment } from './message.ts'

/** How the sample mail is written down; `build.ts` makes real messages of it. */

export type Person = 'ada' | 'tom' | 'sofia'
export type InboxName = 'support' | 'billing'
export type Status = 'open' | 'waiting' | 'snoozed' | 'closed' | 'spam'

/** The program a customer writes with: it decides on HTML, on the manner of quoting and on a few headers. */
export type Client = 'gmail' | 'outlook' | 'apple' | 'thunderbird' | 'bare'

/** Turns `{d4}` and its like into dates, see `calendar.ts`. */
export type Fill = (text: string) => string
export type DemoFile = (fill: Fill) => Attachment

export interface Extras {
  /** Another writer from outside than the one who began the thread. */
  from?: string
  cc?: string
  /** Text and HTML of its own, for mail no person typed. */
  html?: string
  /** A line `[image: NAME]` in the text shows the file of that name right there. */
  files?: DemoFile[]
  headers?: Record<string, string>
  /** Not a quote of the message before it. */
  bare?: true
  /** A `text/calendar` invitation beside the text. */
  invitation?: string
  /** A delivery report about the message before it. */
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
  /** Words of the newest mail at that time which it rests on. */
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
  /** Old programs still write it. */
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
