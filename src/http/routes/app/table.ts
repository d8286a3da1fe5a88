import type { AppRoute } from '../../app-route.ts'
import { sessionGet } from './session.ts'
import { accountRoutes } from './account.ts'
import { threadRoutes } from './threads.ts'
import { searchRoutes } from './search.ts'
import { threadChangeRoutes } from './thread-changes.ts'
import { noteRoutes } from './notes.ts'
import { noticeRoutes } from './notices.ts'
import { fileRoutes } from './files.ts'
import { liveRoutes } from './live.ts'
import { draftRoutes } from './drafts/drafts.ts'
import { sendingRoutes } from './drafts/sending.ts'
import { draftFileRoutes } from './drafts/draft-files.ts'
import { tokenRoutes } from './tokens.ts'
import { teamRoutes } from './team.ts'
import { inboxRoutes } from './inbox-settings.ts'
import { mailboxSignInRoutes } from './mailbox-sign-in.ts'
import { agentRoutes } from './agents.ts'
import { consentRoutes } from './consents.ts'
import { webhookRoutes } from './webhooks.ts'
import { numbersGet } from './numbers.ts'

export const appBase = '/app/api'

/**
 * Every private route except those in entry.ts and signing out (app-door.ts). Only `sendDraft` sends mail to others;
 * `testNotices` can send a test notice to the person who requests it, and `mailLink` an admin's link to whom it is for.
 */
export const appRoutes: readonly AppRoute[] = [
  sessionGet,
  ...accountRoutes,
  ...threadRoutes,
  ...searchRoutes,
  ...threadChangeRoutes,
  ...noteRoutes,
  ...noticeRoutes,
  ...fileRoutes,
  ...liveRoutes,
  ...draftRoutes,
  ...sendingRoutes,
  ...draftFileRoutes,
  ...tokenRoutes,
  ...teamRoutes,
  ...inboxRoutes,
  ...mailboxSignInRoutes,
  ...agentRoutes,
  ...consentRoutes,
  ...webhookRoutes,
  numbersGet,
]
