import { signal } from '@preact/signals'
import type { SavedView } from '../../../src/model/work.ts'
import { ask, get } from '../page/api.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { searchTexts } from './texts.ts'

/** The user's saved searches, shown in the left column. */
export const savedViews = signal<SavedView[]>([])

export async function loadSavedViews(): Promise<void> {
  try {
    savedViews.value = (await get('/views')).data
  } catch {
    // They are loaded again at the next sign-in or page load.
  }
}

/** Returns whether it was saved. */
export async function saveView(name: string, search: string): Promise<boolean> {
  try {
    const view = await ask('POST', '/views', { name, search })
    savedViews.value = [...savedViews.value, view]
    return true
  } catch (error) {
    showProblem(error)
    return false
  }
}

export function removeView({ id, name }: SavedView): void {
  ask('DELETE', `/views/${id}`).then(() => {
    savedViews.value = savedViews.value.filter((view) => view.id !== id)
    showToast(searchTexts.removed(name))
  }, showProblem)
}
