import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { Menu, MenuItem } from '../controls/menu.tsx'
import { place } from '../page/router.ts'
import { canWrite } from '../session/session.ts'
import type { ThreadAction } from '../threads/actions.ts'
import { AssignMenu, SnoozeMenu } from '../threads/choices.tsx'
import { counts, formatCount } from '../threads/counts.ts'
import { list } from '../threads/list.ts'
import { texts } from '../page/texts.ts'
import {
  actOnSelection,
  allLoadedSelected,
  clearSelection,
  selectAll,
  selected,
  selectedCount,
  offeredToo,
  selectMatching,
} from '../threads/selection.ts'
import { actionTexts } from '../threads/texts.ts'
import { density, nextDensity } from './density.ts'

const FoundBar = lazy(async () => (await import('../search/found-bar.tsx')).FoundBar)

/** Above the rows: how many there are, or what can be done with the selected ones. */
export function ListHead() {
  const count = selectedCount.value
  return count > 0 ? <Bulk count={count} /> : <Total />
}

function Total() {
  const now = place.value
  const count = countOfPlace()
  const other = density.value === 'compact' ? 'comfortable' : 'compact'
  return (
    <div class="list-head line">
      <SelectAll />
      {now.type === 'search' ? (
        <FoundBar key={now.q} search={now.q} />
      ) : (
        <span>{typeof count === 'number' && actionTexts.threads(formatCount(count))}</span>
      )}
      <button
        type="button"
        class="btn quiet"
        aria-label={actionTexts.density[other]}
        title={actionTexts.density[other]}
        onClick={nextDensity}
      >
        <Icon name={other} />
      </button>
    </div>
  )
}

function countOfPlace(): number | null | undefined {
  const now = place.value
  if (now.type === 'inbox') return counts.value.inboxes[now.inbox]
  return now.type === 'view' ? counts.value.views[now.view] : null
}

function SelectAll() {
  const some = selected.value.size > 0
  return (
    <input
      type="checkbox"
      class="select-all"
      aria-label={actionTexts.selectAll}
      title={actionTexts.selectAll}
      checked={allLoadedSelected.value}
      disabled={list.value.total.value === 0}
      indeterminate={some && !allLoadedSelected.value}
      onClick={() => void (allLoadedSelected.value ? clearSelection() : selectAll())}
    />
  )
}

/** Actions on all selected threads: one line, as high as the one it replaces, so no row moves under the pointer. */
function Bulk({ count }: { count: number }) {
  const said = list.value.allSelected.value
    ? actionTexts.allSelected(formatCount(count))
    : texts.list.selected(count)
  return (
    <div class="bulk" role="toolbar" aria-label={said}>
      <div class="line">
        <SelectAll />
        <b class="cut">{said}</b>
        {canWrite.value && (
          <>
            <button
              type="button"
              class="btn"
              onClick={() => actOnSelection({ type: 'status', status: 'closed' })}
            >
              {texts.thread.close}
            </button>
            <AssignMenu
              button={texts.thread.assign}
              align="start"
              current={assigneeOfAll()}
              act={actOnSelection}
            />
            <SnoozeMenu button={<Icon name="moon" />} align="start" act={actOnSelection} />
          </>
        )}
        <Menu label={actionTexts.moreActions} quiet button={<Icon name="more" />}>
          {(close) =>
            moreActions().map(({ label, action, ...hint }) => (
              <MenuItem key={label} {...hint} onChoose={() => (close(), actOnSelection(action))}>
                {label}
              </MenuItem>
            ))
          }
        </Menu>
        <button type="button" class="btn quiet" aria-label={texts.list.clear} onClick={clearSelection}>
          <Icon name="cross" />
        </button>
      </div>
      {/* All loaded rows are selected, and the list has more. */}
      {offeredToo.value && (
        <button type="button" class="link offer" onClick={selectMatching}>
          {actionTexts.selectMatching(formatCount(offeredToo.value.count))}
        </button>
      )}
    </div>
  )
}

/** Whom all selected threads are assigned to; undefined if that differs, or is not known of all. */
function assigneeOfAll(): string | null | undefined {
  if (list.value.allSelected.value) return undefined
  const rows = [...selected.value].map((id) => list.value.find(id))
  const first = rows[0]?.assignment?.id ?? null
  return rows.every((row) => row && (row.assignment?.id ?? null) === first) ? first : undefined
}

function moreActions(): { label: string; hint?: string; action: ThreadAction }[] {
  const reading: ReturnType<typeof moreActions> = [
    { label: actionTexts.markRead, action: { type: 'read' } },
    { label: texts.thread.markUnread, hint: 'u', action: { type: 'unread' } },
  ]
  if (!canWrite.value) return reading
  return [
    ...reading,
    { label: actionTexts.reopen, hint: 'E', action: { type: 'status', status: 'open' } },
    { label: actionTexts.spam, hint: '#', action: { type: 'status', status: 'spam' } },
  ]
}
