/** What mail programs write in each language above and around what they quote, as their public translations have it. */

export interface Person {
  name: string
  address: string
}

/** In attributions `N` stands for the name and `A` for the address. */
export interface Language {
  code: string
  gmail: string
  thunderbird: string
  apple: string
  /** Outlook's from, sent, to, subject. */
  labels: [from: string, date: string, to: string, subject: string]
  /** A moment as Outlook writes it. */
  moment: string
  original: string
  forwarded: string
  appleForward: string
  phone: string
  reply: string
  forward: string
  /** Six sentences. */
  sentences: [string, string, string, string, string, string]
}
