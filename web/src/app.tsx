import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useCommand } from './page/command.ts'
import { FootBars } from './draft/undo-bar.tsx'
import { Icon } from './controls/icon.tsx'
import { lazy, Opening } from './controls/lazy.tsx'
import { ListColumn } from './inbox/list.tsx'
import { Rail } from './inbox/rail.tsx'
import { titleOf } from './inbox/title.ts'
import { showProblem } from './page/toasts.ts'
import { connected } from './session/live.ts'
import { InboxKeys } from './inbox/keys.tsx'
import { followLinks, go, isReview, place, route, threadId, viewNames } from './page/router.ts'
import { sessionEnded } from './page/ended.ts'
import { canWrite, session, signOut } from './session/session.ts'
import { Gate } from './session/gate.tsx'
import { LazyConsent, LazySettings } from './settings/lazy-settings.tsx'
import { Palette } from './palette/palette.tsx'
import { citations } from './mail/citations.ts'
import { lookAt } from './threads/presence.ts'
import { Nothing, ThreadColumn } from './thread/thread.tsx'
import { threadOf } from './threads/store.ts'
import { nextTheme } from './page/theme.ts'
import { texts } from './page/texts.ts'
import { title } from './page/title.ts'

const SignIn = lazy(async () => (await import('./session/sign-in.tsx')).SignIn)
const SignInAgain = lazy(async () => (await import('./session/sign-in.tsx')).SignInAgain)
const SetUp = lazy(async () => (await import('./session/set-up.tsx')).SetUp)
const PasswordLink = lazy(async () => (await import('./session/set-up.tsx')).PasswordLink)
const Compose = lazy(
  async () => (await import('./draft/compose.tsx')).Compose,
  (isMissing) => <Opening isMissing={isMissing} />,
)
const Help = lazy(async () => (await import('./help/help.tsx')).Help)
const Notices = lazy(async () => (await import('./notices/notices.tsx')).Notices)

export function App() {
  const now = route.value
  useTitle()
  if (now.name === 'setup') return <SetUp token={now.token} />
  if (now.name === 'invitation' || now.name === 'reset')
    return <PasswordLink kind={now.name} token={now.token} />
  if (session.value === undefined) return connected.value ? null : <Unreachable />
  if (session.value === null) return <SignIn />
  if (now.name === 'consent')
    return (
      <>
        <LazyConsent request={now.request} />
        {sessionEnded.value && <SignInAgain />}
      </>
    )
  return <Inbox />
}

function Inbox() {
  const now = route.value
  const helpOpen = useSignal(false)
  useCommand('help', () => (helpOpen.value = !helpOpen.value))
  useCommand('theme', nextTheme)
  useCommand('signOut', () => void signOut().catch(showProblem))
  for (const view of viewNames) useCommand(`go ${view}`, () => go(`/${view}`))
  useCommand('compose', canWrite.value ? () => go('/compose') : null)
  const hasList = now.name !== 'settings' && now.name !== 'notices'
  const opened = now.name !== 'inbox' || now.thread !== null
  const wide = now.name !== 'inbox' || (isReview.value && now.thread !== null)
  const offline = !connected.value && !sessionEnded.value
  return (
    <div
      class={`app ${opened ? 'opened' : ''} ${wide ? 'wide' : ''} ${offline ? 'offline' : ''}`}
      onClick={followLinks}
    >
      <button type="button" class="btn skip" onClick={skipToContent}>
        {texts.rail.skip}
      </button>
      {offline && (
        <div class="away" role="status">
          {texts.errors.offline}
        </div>
      )}
      {hasList && <InboxKeys />}
      <Rail />
      <main>
        {hasList && <ListColumn />}
        <Right />
        {canWrite.value && !opened && (
          <a class="btn primary compose-here" href="/compose" aria-label={texts.rail.compose}>
            <Icon name="pen" size={20} />
          </a>
        )}
      </main>
      <FootBars />
      {helpOpen.value && <Help onClose={() => (helpOpen.value = false)} />}
      <Palette />
      {sessionEnded.value && <SignInAgain />}
    </div>
  )
}

/** Skips the rail, for keyboard users. */
function skipToContent(): void {
  const places = ['.thread .body', '.settings-page h1', '.rows', 'main section']
  const place = places.map((each) => document.querySelector<HTMLElement>(each)).find((each) => each !== null)
  if (!place) return
  place.tabIndex = -1
  place.focus()
}

function Right() {
  const now = route.value
  useEffect(() => {
    if (threadId.value !== null) return
    if (now.name !== 'compose') lookAt(null)
    citations.value = []
  }, [threadId.value, now.name])
  if (now.name === 'settings') return <LazySettings page={now.page} item={now.item} />
  if (now.name === 'notices') return <Notices />
  if (now.name === 'compose') return <Compose draftId={now.draft} inbox={now.inbox} />
  if (now.name === 'inbox' && now.thread !== null) return <ThreadColumn key={now.thread} id={now.thread} />
  return <Nothing title={texts.thread.none} text={texts.thread.noneText} />
}

/** Shown when the page was opened offline, from the browser's cache. */
function Unreachable() {
  return (
    <Gate title={texts.errors.unreachable}>
      <p role="status">{texts.errors.unreachableText}</p>
    </Gate>
  )
}

function useTitle(): void {
  const id = threadId.value
  const subject = id === null ? null : threadOf(id).thread.value?.subject
  // Settings pages and the consent page set their own title.
  const { name } = route.value
  const where = ['settings', 'consent'].includes(name)
    ? null
    : name === 'notices'
      ? texts.rail.notices
      : titleOf(place.value)
  useEffect(() => {
    if (where !== null) title.value = [subject ?? where, texts.name].filter(Boolean).join(' · ')
  }, [subject, where])
}
