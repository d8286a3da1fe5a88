/** What `mail/parse` extracts from one raw message and `core/receiving/receive` stores. */

export interface Address {
  name: string | null
  address: string
}

export interface ParsedAttachment {
  /** Assigned while parsing, so that sanitised HTML can already link to it. */
  id: string
  filename: string
  contentType: string
  contentId: string | null
  /** Shown inside the HTML body (a `cid:` reference) rather than listed below it. */
  inline: boolean
  content: Uint8Array
  /** SHA-256 of the content. */
  hash: Uint8Array
}

/** Mail written by machines: it may not reopen a thread (`auto_reply`), or is about another message (`bounce`). */
export type MailKind = 'personal' | 'list' | 'auto_reply' | 'bounce'

export interface Bounce {
  /** Message-ID of the mail that could not be delivered, where the report names it. */
  originalMessageId: string | null
  recipient: string | null
  /** For people to read: the server's own text where it sent any. */
  reason: string
  /** A notice of delay is not a failure. */
  failed: boolean
}

export interface MailLink {
  text: string
  href: string
}

/** `parts_differ`: the plain part says something else than the HTML part. More may be added. */
export type MailWarning =
  | 'parts_differ'
  | 'unparsable'
  | 'hidden_text'
  | 'too_many_parts'
  | 'too_deep'
  | 'truncated'
  | 'encrypted'
  | 'unreadable_part'

/** Results in the vocabulary of RFC 8601; null where not checked. */
export interface Authentication {
  spf: string | null
  dkim: string | null
  dmarc: string | null
}

export interface ParsedMail {
  /** Byte for byte as it came. */
  raw: Uint8Array
  /** With angle brackets, as in the header; null where there is none. */
  messageId: string | null
  /** The first id in In-Reply-To. */
  inReplyTo: string | null
  /** Every id in References, in order, without duplicates. */
  references: string[]
  /** Epoch milliseconds of the Date header; null where it is missing or unreadable. */
  date: number | null
  /** Of the topmost Received header. */
  receivedDate: number | null
  from: Address | null
  to: Address[]
  cc: Address[]
  replyTo: Address[]
  subject: string
  /** What a person sees. At most 256 kB of UTF-8; `truncated` says when it was cut. */
  text: string
  /** `text` without quoted history and signature. */
  newText: string
  /** It hands on another message, by its subject or by a line of the mail program. */
  forwards: boolean
  /** Lines without a quote mark were left out as an older message; answers may stand among them. */
  hidesUnmarked: boolean
  /** Of `newText`, by which a thread sees what was said before. */
  fingerprints: Int32Array
  /** The beginning of `newText`, on one line. */
  preview: string
  /**
   * The terms this mail is found by (see `search-terms.ts`): from subject, people and `text`, distinct,
   * space-separated.
   */
  searchTerms: string
  /** Sanitised, at most 1 MB; inline images point to `/api/v1/attachments/{id}`. */
  html: string | null
  /** Where the links of `html` lead, at most 200. */
  links: MailLink[]
  truncated: boolean
  hiddenTextRemoved: number
  warnings: MailWarning[]
  attachments: ParsedAttachment[]
  kind: MailKind
  bounce: Bounce | null
  /** SHA-256 of Message-ID, From, Date, Subject and body, ignoring line endings and trailing blank lines. */
  identity: Uint8Array
}
