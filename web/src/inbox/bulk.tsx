import type { JSX } from 'preact'
import { useCommand } from '../command.ts'
import { Icon } from '../icon.tsx'
import { Menu } from '../menu.tsx'
import { canWrite } from '../session/session.ts'
import { act, type ThreadAction } from '../thread/actions.ts'
import { AssignItems, SnoozeItems } from '../thread/choices.tsx'
import { words } from '../words.ts'
import { clearSelection, selected } from './selection.ts'

/** What can be done to all that are chosen. */
export function Bulk(): JSX.Element | null {
  const ids = [...selected.value]
  const on = ids.length > 0
  const doAll = (action: ThreadAction): void => {
    clearSelection()
    void act(ids, action)
  }
  useCommand('back', on ? clearSelection : null)
  if (!on) return null
  return (
    <div class="bulk" role="toolbar" aria-label={words.list.selected(ids.length)}>
      <b>{words.list.selected(ids.length)}</b>
      {canWrite.value && (
        <>
          <button type="button" class="btn" onClick={() => doAll({ type: 'status', status: 'closed' })}>
            {words.errors.close}
          </button>
          <Menu label={words.thread.assign} button={words.thread.assign} align="start">
            {(close) => (
              <AssignItems current={null} onChoose={(to) => (close(), doAll({ type: 'assign', to }))} />
            )}
          </Menu>
          <Menu label={words.thread.snooze} form button={<Icon name="moon" />}>
            {(close) => (
              <SnoozeItems
                onChoose={(until) => (close(), doAll({ type: 'status', status: 'snoozed', until }))}
              />
            )}
          </Menu>
        </>
      )}
      <button type="button" class="btn" onClick={() => doAll({ type: 'unread' })}>
        {words.list.unread}
      </button>
      <button type="button" class="btn quiet" aria-label={words.list.clear} onClick={clearSelection}>
        <Icon name="cross" />
      </button>
    </div>
  )
}
