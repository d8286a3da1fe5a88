import type { Address } from './mail.ts'
import type { MailServer } from './server.ts'

/** A mail in Spool's own words, to one person. */
export interface OwnMail {
  server: MailServer
  from: Address
  to: Address
  subject: string
  body: string
  /** The first half of its Message-ID. */
  messageName: string
}
