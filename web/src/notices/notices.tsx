import { useEffect, useRef } from 'preact/hooks'
import { describeNotice } from '../../../src/model/notices/words.ts'
import type { Notice } from '../../../src/model/notices/notices.ts'
import { Failed } from '../controls/failed.tsx'
import { Icon } from '../controls/icon.tsx'
import { MenuButton } from '../inbox/menu-button.tsx'
import { useCommand } from '../page/command.ts'
import { goToList } from '../page/router.ts'
import { fullTime, timeAgo } from '../page/times.ts'
import { onNotices } from '../session/live.ts'
import { unreadNotices } from '../session/unread-notices.ts'
import { loadEarlier, loadNotices, markRead, nextCursor, notices, problem } from './store.ts'
import { texts } from './texts.ts'
import '../style/notices.css'

/** The user's notices, newest first, updated live while open. */
export function Notices() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    void loadNotices()
    // Even if the number of unread notices stays the same: a repeat raises the count of its notice.
    return onNotices(() => void loadNotices())
  }, [])
  useCommand('back', goToList)
  const all = notices.value
  return (
    <section class="told" aria-label={texts.title}>
      <header>
        <MenuButton />
        <h1 ref={heading} tabIndex={-1}>
          {texts.title}
        </h1>
        <a class="btn quiet" href="/settings/notices" aria-label={texts.settings}>
          <Icon name="gear" />
        </a>
        {unreadNotices.value > 0 && (
          <button type="button" class="btn" onClick={() => void markRead(null)}>
            {texts.readAll}
          </button>
        )}
      </header>
      {problem.value && <Failed problem={problem.value} onAgain={() => void loadNotices()} />}
      {all?.length === 0 && <p class="empty">{texts.none}</p>}
      <ul aria-live="polite">
        {all?.map((notice) => (
          <Line key={notice.id} notice={notice} />
        ))}
      </ul>
      {nextCursor.value !== null && (
        <button type="button" class="btn" onClick={() => void loadEarlier()}>
          {texts.more}
        </button>
      )}
    </section>
  )
}

function Line({ notice }: { notice: Notice }) {
  const { id, thread, link, timestamp, read } = notice
  return (
    <li class={read ? '' : 'unread'}>
      <a href={link} onClick={() => void (read || markRead([id]))}>
        <b>
          {!read && <span class="hidden">{texts.isUnread}: </span>}
          {describeNotice(notice)}
        </b>
        {thread && <span class="cut">{texts.about(thread.sender, thread.subject || texts.noSubject)}</span>}
        <time dateTime={timestamp} title={fullTime(timestamp)}>
          {timeAgo(timestamp)}
        </time>
      </a>
      {!read && (
        <button type="button" class="btn quiet" onClick={() => void markRead([id])}>
          <Icon name="check" />
          <span class="hidden">
            {texts.markRead}: {describeNotice(notice)}
          </span>
        </button>
      )}
    </li>
  )
}
