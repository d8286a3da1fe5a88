import { useSignal } from '@preact/signals'
import type { Status } from '../../../src/model/thread.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { Avatar } from '../controls/avatar.tsx'
import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { useCommand } from '../page/command.ts'
import { canRun, run } from '../page/keys.ts'
import { Menu, MenuItem } from '../controls/menu.tsx'
import { place, placePath } from '../page/router.ts'
import { canWrite } from '../session/session.ts'
import { futureTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { act, type ThreadAction } from '../threads/actions.ts'
import { setFollowing } from '../threads/following.ts'
import { followTexts } from '../threads/texts-following.ts'
import { AssignMenu, SnoozeMenu } from '../threads/choices.tsx'
import { notesOpen } from './notes-open.ts'
import { texts as ownTexts } from './texts.ts'
import { Presence } from '../threads/presence-chip.tsx'

const Join = lazy(async () => (await import('./join.tsx')).Join)

/** The statuses that can be chosen directly; snoozing needs a time. */
const statusNames = ['open', 'waiting', 'closed', 'spam'] as const satisfies readonly Status[]

export const answers = ['reply', 'replyAll', 'forward'] as const

/** Subject, presence and the thread's actions. */
export function Head({ thread }: { thread: OpenThread }) {
  const joining = useSignal(false)
  const { id, assignment, status, snoozedUntil, following } = thread
  const actHere = (action: ThreadAction): void => void act([id], action)
  useCommand('merge', canWrite.value ? () => (joining.value = true) : null)
  useCommand('print', () => print())
  const said = (
    <span class="status-name">
      {texts.statuses[status]} {snoozedUntil && <small>{texts.thread.until(futureTime(snoozedUntil))}</small>}
    </span>
  )
  return (
    <header class="head">
      <a class="btn quiet back" href={placePath(place.value)} aria-label={texts.thread.back}>
        <Icon name="back" />
      </a>
      <h1>{thread.subject || texts.list.noSubject}</h1>
      <Presence id={id} />
      <div class="acts line">
        {canWrite.value ? (
          <>
            {status !== 'closed' && (
              <button
                type="button"
                class="btn"
                aria-label={ownTexts.closeNext}
                title={ownTexts.closeNext}
                onClick={() => actHere({ type: 'status', status: 'closed' })}
              >
                <Icon name="check" />
                <span class="wide-only">{ownTexts.closeNext}</span>
              </button>
            )}
            <AssignMenu
              label={assignment ? texts.thread.assignedTo(assignment.name) : texts.thread.assign}
              current={assignment?.id ?? null}
              act={actHere}
              button={
                <>
                  {assignment ? <Avatar name={assignment.name} /> : <Icon name="person" />}
                  <span class="wide-only">{assignment?.name.split(' ')[0] ?? texts.thread.assign}</span>
                </>
              }
            />
            <Menu
              label={texts.thread.statusIs(texts.statuses[status])}
              button={
                <>
                  {said}
                  <Icon name="down" size={12} />
                </>
              }
            >
              {(close) =>
                statusNames.map((each) => (
                  <MenuItem
                    key={each}
                    current={each === status}
                    onChoose={() => (close(), actHere({ type: 'status', status: each }))}
                  >
                    {texts.statuses[each]}
                  </MenuItem>
                ))
              }
            </Menu>
            <SnoozeMenu
              act={actHere}
              button={
                <>
                  <span class="wide-only">{texts.thread.snooze}</span>
                  <Icon name="moon" />
                </>
              }
            />
          </>
        ) : (
          <span class="chip">{said}</span>
        )}
        <button
          type="button"
          class="btn quiet notes-button"
          aria-label={texts.notes.show(thread.noteCount)}
          onClick={() => (notesOpen.value = !notesOpen.value)}
        >
          <Icon name="notes" />
          <span>{texts.notes.show(thread.noteCount)}</span>
        </button>
        <Menu label={texts.thread.more} quiet button={<Icon name="more" />}>
          {(close) => (
            <>
              <MenuItem onChoose={() => (close(), actHere({ type: 'unread' }))} hint="u">
                {texts.thread.markUnread}
              </MenuItem>
              {(['follow', 'mute'] as const).map((state) => (
                <MenuItem
                  key={state}
                  current={following === state}
                  onChoose={() => (close(), setFollowing(id, following === state ? null : state))}
                >
                  {followTexts[following === state ? (`un${state}` as const) : state]}
                </MenuItem>
              ))}
              {answers.filter(canRun).map((each) => (
                <MenuItem
                  key={each}
                  onChoose={() => (close(), run(each))}
                  hint={each === 'replyAll' ? 'a' : each[0]}
                >
                  {texts.thread[each]}
                </MenuItem>
              ))}
              {canWrite.value && (
                <MenuItem onChoose={() => (close(), (joining.value = true))}>{texts.thread.join}</MenuItem>
              )}
            </>
          )}
        </Menu>
      </div>
      {joining.value && <Join thread={thread} onClose={() => (joining.value = false)} />}
    </header>
  )
}
