import { useSignal } from '@preact/signals'
import { noticeKinds } from '../../../../src/model/notices/words.ts'
import { ask } from '../../page/api.ts'
import { showToast, showProblem } from '../../page/toasts.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { session } from '../../session/session.ts'
import { useAnswer } from '../parts/answer.ts'
import { Check, inboxOptions, Select } from '../parts/choice.tsx'
import { Card, Loaded, Page } from '../parts/page.tsx'
import { texts as settingsTexts } from '../parts/texts.ts'
import { KindTable } from './kind-table.tsx'
import { PushCard, Test, type View } from './push-card.tsx'
import { texts } from './texts.ts'

type Settings = View['settings']

/** What the user is notified about, where and when. */
export function NoticesPage() {
  // A test, like every notice, shows only later whether it was delivered.
  const answer = useAnswer('/notices/settings', () => 3000)
  return (
    <Page title={settingsTexts.pages.notices} lead={texts.lead}>
      <Loaded answer={answer}>
        {(view) => (
          <>
            <Choices view={view} onView={answer.put} />
            <PushCard view={view} onView={answer.put} />
            <MailCard view={view} onView={answer.put} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface Part {
  view: View
  onView: (view: View) => void
}

/** The time zone is the browser's until settings have been saved. Later answers overwrite nothing unsaved. */
function Choices({ view, onView }: Part) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = view.isChanged ? view.settings.zone : here
  const settings = useSignal<Settings>({ ...view.settings, zone })
  const inbox = useSignal('')
  const inboxes = session.value!.inboxes
  const change = (some: Partial<Settings>): void => {
    settings.value = { ...settings.value, ...some }
  }
  const save = async (): Promise<void> => {
    const saved = await ask('PUT', '/notices/settings', settings.value)
    settings.value = saved.settings
    onView(saved)
  }
  const own = inbox.value === '' ? null : (settings.value.inboxes[inbox.value] ?? {})
  const { quiet, digestAt } = settings.value
  const byDigest = [settings.value.kinds, ...Object.values(settings.value.inboxes)].some((kinds) =>
    noticeKinds.some((kind) => kinds[kind]?.mail === 'digest'),
  )
  return (
    <Card title={texts.what} hint={texts.whatHint}>
      <Form submit={settingsTexts.save} onSubmit={save} done={settingsTexts.saved}>
        {inboxes.length > 0 && (
          <Select
            label={texts.scope}
            {...bind(inbox)}
            options={inboxOptions(inboxes, { value: '', label: texts.everyInbox })}
          />
        )}
        <KindTable
          choices={{ ...settings.value.kinds, ...own }}
          onChoice={(kind, choice) => {
            const { kinds, inboxes: all } = settings.value
            if (own === null) return change({ kinds: { ...kinds, [kind]: choice } })
            // The same choice as for all inboxes is no exception: it changes with them.
            const { [kind]: _, ...others } = own
            const isSame = JSON.stringify(choice) === JSON.stringify(kinds[kind])
            change({ inboxes: { ...all, [inbox.value]: isSame ? others : { ...own, [kind]: choice } } })
          }}
        />
        <Check
          label={texts.quiet}
          value={quiet !== null}
          onValue={(on) => change({ quiet: on ? { from: '22:00', until: '07:00' } : null })}
        />
        <div class="notice-hours">
          {quiet &&
            (['from', 'until'] as const).map((end) => (
              <Field
                key={end}
                label={texts[end]}
                type="time"
                value={quiet[end]}
                onValue={(now) => change({ quiet: { ...quiet, [end]: now } })}
              />
            ))}
          {byDigest && (
            <Field
              label={texts.digestAt}
              type="time"
              value={digestAt}
              onValue={(now) => change({ digestAt: now })}
            />
          )}
        </div>
        {(quiet !== null || byDigest) && (
          <p class="hint">
            {texts.zone(settings.value.zone)}{' '}
            {settings.value.zone !== here && (
              <button type="button" class="link" onClick={() => change({ zone: here })}>
                {texts.useZone(here)}
              </button>
            )}
          </p>
        )}
        <Check
          label={texts.pushDetails}
          value={settings.value.pushDetails}
          onValue={(pushDetails) => change({ pushDetails })}
        />
      </Form>
    </Card>
  )
}

function MailCard({ view, onView }: Part) {
  const { mail } = view
  const choose = async (inbox: string): Promise<void> => {
    try {
      onView(await ask('PUT', '/notices/sender', { inbox: inbox || null }))
      showToast(settingsTexts.saved)
    } catch (error) {
      showProblem(error)
      // Renders again, with the inbox that is still chosen.
      onView({ ...view })
    }
  }
  return (
    <Card
      title={texts.byMail}
      hint={mail.isPossible ? texts.mailTo(session.value!.user.email) : texts.noMail}
    >
      {mail.sender && (
        <Select
          label={texts.sender}
          value={mail.sender.inbox ?? ''}
          onValue={(inbox) => void choose(inbox)}
          options={inboxOptions(mail.sender.inboxes, { value: '', label: texts.noSender })}
        />
      )}
      {mail.problem && <p class="wrong">{texts.mailProblem(mail.problem)}</p>}
      {mail.isPossible && <Test way="mail" />}
    </Card>
  )
}
