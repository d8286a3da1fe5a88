import { createECDH, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { ByteBudget } from '../model/byte-budget.ts'
import type { Raster } from '../model/files/raster.ts'
import type { Address, ParsedMail } from '../model/mail/mail.ts'
import type { OwnMail } from '../model/mail/own-mail.ts'
import type { OAuthExchange, RegisteredClient } from '../model/mail/oauth.ts'
import type { MailProvider } from '../model/mail/providers.ts'
import type { MailServer } from '../model/mail/server.ts'
import type { PushService } from '../model/notices/push.ts'
import type { Database } from '../store/db.ts'
import type { FileText } from '../model/files/file-text.ts'
import { transaction } from '../store/database.ts'
import { readSetting, writeSetting } from '../store/settings.ts'
import { Signer } from './signer.ts'

/** What every core action needs. */
export interface Spool {
  db: Database
  keys: Keys
  /** The public URL, without a trailing slash. */
  url: string
  now(): number
  /** How long a person can undo sending. */
  undoSeconds: number
  /** The largest outgoing mail, in bytes. */
  maxMessageBytes: number
  /** Bounds what arriving mail and uploads, and what exports hold in memory. */
  memory: { arriving: ByteBudget; exports: ByteBudget }
  /** Parses a raw message in another thread. `later`: only while no other mail waits to be parsed. */
  readMail(raw: Uint8Array, when: 'now' | 'later'): Promise<ParsedMail>
  /** How to start this installation as an MCP bridge. */
  bridge: { command: string; script: string }
  /** Rejects URLs that no webhook may be delivered to; returns the URL to store. */
  checkTarget(url: string): Promise<string>
  /** Fetches a picture from an address given by a sender. */
  fetchPicture(address: string, gone: AbortSignal): Promise<Raster>
  /** Fetches the text at the address that an OAuth client uses as its id. */
  fetchClientDocument(url: string): Promise<string>
  /** Finds where the mail of an address is hosted. */
  lookUpProvider(address: string): Promise<MailProvider & { by: string }>
  /** Sends pushes to the browsers that want them. */
  push: PushService
  /** The server for notices by mail and its sender, from the environment. */
  noticeMail: { server: MailServer; from: Address } | null
  /** Sends a mail in Spool's own words now; if it is not accepted, the error says why. */
  sendOwnMail(mail: OwnMail): Promise<void>
  /** Requests tokens from mail providers. */
  oauth: OAuthExchange
  /** The clients registered with mail providers, from the environment. */
  oauthClients: Readonly<Record<'microsoft' | 'google', RegisteredClient | null>>
  /** Extracts the text of an attachment, in a separate thread. */
  readFile(bytes: Uint8Array, contentType: string, filename: string): Promise<FileText>
  /** Changes which lines of a mail's HTML are folded; null if its lines are not those of `text`. */
  refold(html: string, text: string, isNew: (line: number) => boolean): Promise<string | null>
}

export type Keys = ReturnType<typeof deriveKeys>

export function deriveKeys(secret: string) {
  return {
    /** What a store knows its secret by. */
    check: createHmac('sha256', derive(secret, 'check')).update('spool').digest('base64'),
    cursors: new Signer(derive(secret, 'cursors')),
    /** Marks browsers that have signed in. */
    browsers: new Signer(derive(secret, 'browsers')),
    /** Signs the consent request that a person was shown. */
    consents: new Signer(derive(secret, 'consents')),
    /** Signs the state before a change, for its undo. */
    receipts: new Signer(derive(secret, 'receipts')),
    /** Encrypts what must be read back: mail passwords, webhook secrets. */
    secrets: createSecretKey(derive(secret, 'secrets')),
    /** Identifies this Spool to push services (VAPID). */
    push: derivePushKeys(secret),
  }
}

/** Derived like the other keys, so that every node has the same one and a restored store still reaches its browsers. */
function derivePushKeys(secret: string): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1')
  for (let count = 0; ; count++) {
    const scalar = derive(secret, `push ${count}`)
    try {
      curve.setPrivateKey(scalar)
    } catch {
      // The scalar is not below the order of the curve: once in four billion secrets.
      continue
    }
    // As web push uses them: the uncompressed point and the scalar.
    return {
      publicKey: curve.getPublicKey('base64url'),
      privateKey: Buffer.from(scalar).toString('base64url'),
    }
  }
}

function derive(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'spool', purpose, 32))
}

/**
 * False if the store has another secret: its cursors and encrypted values would be unreadable. A store without one
 * takes this one.
 */
export async function checkSecret(db: Database, { check }: Pick<Keys, 'check'>): Promise<boolean> {
  const isSame = (known: string): boolean =>
    timingSafeEqual(Buffer.from(known, 'base64'), Buffer.from(check, 'base64'))
  const known = await readSetting(db, 'secret_check')
  if (known !== undefined) return isSame(known)
  return transaction(db, async (db) => {
    const meanwhile = await readSetting(db, 'secret_check')
    if (meanwhile !== undefined) return isSame(meanwhile)
    await writeSetting(db, 'secret_check', check)
    return true
  })
}
