import type { AppRoute } from '../../app-route.ts'
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
import { draftLetter, draftSend, draftSettle, draftTakeBack } from './sending.ts'
import { sessionGet } from './session.ts'
import { signatureGet, signatureSet } from './signatures.ts'

export const appBase = '/app/api'

/** Every private route but signing in and out, which app-door.ts has. `draftSend` is the only one by which mail leaves. */
export const appRoutes: readonly AppRoute[] = [
  sessionGet,
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
