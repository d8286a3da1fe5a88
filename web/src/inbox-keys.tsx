import { useCommand } from './command.ts'
import { neighbourIds } from './inbox/list.tsx'
import { railOpen } from './inbox/rail-open.ts'
import { selected, toggle } from './inbox/selection.ts'
import { go, place, placePath, route, threadId } from './router.ts'
import { canWrite, session } from './session/session.ts'
import { act, type ThreadAction } from './thread/actions.ts'
import { notesOpen } from './thread/notes-open.ts'

/** Keys that move through the list and act on what is chosen, or on the thread that is open. */
export function InboxKeys(): null {
  const id = threadId.value
  const move = (step: 1 | -1) => (): void => {
    const next = neighbourIds(id, step)[0]
    if (next) go(placePath(place.value, next.thread, next.draft), { replace: id !== null })
  }
  const meant = selected.value.size > 0 ? [...selected.value] : id === null ? [] : [id]
  const doing = (action: ThreadAction): (() => void) | null =>
    meant.length === 0 ? null : () => void act(meant, action)
  const writing = (action: ThreadAction): (() => void) | null => (canWrite.value ? doing(action) : null)
  const me = session.value?.user
  useCommand('next', move(1))
  useCommand('previous', move(-1))
  useCommand('open', id === null ? move(1) : focusThread)
  useCommand('select', id === null ? null : () => toggle(id))
  useCommand('close', writing({ type: 'status', status: 'closed' }))
  useCommand('spam', writing({ type: 'status', status: 'spam' }))
  useCommand('unread', doing({ type: 'unread' }))
  useCommand('assignMe', me ? writing({ type: 'assign', to: me }) : null)
  useCommand('back', selected.value.size > 0 ? null : goBack)
  return null
}

function focusThread(): void {
  document.querySelector<HTMLElement>('.thread .body')?.focus()
}

function goBack(): void {
  if (railOpen.value) railOpen.value = false
  else if (notesOpen.value) notesOpen.value = false
  else if (route.value.name !== 'inbox' || threadId.value !== null) go(placePath(place.value))
}
