import {
  beginSignIn,
  obtainSignIn,
  redeemSignIn,
  storeSignIn,
  type SignedInMailbox,
} from '../../../core/inboxes/sign-in.ts'
import { probeMailServer } from '../../../mail/try-connection.ts'
import { SpoolError } from '../../../model/errors.ts'
import { sendsByGraph } from '../../../model/mail/server.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

const tryMilliseconds = 15_000

export const mailboxSignInRoutes = [
  defineAppRoute('beginMailboxSignIn', admins, async ({ spool, actor, body, guard }) => {
    await guard.countTrial()
    if (body.way === 'delegated') return { url: await beginSignIn(spool, actor, body), inbox: null }
    const mailbox = await obtainSignIn(spool, actor, body)
    await requireOpen(mailbox)
    return { url: null, inbox: await storeSignIn(spool, actor, mailbox) }
  }),

  defineAppRoute('finishMailboxSignIn', admins, async ({ spool, actor, body }) => {
    const mailbox = await redeemSignIn(spool, actor, body)
    await requireOpen(mailbox)
    return storeSignIn(spool, actor, mailbox)
  }),
]

/** IMAP and SMTP (not Graph) must accept the sign-in before it is stored; this proves access to a shared mailbox. */
async function requireOpen({ servers, account, wish }: SignedInMailbox): Promise<void> {
  const tried = servers.filter((server) => !sendsByGraph(server))
  const trials = await Promise.all(tried.map((server) => probeMailServer(server, tryMilliseconds)))
  const failed = trials.find((trial) => !trial.ok)
  if (failed?.ok !== false) return
  const who = account === wish.address ? '' : `You signed in as ${account}. `
  const hint = /SmtpClientAuthentication|5\.7\.139/.test(failed.message)
    ? ' SMTP is switched off for this tenant or mailbox: start again and choose sending through Graph.'
    : ''
  throw new SpoolError('conflict', `${who}${failed.message}${hint} Nothing was stored.`)
}
