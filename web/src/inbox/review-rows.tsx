import { useEffect, useRef } from 'preact/hooks'
import type { Draft } from '../../../src/model/draft.ts'
import {
  isProposal,
  loadMoreReview,
  loadReviewList,
  reviewHasMore,
  reviewList,
  reviewProblem,
} from '../threads/review-list.ts'
import { Failed } from '../controls/failed.tsx'
import { nameOf } from '../mail/address.ts'
import { placePath, route, threadId } from '../page/router.ts'
import { fullTime, shortTime } from '../page/times.ts'
import { useOpening } from '../page/typed-ahead.ts'
import { texts } from '../page/texts.ts'

/** Agents' proposals, then people's drafts; the next page loads when the end is near. */
export function ReviewRows() {
  const box = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const problem = reviewProblem.value
  const drafts = reviewList.value ?? (problem === null ? null : [])
  const more = reviewHasMore.value
  useEffect(() => void loadReviewList(), [])
  useEffect(() => {
    if (!more || !end.current) return
    const watch = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && void loadMoreReview(),
      { root: box.current, rootMargin: '600px' },
    )
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [more, drafts?.length, problem])
  useEffect(
    () => box.current?.querySelector('.row.on')?.scrollIntoView({ block: 'nearest' }),
    [threadId.value, route.value],
  )
  const isThere = reviewList.value !== null || threadId.value !== null
  useOpening(isThere ? 'open' : problem !== null ? 'failed' : 'opening')
  if (!drafts) return <div class="rows" />
  if (drafts.length === 0 && problem === null) return <p class="empty">{texts.list.empty.review}</p>
  const ofPeople = drafts.filter((draft) => !isProposal(draft))
  return (
    <div class="rows" ref={box}>
      <div role="list" aria-label={texts.views.review}>
        {drafts.filter(isProposal).map((draft) => (
          <DraftRow key={draft.id} draft={draft} />
        ))}
      </div>
      {ofPeople.length > 0 && (
        <>
          <h2 class="rows-title">{texts.list.ofPeople}</h2>
          <div role="list" aria-label={texts.list.ofPeople}>
            {ofPeople.map((draft) => (
              <DraftRow key={draft.id} draft={draft} />
            ))}
          </div>
        </>
      )}
      {problem ? <Failed problem={problem} onAgain={() => void loadReviewList()} /> : <div ref={end} />}
    </div>
  )
}

function DraftRow({ draft }: { draft: Draft }) {
  const people = draft.to.map(nameOf).join(', ')
  const named = route.value.name === 'inbox' ? route.value.draft : null
  const on = draft.threadId !== null && threadId.value === draft.threadId && (named ?? draft.id) === draft.id
  const path =
    draft.threadId === null
      ? `/compose/${draft.id}`
      : placePath({ type: 'view', view: 'review' }, draft.threadId, draft.id)
  return (
    <div class={`row static ${on ? 'on' : ''}`} role="listitem">
      <span class="pick" />
      <a class="row-link" href={path} aria-current={on ? 'true' : undefined}>
        <span class="top">
          <b class="cut">{people || texts.draft.nobody}</b>
          <time dateTime={draft.updatedAt} title={fullTime(draft.updatedAt)}>
            {shortTime(draft.updatedAt)}
          </time>
        </span>
        <span class="sub cut">{draft.subject || texts.list.noSubject}</span>
        <span class="pre cut">{draft.text.slice(0, 200) || '\u00a0'}</span>
        <span class="meta line">
          <span class={isProposal(draft) ? 'chip agent' : 'chip'}>{texts.draft.by(draft.author.name)}</span>
          {draft.status === 'stale' && <span class="chip warn">{texts.list.stale}</span>}
          {draft.status === 'failed' && <span class="chip danger">{texts.list.failed}</span>}
          {draft.status === 'unknown' && <span class="chip warn">{texts.list.unknown}</span>}
        </span>
      </a>
    </div>
  )
}
