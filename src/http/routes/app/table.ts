import type { AppRoute } from '../../app-route.ts'
import {
  invitationMake,
  passwordChange,
  standingAccessList,
  profileChange,
  sessionEnd,
  sessionList,
  signOutAll,
} from './account.ts'
import { agentList, agentMake, firstCallGet } from './agents.ts'
import { clientEnter, clientList, clientRemove, consentGet, consentGive } from './consents.ts'
import { fileAttach, fileDetach, fileGet } from './drafts/draft-files.ts'
import {
  draftConfirm,
  draftCreate,
  draftDiscard,
  draftGet,
  draftList,
  draftRevise,
  draftRevisions,
} from './drafts/drafts.ts'
import { attachmentGet, invitationGet, remotePictureGet, sourceGet, textGet } from './files.ts'
import {
  inboxChange,
  inboxCreate,
  inboxGet,
  inboxList,
  inboxRemove,
  inboxSync,
  providerFind,
  serverTry,
} from './inbox-settings.ts'
import { guideGet, guideSet } from './guide.ts'
import { live, presenceSet } from './live.ts'
import { mailboxSignInBegin, mailboxSignInFinish } from './mailbox-sign-in.ts'
import { noteAdd, noteEdit, noteList } from './notes.ts'
import {
  noticeBrowserAdd,
  noticeBrowserRemove,
  noticeList,
  noticeSenderChoose,
  noticeSettingsChange,
  noticeSettingsGet,
  noticesRead,
  noticesTest,
  threadFollow,
} from './notices.ts'
import { numbersGet } from './numbers.ts'
import { addressList, peopleList } from './people.ts'
import { matchCount, savedViewList, threadSearch, viewRemove, viewSave } from './search.ts'
import { draftLetter, draftSend, draftSettle, draftTakeBack } from './drafts/sending.ts'
import { sessionGet } from './session.ts'
import { agentRulesGet, agentRulesWrite } from './agent-rules.ts'
import { signatureGet, signatureSet } from './drafts/signatures.ts'
import { invitationTakeBack, resetOffer, teamList, teammateChange, teammateRemove } from './team.ts'
import { tokenList, tokenMake, tokenRevoke } from './tokens.ts'
import {
  changeUndo,
  matchingChange,
  foundChange,
  threadAssign,
  threadJoin,
  threadRead,
  threadsChange,
  threadStatus,
  threadUnread,
} from './thread-changes.ts'
import { counts, threadCount, threadGet, threadList } from './threads.ts'
import {
  deliveryList,
  deliveryRetry,
  kindList,
  webhookChange,
  webhookDisable,
  webhookEnable,
  webhookGet,
  webhookList,
  webhookMake,
  webhookRemove,
  webhookReplay,
  webhookRotate,
  webhookTest,
} from './webhooks.ts'

export const appBase = '/app/api'

/**
 * Every private route except those in entry.ts and signing out (app-door.ts). Only `draftSend` sends mail to others;
 * `noticesTest` can send a test notice to the person who requests it.
 */
export const appRoutes: readonly AppRoute[] = [
  sessionGet,
  sessionList,
  sessionEnd,
  signOutAll,
  passwordChange,
  standingAccessList,
  invitationMake,
  threadList,
  threadCount,
  counts,
  threadSearch,
  matchCount,
  savedViewList,
  viewSave,
  viewRemove,
  threadGet,
  threadsChange,
  matchingChange,
  foundChange,
  changeUndo,
  threadRead,
  threadUnread,
  threadAssign,
  threadStatus,
  threadJoin,
  noteList,
  noteAdd,
  noteEdit,
  noticeList,
  noticesRead,
  threadFollow,
  noticeSettingsGet,
  noticeSettingsChange,
  noticesTest,
  noticeBrowserAdd,
  noticeBrowserRemove,
  noticeSenderChoose,
  peopleList,
  addressList,
  attachmentGet,
  invitationGet,
  textGet,
  sourceGet,
  remotePictureGet,
  live,
  presenceSet,
  draftList,
  draftCreate,
  draftGet,
  draftRevise,
  draftRevisions,
  draftConfirm,
  draftDiscard,
  draftLetter,
  draftSend,
  draftTakeBack,
  draftSettle,
  fileAttach,
  fileDetach,
  fileGet,
  signatureGet,
  signatureSet,
  profileChange,
  tokenList,
  tokenMake,
  tokenRevoke,
  teamList,
  teammateChange,
  teammateRemove,
  resetOffer,
  invitationTakeBack,
  inboxList,
  inboxGet,
  providerFind,
  serverTry,
  mailboxSignInBegin,
  mailboxSignInFinish,
  inboxCreate,
  inboxChange,
  inboxRemove,
  inboxSync,
  agentRulesGet,
  agentRulesWrite,
  agentList,
  agentMake,
  firstCallGet,
  consentGet,
  consentGive,
  clientList,
  clientEnter,
  clientRemove,
  kindList,
  webhookList,
  webhookMake,
  webhookGet,
  webhookChange,
  webhookRemove,
  webhookEnable,
  webhookDisable,
  webhookRotate,
  webhookTest,
  deliveryList,
  deliveryRetry,
  webhookReplay,
  numbersGet,
  guideGet,
  guideSet,
]
