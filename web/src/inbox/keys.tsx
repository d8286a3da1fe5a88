import { useCommand } from '../page/command.ts'
import { neighbourIds } from '../threads/neighbours.ts'
import { railOpen } from './rail-open.ts'
import { actOnSelection, clearSelection, selected, selectionInSight, toggle } from '../threads/selection.ts'
import { go, place, placePath, route, threadId } from '../page/router.ts'
import { canWrite, session } from '../session/session.ts'
import { act, type ThreadAction } from '../threads/actions.ts'
import { notesOpen } from '../thread/notes-open.ts'

/** Shortcuts that move through the list and act on the selected threads, or on the open one. */
export function InboxKeys(): null {
  const id = threadId.value
  const move = (step: 1 | -1) => (): void => {
    const next = neighbourIds(id, step)[0]
    if (next) go(placePath(place.value, next.thread, next.draft), { replace: id !== null })
  }
  const canMove = neighbourIds(null, 1).length > 0
  const doing = (action: ThreadAction): (() => void) | null =>
    selected.value.size === 0 && id === null
      ? null
      : () => {
          if (selectionInSight().size > 0) actOnSelection(action)
          else if (id !== null) void act([id], action)
        }
  const writing = (action: ThreadAction): (() => void) | null => (canWrite.value ? doing(action) : null)
  const me = session.value?.user
  useCommand('next', canMove ? move(1) : null)
  useCommand('previous', canMove ? move(-1) : null)
  useCommand('open', id === null ? move(1) : focusThread)
  useCommand('select', id === null ? null : () => toggle(id))
  useCommand('close', writing({ type: 'status', status: 'closed' }))
  useCommand('spam', writing({ type: 'status', status: 'spam' }))
  useCommand('reopen', writing({ type: 'status', status: 'open' }))
  useCommand('waiting', writing({ type: 'status', status: 'waiting' }))
  useCommand('unread', doing({ type: 'unread' }))
  useCommand('assignMe', me ? writing({ type: 'assign', to: me }) : null)
  useCommand('back', goBack)
  return null
}

function focusThread(): void {
  document.querySelector<HTMLElement>('.thread .body')?.focus()
}

function goBack(): void {
  if (selectionInSight().size > 0) clearSelection()
  else if (railOpen.value) railOpen.value = false
  else if (notesOpen.value) notesOpen.value = false
  else if (route.value.name !== 'inbox' || threadId.value !== null) go(placePath(place.value))
}
