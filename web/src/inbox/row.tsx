import type { ThreadRow } from '../../../src/model/work.ts'
import { Avatar } from '../controls/avatar.tsx'
import { isUnfinished } from '../draft/start.ts'
import { place, placePath, threadId } from '../page/router.ts'
import { isColleague, session } from '../session/session.ts'
import { shortTime, fullTime, futureTime } from '../page/times.ts'
import { prefetch } from '../threads/store.ts'
import { texts } from '../page/texts.ts'
import { Marked } from '../search/marked.tsx'
import { extendTo, isSelected, toggle } from '../threads/selection.ts'
import { actionTexts } from '../threads/texts.ts'
import { rowHeight } from './density.ts'

/** One thread in the list: sender and time, subject, preview, chips. */
export function Row({ row, position, count }: { row: ThreadRow; position: number; count: number }) {
  const on = threadId.value === row.id
  const chosen = isSelected(row)
  const name = row.sender.name || row.sender.address || texts.list.noSender
  const click = (event: MouseEvent): void => {
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.shiftKey) void extendTo(row.id)
    else toggle(row.id)
  }
  return (
    <div
      class={`row ${on ? 'on' : ''} ${row.unread ? '' : 'read'} ${chosen ? 'chosen' : ''}`}
      style={{ top: `${position * rowHeight.value}px` }}
      role="listitem"
      aria-setsize={count}
      aria-posinset={position + 1}
      onPointerEnter={() => prefetch([row.id])}
      // A Shift-click would select text instead.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      {/* Firefox does not pass a click with Shift or Ctrl on to the box. */}
      <label class="pick" onClick={(event) => !(event.target instanceof HTMLInputElement) && click(event)}>
        <input
          type="checkbox"
          checked={chosen}
          aria-label={texts.list.select(name)}
          onClick={({ shiftKey }) => (shiftKey ? void extendTo(row.id) : toggle(row.id))}
          // The browser flips the box after the page has rendered it.
          onChange={({ currentTarget }) => (currentTarget.checked = isSelected(row))}
        />
        {row.unread && <i class="dot" />}
      </label>
      <a
        href={placePath(place.value, row.id)}
        class="row-link"
        data-thread={row.id}
        aria-current={on ? 'true' : undefined}
        onClickCapture={click}
      >
        <span class="top">
          <b class="cut">
            <Marked text={name} />
          </b>
          {row.unread && <span class="hidden">{texts.list.unread}</span>}
          <time dateTime={row.timestamp} title={fullTime(row.timestamp)}>
            {shortTime(row.timestamp)}
          </time>
        </span>
        <span class="sub cut">
          <Marked text={row.subject || texts.list.noSubject} />
        </span>
        <span class="pre cut">
          <Marked text={row.preview || actionTexts.noText} />
        </span>
        <Marks row={row} />
      </a>
    </div>
  )
}

function Marks({ row }: { row: ThreadRow }) {
  const agents = row.openDrafts.filter(({ author }) => author.type === 'agent')
  const ofPeople = row.openDrafts.filter(isUnfinished)
  const own = ofPeople.some(({ author }) => author.id === session.value?.user.id)
  const colleague = ofPeople.find(({ author }) => isColleague(author))
  const showStatus =
    row.status !== 'open' && !(place.value.type === 'view' && place.value.view === row.status)
  return (
    <span class="meta line">
      {agents.slice(0, 1).map(({ id, author }) => (
        <span key={id} class="chip agent">
          {texts.draft.by(author.name)}
        </span>
      ))}
      {own && <span class="chip">{texts.draft.yours}</span>}
      {colleague && <span class="chip">{texts.draft.by(colleague.author.name)}</span>}
      {row.openDrafts.some(({ status }) => status === 'stale') && (
        <span class="chip warn">{texts.list.stale}</span>
      )}
      {row.openDrafts.some(({ status }) => status === 'failed') && (
        <span class="chip danger">{texts.list.failed}</span>
      )}
      {row.openDrafts.some(({ status }) => status === 'unknown') && (
        <span class="chip warn">{texts.list.unknown}</span>
      )}
      {showStatus && <span class="chip ok">{texts.statuses[row.status]}</span>}
      {row.snoozedUntil && <span class="chip">{futureTime(row.snoozedUntil)}</span>}
      {row.messageCount > 1 && (
        <span class="chip" title={texts.list.messages(row.messageCount)}>
          {row.messageCount}
        </span>
      )}
      {row.attachmentCount > 0 && <span class="chip">{texts.list.files(row.attachmentCount)}</span>}
      {row.assignment && <Avatar name={row.assignment.name} title={row.assignment.name} />}
    </span>
  )
}
