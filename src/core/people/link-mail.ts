import { randomUUID } from 'node:crypto'
import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import type { OwnMail } from '../../model/mail/own-mail.ts'
import type { Db } from '../../store/db.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { hashSecret } from '../access/secrets.ts'
import { requireAdmin } from '../access/sessions.ts'
import { mayBeMailed } from '../notices/delivery.ts'
import type { Spool } from '../spool.ts'
import { requireLink } from './invitations.ts'
import { issueOwnReset } from './resets.ts'

/**
 * Whoever has such a link gets in, so it must not become mail of an inbox, where programs and agents would read it: a
 * provider may file what an inbox's server sends. Only the configured server sends links, unless it is an inbox's own.
 */
export async function findLinkSender({ db, noticeMail }: Spool): Promise<Spool['noticeMail']> {
  if (noticeMail === null) return null
  const inboxes = await listInboxes(db)
  const names = new Set([noticeMail.from.address, noticeMail.server.user?.toLowerCase()])
  return inboxes.some((inbox) => addressesOf(inbox).some((own) => names.has(own))) ? null : noticeMail
}

/** Mails an open link to the person it is for; returns their address. */
export async function mailLink(
  spool: Spool,
  actor: Actor,
  { kind, token }: { kind: 'invitation' | 'reset'; token: string },
): Promise<string> {
  await requireAdmin(spool, spool.db, actor)
  const { email, data } = await requireLink(spool, spool.db, kind, hashSecret(token))
  const path = { invitation: 'invitations', reset: 'reset' }[kind]
  const url = `${spool.url}/${path}#${token}`
  const sender = await findLinkSender(spool)
  if (!sender)
    throw new SpoolError(
      'conflict',
      'No mail server of its own sends links; set SPOOL_NOTICE_SMTP, or hand the link over yourself.',
    )
  const to = { address: email!, name: await nameOf(spool.db, kind, { email: email!, data }) }
  if (!(await mayBeMailed(spool, { email: to.address })))
    throw new SpoolError(
      'conflict',
      `${to.address} is an address of an inbox, where others would read the link; hand it over yourself.`,
    )
  await spool.sendOwnMail({
    ...sender,
    to,
    ...letters[kind](to.name, actor.name, spool.url, url),
    ...fresh(),
  })
  return to.address
}

async function nameOf(db: Db, kind: 'invitation' | 'reset', link: { email: string; data: string }) {
  if (kind === 'invitation') return (JSON.parse(link.data) as { name: string }).name
  return (await findUserByEmail(db, link.email))?.name ?? link.email
}

/** For somebody who cannot sign in. Does nothing if there is no such account. */
export async function mailReset(spool: Spool, email: string): Promise<void> {
  const sender = await findLinkSender(spool)
  if (!sender) return
  const issued = await issueOwnReset(spool, email)
  if (!issued || !(await mayBeMailed(spool, issued.user))) return
  const { name, email: address } = issued.user
  const letter = letters.ownReset(name, spool.url, issued.url)
  await spool.sendOwnMail({ ...sender, to: { name, address }, ...letter, ...fresh() })
}

function fresh(): Pick<OwnMail, 'messageName'> {
  return { messageName: randomUUID() }
}

const letters = {
  invitation: (name: string, by: string, spool: string, url: string) => ({
    subject: `Spool: ${by} invited you`,
    body: `Hello ${name},\n\n${by} invited you to Spool, the team inbox at ${spool}. Choose a password here:\n${url}\n\nThe link works once, for a week after it was made. If you don't know ${by}, ignore this mail.`,
  }),
  reset: (name: string, by: string, spool: string, url: string) => ({
    subject: 'Spool: choose a new password',
    body: `Hello ${name},\n\n${by} made a link for you to choose a new password for Spool at ${spool}:\n${url}\n\nThe link works once, for a day after it was made.`,
  }),
  ownReset: (name: string, spool: string, url: string) => ({
    subject: 'Spool: choose a new password',
    body: `Hello ${name},\n\nsomebody, probably you, asked for a new password for Spool at ${spool}. Choose one here:\n${url}\n\nThe link works once, within an hour. If it wasn't you, ignore this mail: your password stays as it is.`,
  }),
}
