import type { AppRoute } from '../../app-route.ts'
import { invitationMake, passwordChange, sessionEnd, sessionList, signOutAll } from './account.ts'
import { fileAttach, fileDetach, fileGet } from './draft-files.ts'
import {
  draftConfirm,
  draftCreate,
  draftDiscard,
  draftGet,
  draftList,
  draftRevise,
  draftRevisions,
} from './drafts.ts'
import { attachmentGet, picturesGet, sourceGet } from './files.ts'
import { live, presenceSet } from './live.ts'
import { noteAdd, noteEdit, noteList } from './notes.ts'
import { addressList, peopleList } from './people.ts'
import { draftLetter, draftSend, draftSettle, draftTakeBack } from './sending.ts'
import { sessionGet } from './session.ts'
import { signatureGet, signatureSet } from './signatures.ts'
import {
  threadAssign,
  threadJoin,
  threadRead,
  threadsChange,
  threadStatus,
  threadUnread,
} from './thread-changes.ts'
import { counts, threadGet, threadList } from './threads.ts'

export const appBase = '/app/api'

/** Every private route but the ways in (entry.ts) and signing out, which app-door.ts has. `draftSend` is the only one by which mail leaves. */
export const appRoutes: readonly AppRoute[] = [
  sessionGet,
  sessionList,
  sessionEnd,
  signOutAll,
  passwordChange,
  invitationMake,
  threadList,
  counts,
  threadGet,
  threadsChange,
  threadRead,
  threadUnread,
  threadAssign,
  threadStatus,
  threadJoin,
  noteList,
  noteAdd,
  noteEdit,
  peopleList,
  addressList,
  attachmentGet,
  sourceGet,
  picturesGet,
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
]
