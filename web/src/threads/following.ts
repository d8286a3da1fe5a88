import type { Following } from '../../../src/model/notices/notices.ts'
import { ask } from '../page/api.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { followTexts } from './texts-following.ts'
import { changeThread } from './store.ts'

export function setFollowing(threadId: string, following: Following | null): void {
  ask('PUT', `/threads/${threadId}/following`, { following }).then(() => {
    changeThread(threadId, (thread) => ({ ...thread, following }))
    showToast(followTexts.now[following ?? 'none'])
  }, showProblem)
}
