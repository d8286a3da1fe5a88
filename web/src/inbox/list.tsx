import { Failed } from '../controls/failed.tsx'
import { lazy, Opening } from '../controls/lazy.tsx'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isReview, place, threadId } from '../page/router.ts'
import { hasInbox, NoInbox, StoppedInboxes } from '../session/inbox-state.ts'
import { session } from '../session/session.ts'
import { titleOf } from './title.ts'
import { useOpening } from '../page/typed-ahead.ts'
import { texts } from '../page/texts.ts'
import { ListHead } from './bulk.tsx'
import { rowHeight as height } from './density.ts'
import { MenuButton } from './menu-button.tsx'
import { Row } from './row.tsx'
import { SearchField } from '../search/field.tsx'
import { list } from '../threads/list.ts'

const TokenWarning = lazy(async () => (await import('./token-warning.tsx')).TokenWarning)
const Elsewhere = lazy(async () => (await import('./elsewhere.tsx')).Elsewhere)
const ReviewRows = lazy(
  async () => (await import('./review-rows.tsx')).ReviewRows,
  (isMissing) => (threadId.value === null ? <Opening isMissing={isMissing} /> : null),
)

const overscan = 4

/** The middle column: the list. */
export function ListColumn() {
  const review = isReview.value
  return (
    <section class="list" aria-label={texts.list.label}>
      <h1 class="hidden">{titleOf(place.value)}</h1>
      <div class="search-box">
        <MenuButton />
        <SearchField />
      </div>
      <TokenWarning />
      {session.value?.stopped?.[0] && <StoppedInboxes />}
      {!review && hasInbox() && <ListHead />}
      {!hasInbox() ? <NoInbox /> : review ? <ReviewRows /> : <Rows key={JSON.stringify(place.value)} />}
    </section>
  )
}

/** Only the visible rows are rendered, however long the list. */
function Rows() {
  const box = useRef<HTMLDivElement>(null)
  const window = useSignal({ from: 0, to: 20 })
  /** The rows in sight and their positions. */
  const inSight = useRef<{ id: string | undefined; at: number }[]>([])
  const shown = list.value
  const total = shown.total.value
  const rowHeight = height.value
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current!
    // Also called by an observer of the first render.
    const rowHeight = height.peek()
    shown.scrollTop = scrollTop
    const first = Math.floor(scrollTop / rowHeight)
    const end = Math.ceil((scrollTop + clientHeight) / rowHeight)
    inSight.current = shown.between(first, end).map((row, index) => ({ id: row?.id, at: first + index }))
    const from = Math.max(0, first - overscan)
    const to = end + overscan
    if (from !== window.value.from || to !== window.value.to) window.value = { from, to }
    shown.look(from, to)
  }
  useLayoutEffect(() => {
    box.current!.scrollTop = shown.scrollTop
    measure()
    const resize = new ResizeObserver(measure)
    resize.observe(box.current!)
    return () => resize.disconnect()
  }, [])
  useLayoutEffect(() => {
    // Rows that come or go above must not move what the user is looking at. One that alone rises is not followed.
    const left = inSight.current.filter(({ id }) => id && shown.positionOf(id) >= 0)
    const move = Math.max(...left.map(({ id, at }) => shown.positionOf(id!) - at))
    if (left.length > 0 && shown.scrollTop > rowHeight)
      box.current!.scrollTop = shown.scrollTop + move * rowHeight
    measure()
  }, [shown.pages.value, shown.loaded.value, rowHeight])
  useEffect(() => {
    const at = threadId.value === null ? -1 : shown.positionOf(threadId.value)
    if (at >= 0) keepInSight(box.current!, at, rowHeight)
  }, [threadId.value, rowHeight])
  useLayoutEffect(() => {
    // A row that was clicked before would keep the focus, and Enter would open it again.
    const link = document.activeElement
    if (link instanceof HTMLAnchorElement && box.current!.contains(link) && link.href !== location.href)
      link.blur()
  }, [threadId.value])
  const isThere = shown.loaded.value || total > 0 || threadId.value !== null
  useOpening(isThere ? 'open' : shown.problem.value !== null ? 'failed' : 'opening')
  const { from, to } = window.value
  return (
    <div class="rows" ref={box} onScroll={measure} tabIndex={-1}>
      <div class="rows-inner" role="list" style={{ height: `${total * rowHeight}px` }}>
        {shown
          .between(from, Math.min(to, total))
          .map((row, index) =>
            row ? (
              <Row key={row.id} row={row} position={from + index} count={total} />
            ) : (
              <div
                key={from + index}
                class="row blank"
                role="listitem"
                style={{ top: `${(from + index) * rowHeight}px` }}
              />
            ),
          )}
      </div>
      <Foot />
    </div>
  )
}

function keepInSight(box: HTMLElement, at: number, rowHeight: number): void {
  const top = at * rowHeight
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + rowHeight - box.clientHeight
}

function Foot() {
  const shown = list.value
  if (shown.problem.value)
    return (
      <Failed
        problem={shown.problem.value}
        onAgain={() => void shown.refresh().then(() => shown.loadMore())}
      />
    )
  if (!shown.loaded.value) return <Skeleton />
  if (shown.total.value === 0)
    return (
      <div class="empty">
        <p>{emptyText()}</p>
        <Elsewhere />
      </div>
    )
  return null
}

function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((each) => (
        <div key={each} class="row blank" />
      ))}
    </div>
  )
}

export function emptyText(): string {
  const now = place.value
  if (now.type === 'view') return texts.list.empty[now.view]
  return now.type === 'search' ? texts.list.empty.search : texts.list.empty.inbox
}
