import { useCommand } from '../page/command.ts'
import { list } from '../threads/list.ts'
import { neighbourIds } from '../threads/neighbours.ts'
import {
  actOnSelection,
  clearSelection,
  selectAll,
  selected,
  selectionInSight,
  toggle,
  wasForLostSelection,
} from '../threads/selection.ts'
import { swallow } from '../page/typed-ahead.ts'
import { closeRail, go, isReview, place, placePath, railOpen, route, threadId } from '../page/router.ts'
import { canWrite, session } from '../session/session.ts'
import { act, type ThreadAction } from '../threads/actions.ts'
import { threadOf } from '../threads/store.ts'
import { notesOpen } from '../thread/notes-open.ts'

/** Shortcuts that move through the list and act on the selected threads, or on the open one. */
export function InboxKeys(): null {
  const id = threadId.value
  const move = (step: 1 | -1) => (): void => {
    const next = neighbourIds(id, step)[0]
    if (next) go(placePath(place.value, next.thread, next.draft), { replace: id !== null })
  }
  /** Selects the open thread and the next one, and opens the next one. */
  const sweep = (step: 1 | -1) => (): void => {
    const next = neighbourIds(id, step)[0]
    for (const each of [id, next?.thread]) if (each && !selected.value.has(each)) toggle(each)
    move(step)()
  }
  const canMove = neighbourIds(null, 1).length > 0
  // Remembers where the open thread is in the list.
  neighbourIds(id, 1)
  // No key acts on a thread that is not shown.
  const shown = id !== null && threadOf(id).thread.value?.id === id ? id : null
  const canAct = shown !== null || selected.value.size > 0 || list.value.selectionLost.value
  const doing = (action: ThreadAction): (() => void) | null =>
    canAct
      ? () => {
          if (wasForLostSelection()) return
          if (selectionInSight().size > 0) actOnSelection(action)
          else if (shown !== null) void act([shown], action)
        }
      : null
  const writing = (action: ThreadAction): (() => void) | null => (canWrite.value ? doing(action) : null)
  const me = session.value?.user
  useCommand('next', canMove ? move(1) : null)
  useCommand('previous', canMove ? move(-1) : null)
  useCommand('open', id === null ? move(1) : focusThread)
  const canMark = id !== null && !isReview.value && list.value.positionOf(id) >= 0
  useCommand('select', canMark ? () => toggle(id) : null)
  useCommand('selectAll', isReview.value ? null : () => void selectAll())
  useCommand('selectNext', id === null || isReview.value ? null : sweep(1))
  useCommand('selectPrevious', id === null || isReview.value ? null : sweep(-1))
  useCommand('close', writing({ type: 'status', status: 'closed' }))
  useCommand('reopen', writing({ type: 'status', status: 'open' }))
  useCommand('spam', writing({ type: 'status', status: 'spam' }))
  useCommand('waiting', writing({ type: 'status', status: 'waiting' }))
  useCommand('unread', doing({ type: 'unread' }))
  useCommand('assignMe', me ? writing({ type: 'assign', to: me }) : null)
  const asking = canWrite.value && canAct
  useCommand('assign', asking ? () => openMenu('assign') : null)
  useCommand('snooze', asking ? () => openMenu('snooze') : null)
  useCommand('back', goBack)
  return null
}

/** Opens the menu for the selected threads, or for the open one. */
function openMenu(command: 'assign' | 'snooze'): void {
  const where = selectionInSight().size > 0 ? '.bulk' : '.thread .head'
  const button = document.querySelector<HTMLElement>(`${where} [data-command=${command}]`)
  if (button && !wasForLostSelection()) button.click()
  // What follows was meant for the menu.
  else swallow(performance.now())
}

function focusThread(): void {
  document.querySelector<HTMLElement>('.thread .body')?.focus()
}

function goBack(): void {
  if (selectionInSight().size > 0 || list.value.selectionLost.value) clearSelection()
  else if (railOpen.value) closeRail()
  else if (notesOpen.value) notesOpen.value = false
  else if (route.value.name !== 'inbox' || threadId.value !== null) go(placePath(place.value))
}
