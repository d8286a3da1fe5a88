import type { JSX } from 'preact'
import { Icon } from '../controls/icon.tsx'
import { Menu } from '../controls/menu.tsx'
import { canWrite } from '../session/session.ts'
import { AssignItems, SnoozeItems } from '../threads/choices.tsx'
import { texts } from '../page/texts.ts'
import { actOnSelection, clearSelection, selected } from '../threads/selection.ts'

/** Actions on all selected threads. */
export function Bulk(): JSX.Element | null {
  const count = selected.value.size
  if (count === 0) return null
  return (
    <div class="bulk" role="toolbar" aria-label={texts.list.selected(count)}>
      <b>{texts.list.selected(count)}</b>
      {canWrite.value && (
        <>
          <button
            type="button"
            class="btn"
            onClick={() => actOnSelection({ type: 'status', status: 'closed' })}
          >
            {texts.thread.close}
          </button>
          <Menu label={texts.thread.assign} form button={texts.thread.assign} align="start">
            {(close) => (
              <AssignItems
                current={null}
                onChoose={(to) => (close(), actOnSelection({ type: 'assign', to }))}
              />
            )}
          </Menu>
          <Menu label={texts.thread.snooze} form button={<Icon name="moon" />}>
            {(close) => (
              <SnoozeItems
                onChoose={(until) => (close(), actOnSelection({ type: 'status', status: 'snoozed', until }))}
              />
            )}
          </Menu>
        </>
      )}
      <button type="button" class="btn" onClick={() => actOnSelection({ type: 'unread' })}>
        {texts.list.unread}
      </button>
      <button type="button" class="btn quiet" aria-label={texts.list.clear} onClick={clearSelection}>
        <Icon name="cross" />
      </button>
    </div>
  )
}
