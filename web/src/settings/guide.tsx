import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ask, get } from '../page/api.ts'
import { Icon } from '../controls/icon.tsx'
import { go, placePath } from '../page/router.ts'
import { session } from '../session/session.ts'
import { formatCount } from '../threads/counts.ts'
import { useAnswer } from './parts/answer.ts'
import { Act } from './parts/confirm.tsx'
import { ConnectAgent } from './agents/connect-agent.tsx'
import { Invite } from './people/invite.tsx'
import { MailboxForm } from './mailboxes/mailbox-form.tsx'
import { Loaded, Page } from './parts/page.tsx'
import { guideSteps as steps, type GuideStep as Step } from '../../../src/model/guide-steps.ts'
import type { Guide, InboxSettings } from '../../../src/model/settings.ts'
import { pace, SyncLine } from './mailboxes/sync-line.tsx'
import { texts } from './parts/texts.ts'

const t = texts.guide
const contents: Record<Step, (onChanged: () => void) => JSX.Element> = {
  mailbox: (onChanged) => <Mailbox onChanged={onChanged} />,
  people: (onChanged) => <Invite onMade={onChanged} />,
  agent: (onChanged) => <ConnectAgent onCalled={onChanged} />,
}

/** The first run in three steps; each can be skipped and resumed later. */
export function GuidePage({ item }: { item: string | null }) {
  const guide = useAnswer('/guide')
  const before = useRef(item)
  useEffect(() => {
    // When the step changes, focus the new step rather than the page.
    if (before.current !== item) document.querySelector<HTMLElement>('.step.on .step-head')?.focus()
    before.current = item
  }, [item])
  const put = (now: Guide): void => {
    guide.put(now)
    const { value } = session
    if (value) session.value = { ...value, guide: !now.finished }
  }
  const reload = async (): Promise<void> => put(await get('/guide'))
  const skip = async (step: Step): Promise<void> => {
    const { pathname } = location
    put(await ask('PUT', '/guide', { step, state: 'skipped' }))
    // If the user has navigated away in the meantime, stay there.
    if (location.pathname === pathname) goOn(step)
  }
  /** Goes to the next step, or to the mail after the last one. */
  const goOn = (step: Step): void => {
    const next = steps[steps.indexOf(step) + 1]
    go(next ? `/settings/guide/${next}` : '/open')
  }
  return (
    <Page title={t.title(session.value!.user.name)} lead={t.lead} wide>
      <Loaded answer={guide}>
        {(now) => {
          const shown =
            steps.find((step) => step === item) ?? steps.find((step) => now.steps[step] === 'open')
          return (
            <>
              <ol class="steps">
                {steps.map((step, index) => (
                  <li key={step} class={step === shown ? 'step on' : 'step'}>
                    <StepHead step={step} number={index + 1} state={now.steps[step]} on={step === shown} />
                    {step === shown && (
                      <div class="step-body">
                        <p class="hint">{t.texts[step]}</p>
                        {contents[step](() => void reload())}
                        <div class="form-foot">
                          {now.steps[step] === 'done' ? (
                            <button type="button" class="btn" onClick={() => goOn(step)}>
                              {step === 'agent' ? t.toInbox : t.next}
                            </button>
                          ) : (
                            <Act onAct={() => skip(step)}>{t.skip}</Act>
                          )}
                        </div>
                      </div>
                    )}
                  </li>
                ))}
              </ol>
              {shown === undefined && (
                <p class="good" role="status">
                  {Object.values(now.steps).includes('skipped') ? t.finished.skipped : t.finished.done}
                </p>
              )}
              {(shown === undefined || now.finished) && (
                <a class="btn primary add" href="/open">
                  {t.toInbox}
                </a>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function StepHead({
  step,
  number,
  state,
  on,
}: {
  step: Step
  number: number
  state: Guide['steps'][Step]
  on: boolean
}) {
  return (
    <a href={`/settings/guide/${step}`} class="step-head" aria-current={on ? 'step' : undefined}>
      <span class={`number ${state}`}>{state === 'done' ? <Icon name="check" /> : number}</span>
      <b>{t.steps[step]}</b>
      {state !== 'open' && <span class={state === 'done' ? 'chip ok' : 'chip'}>{t.states[state]}</span>}
    </a>
  )
}

/** The mailbox form; once connected, the progress of the first sync. */
function Mailbox({ onChanged }: { onChanged: () => void }) {
  const inboxes = useAnswer('/settings/inboxes', ({ data }) => pace(data))
  const another = useSignal(false)
  return (
    <Loaded answer={inboxes}>
      {({ data }) => {
        if (data.length === 0 || another.value)
          return (
            <MailboxForm
              onDone={() => {
                another.value = false
                // The step is done; stay on it to show the mail coming in.
                go('/settings/guide/mailbox', { replace: true })
                void inboxes.reload()
                onChanged()
              }}
            />
          )
        return (
          <>
            {data.map((inbox) => (
              <div key={inbox.id} class="connected">
                <p>
                  <b>{inbox.name}</b> <small>{inbox.address}</small>
                </p>
                <SyncLine inbox={inbox} onTried={() => void inboxes.reload()} />
                <OldMail inbox={inbox} />
                <RingMe inbox={inbox} />
                <a class="btn primary add" href={`/inboxes/${inbox.id}`}>
                  {t.read}
                </a>
              </div>
            ))}
            <button type="button" class="btn" onClick={() => (another.value = true)}>
              {t.another}
            </button>
          </>
        )
      }}
    </Loaded>
  )
}

/** Most of an existing mailbox starts closed: without a word it would seem to be missing. */
function OldMail({ inbox: { id, address, imap } }: { inbox: InboxSettings }) {
  const query = { inbox: id, status: 'closed' }
  const closed = useAnswer('/threads/count', () => 2000, { query })
  const count = closed.value?.count ?? 0
  if (!imap || count === 0) return null
  const list = placePath({ type: 'search', q: `in:${address} is:closed` })
  return (
    <p class="hint">
      {t.startsClosed(formatCount(count))}{' '}
      <a class="link" href={list}>
        {t.seeClosed}
      </a>
    </p>
  )
}

/** New mail in a shared inbox is nobody's until it is assigned, so it rings nobody unless they ask for that. */
function RingMe({ inbox: { id, name } }: { inbox: InboxSettings }) {
  const settings = useAnswer('/notices/settings')
  if (!settings.value) return null
  const { settings: now, isChanged } = settings.value
  const choice = now.inboxes[id]?.unassigned ?? now.kinds.unassigned
  if (choice.page || choice.push || choice.mail !== 'off')
    return (
      <p class="hint" role="status">
        {t.rings(name)}{' '}
        <a class="link" href="/settings/notices">
          {t.ringsHow}
        </a>
      </p>
    )
  const ring = async (): Promise<void> => {
    const wanted = { ...choice, page: true, push: true }
    const zone = isChanged ? now.zone : Intl.DateTimeFormat().resolvedOptions().timeZone
    const inboxes = { ...now.inboxes, [id]: { ...now.inboxes[id], unassigned: wanted } }
    settings.put(await ask('PUT', '/notices/settings', { ...now, zone, inboxes }))
  }
  return (
    <p class="hint">
      {t.ringsNobody} <Act onAct={ring}>{t.ringMe}</Act>
    </p>
  )
}
