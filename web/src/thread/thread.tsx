import { useSignal } from '@preact/signals'
import { lazy } from '../controls/lazy.tsx'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { MessageEntry } from '../../../src/model/history.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { answeredIn, colleaguesDrafts, goToDraft, startForward, startReply } from '../draft/start.ts'
import { useCommand } from '../page/command.ts'
import { run } from '../page/keys.ts'
import { DraftCard } from '../draft/draft-card.tsx'
import { editorsOf, replies, resumeReply } from '../draft/editors.ts'
import { follow } from '../draft/sending.ts'
import { Icon } from '../controls/icon.tsx'
import { neighbourIds } from '../threads/neighbours.ts'
import { showProblem } from '../page/toasts.ts'
import { go, isReview, place, placePath, route } from '../page/router.ts'
import { canWrite } from '../session/session.ts'
import { unreadNotices } from '../session/unread-notices.ts'
import { loseTypedAhead, useOpening } from '../page/typed-ahead.ts'
import { texts } from '../page/texts.ts'
import { markRead, tellRead } from '../threads/reading.ts'
import { citations, lit } from '../mail/citations.ts'
import { answers, Head } from './head.tsx'
import { HistoryLine } from './history-line.tsx'
import { Message } from '../mail/message.tsx'
import { useKeptField } from './kept-field.ts'
import { Notes } from './notes.tsx'
import { lookAt } from '../threads/presence.ts'
import { loadEarlier, loadThread, prefetch, threadOf } from '../threads/store.ts'

const Hits = lazy(async () => (await import('../search/hits.tsx')).Hits)
const Person = lazy(async () => (await import('./person.tsx')).Person)

/** The right column: a thread and the team's notes. */
export function ThreadColumn({ id }: { id: string }) {
  const known = threadOf(id)
  const thread = known.thread.value
  const failed = known.gone.value || known.problem.value !== null
  const isShown = thread?.id === id
  // `r` needs the message that it answers, which may be on an earlier page.
  const lacksAnswered = isShown && thread.historyNextCursor !== null && answeredIn(thread) === null
  const earlierFailed = useSignal(false)
  useLayoutEffect(() => {
    if (known.fresh === 0 || Date.now() - known.fresh > 15_000) void loadThread(id)
    lookAt(id)
    lit.value = null
    const timer = setTimeout(
      () => prefetch([...neighbourIds(id, 1, 3), ...neighbourIds(id, -1)].map((each) => each.thread)),
      50,
    )
    return () => clearTimeout(timer)
  }, [id])
  const isOpen = isShown && !lacksAnswered
  const hasFailed = (thread === null && failed) || (lacksAnswered && earlierFailed.value)
  useOpening(isOpen ? 'open' : hasFailed ? 'failed' : 'opening')
  useEffect(() => {
    if (!thread) return
    // The thread was merged into another, whose id is in the response; live events use that id too.
    if (thread.id !== id) {
      loseTypedAhead()
      return go(placePath(place.value, thread.id), { replace: true })
    }
    citations.value = thread.drafts.flatMap((draft) => draft.citations)
    if (lacksAnswered || lacksCited(thread)) {
      earlierFailed.value = false
      loadEarlier(id).catch((error: unknown) => {
        earlierFailed.value = true
        showProblem(error)
      })
    }
    for (const draft of thread.drafts) follow(draft)
  }, [thread])
  useEffect(() => whileVisible(() => thread?.id === id && thread.unread && markRead(id)), [thread])
  // Notices about a thread that the user is looking at count as read.
  useEffect(
    () => whileVisible(() => thread?.id === id && unreadNotices.value > 0 && void tellRead(id)),
    [thread?.id, unreadNotices.value],
  )
  if (known.gone.value && !thread) return <Nothing title={texts.thread.gone} />
  if (!thread)
    return (
      <section class="thread" aria-busy="true">
        {known.problem.value && (
          <p class="empty">
            {known.problem.value}{' '}
            <button type="button" class="btn" onClick={() => void loadThread(id)}>
              {texts.list.again}
            </button>
          </p>
        )}
      </section>
    )
  return <Opened key={thread.id} thread={thread} />
}

/** Runs now, or when the page is visible again: what arrives in a hidden tab has not been seen. */
function whileVisible(run: () => unknown): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') run()
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}

/** Messages that a draft cites are shown next to it. */
function lacksCited({ history, drafts, historyNextCursor }: OpenThread): boolean {
  if (historyNextCursor === null) return false
  const messages = new Set(history.flatMap(({ type, id }) => (type === 'message' ? [id] : [])))
  const cited = drafts.flatMap(({ citations }) => citations.map(({ messageId }) => messageId))
  return cited.some((messageId) => !messages.has(messageId))
}

export function Nothing({ title, text }: { title: string; text?: string }) {
  return (
    <section class="thread nothing">
      <div>
        <h1>{title}</h1>
        {text && <p>{text}</p>}
      </div>
    </section>
  )
}

function Opened({ thread }: { thread: OpenThread }) {
  const review = isReview.value
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (body.current ? showNewest(body.current) : undefined), [])
  // Only once: what appears on this device later is being typed in another tab.
  useEffect(() => resumeReply(thread.id, thread.drafts), [])
  const showEarlier = useKeptPlace(body, thread)
  useKeptField(body, thread)
  const answer = canWrite.value && answeredIn(thread) !== null
  useCommand('reply', answer ? () => startReply(thread, false) : null)
  useCommand('replyAll', answer ? () => startReply(thread, true) : null)
  useCommand('forward', answer ? () => void startForward(thread) : null)
  const asked = route.value.name === 'inbox' ? route.value.draft : null
  const hasDraft = thread.drafts.length > 0 || replies.value.has(thread.id)
  useCommand('draft', canWrite.value && hasDraft ? () => goToDraft(thread, asked) : null)
  const history = <History thread={thread} onEarlier={showEarlier} />
  const drafts = <Drafts thread={thread} review={review} asked={asked} />
  return (
    <section class={review ? 'thread review' : 'thread'}>
      <Head thread={thread} />
      {place.value.type === 'search' && <Hits body={body} />}
      <div class="with-notes">
        <div class={review ? 'body split' : 'body'} ref={body} tabIndex={-1}>
          {review ? (
            <>
              <div class="column">{history}</div>
              <div class="column drafts">{drafts}</div>
            </>
          ) : (
            <>
              {history}
              {drafts}
              {answer && <Answer thread={thread} />}
            </>
          )}
        </div>
        <Notes threadId={thread.id}>
          <Person thread={thread} />
        </Notes>
      </div>
    </section>
  )
}

/** Loads earlier messages; the message that was first stays where it is on the screen. */
function useKeptPlace(body: RefObject<HTMLDivElement | null>, { id, history }: OpenThread): () => void {
  const kept = useRef<{ message: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    if (!kept.current) return
    const { message, top } = kept.current
    kept.current = null
    body.current!.scrollTop += message.getBoundingClientRect().top - top
  }, [history[0]?.id])
  return () => {
    const message = body.current!.querySelector('.msg')
    loadEarlier(id, () => {
      if (message) kept.current = { message, top: message.getBoundingClientRect().top }
    }).catch(showProblem)
  }
}

/** Formatted mail gets its height late: keeps the newest message in view for a moment, or until the user acts. */
function showNewest(box: HTMLElement): (() => void) | undefined {
  const messages = [...box.querySelectorAll<HTMLElement>('.msg')]
  // After a search, show the newest match.
  const last = messages.findLast((each) => each.classList.contains('has-hit')) ?? messages.at(-1)
  if (!last) return undefined
  const show = (): void => {
    box.scrollTop = Math.max(0, last.offsetTop - 60)
  }
  show()
  const growing = new ResizeObserver(show)
  for (const message of messages) growing.observe(message)
  const stop = new AbortController()
  const end = (): void => {
    growing.disconnect()
    stop.abort()
  }
  const timer = setTimeout(end, 2000)
  for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(sign, end, { passive: true, signal: stop.signal })
  return () => {
    clearTimeout(timer)
    end()
  }
}

const shownWhole = 3

function History({ thread, onEarlier }: { thread: OpenThread; onEarlier: () => void }) {
  const messages = thread.history.filter((entry): entry is MessageEntry => entry.type === 'message')
  const cited = new Set(citations.value.map(({ messageId }) => messageId))
  const whole = new Set(messages.slice(messages.length > 4 ? -shownWhole : 0).map(({ id }) => id))
  return (
    <>
      {thread.historyNextCursor && (
        <button type="button" class="btn earlier" onClick={onEarlier}>
          {texts.thread.earlier}
        </button>
      )}
      {thread.history.map((entry) =>
        entry.type === 'message' ? (
          <Message key={entry.id} message={entry} folded={!whole.has(entry.id) && !cited.has(entry.id)} />
        ) : (
          <HistoryLine key={entry.id} entry={entry} />
        ),
      )}
    </>
  )
}

/** All open drafts; in the review the requested one comes first. */
function Drafts({ thread, review, asked }: { thread: OpenThread; review: boolean; asked: string | null }) {
  const drafts = review
    ? thread.drafts.toSorted((one, other) => Number(other.id === asked) - Number(one.id === asked))
    : thread.drafts
  return (
    <>
      {editorsOf(thread.id, drafts).map((editor) => (
        <DraftCard key={editor.key} editor={editor} thread={thread} />
      ))}
    </>
  )
}

/** Also below what only colleagues have begun to write: theirs is not the only way to a reply. */
function Answer({ thread }: { thread: OpenThread }) {
  if (thread.drafts.length > colleaguesDrafts(thread).length || replies.value.has(thread.id)) return null
  return (
    <div class="answer">
      {answers.map((each) => (
        <button key={each} type="button" class="btn" onClick={() => run(each)}>
          <Icon name={each === 'forward' ? each : 'reply'} /> {texts.thread[each]}
        </button>
      ))}
    </div>
  )
}
