import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Consent as Asked } from '../../../../src/model/consent.ts'
import { ask, sentenceOf } from '../../page/api.ts'
import { bind, Field, Problem } from '../../controls/form.tsx'
import { sessionEnded } from '../../page/ended.ts'
import { texts as pageTexts } from '../../page/texts.ts'
import { title } from '../../page/title.ts'
import { timeAgo } from '../../page/times.ts'
import { session } from '../../session/session.ts'
import { Gate } from '../../session/gate.tsx'
import { useAnswer } from '../parts/answer.ts'
import { Checks, InboxChecks, needSome, optionsOf, Select } from '../parts/choice.tsx'
import { Loaded } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.consent

/** A program requests access. Only a person's click on this page grants it. */
export function Consent({ request }: { request: string }) {
  const asked = useAnswer('/consents', () => null, { query: { request } })
  useEffect(() => {
    title.value = `${t.title} · ${pageTexts.name}`
  }, [])
  // The ticket belongs to one session, so it is requested again after a new sign-in.
  const ended = useRef(false)
  useEffect(() => {
    if (!sessionEnded.value && (ended.current || asked.problem !== null)) void asked.reload()
    ended.current = sessionEnded.value
  }, [sessionEnded.value])
  return (
    <div class="consent">
      <Gate title={t.title}>
        <Loaded answer={asked}>
          {(consent) => <Question key={consent.ticket} consent={consent} onOld={() => void asked.reload()} />}
        </Loaded>
      </Gate>
    </div>
  )
}

function Question({ consent, onOld }: { consent: Asked; onOld: () => void }) {
  const { client, problem, refuseUrl } = consent
  const left = useSignal(false)
  const leave = (url: string): void => {
    left.value = true
    location.assign(url)
  }
  if (left.value) return <p role="status">{t.done}</p>
  return (
    <>
      <p class="consent-host">{client.host}</p>
      {client.name !== null && <p>{client.entered ? t.entered(client.name) : t.callsItself(client.name)}</p>}
      {(client.local || client.returnsTo !== client.host) && (
        <p>{client.local ? t.goesToProgram(client.returnsTo) : t.goesTo(client.returnsTo)}</p>
      )}
      {problem === null ? (
        <Choices consent={consent} onOld={onOld} onLeave={leave} />
      ) : (
        <>
          <Problem text={t.problem(problem)} />
          <button type="button" class="btn" onClick={() => leave(refuseUrl)}>
            {t.back(client.returnsTo)}
          </button>
        </>
      )}
    </>
  )
}

const days = ['7', '30', '90', '365'] as const

function Choices({
  consent: { client, ticket, refuseUrl, asked, offered, existing },
  onOld,
  onLeave,
}: {
  consent: Asked
  onOld: () => void
  onLeave: (url: string) => void
}) {
  const first = {
    id: '',
    name: client.host,
    scopes: offered.filter((scope) => scope === 'threads:read'),
    inboxes: [] as string[],
  }
  const earlier = useSignal(existing[0]?.id ?? '')
  const { name: given, scopes: ticked, inboxes: chosen } = existing[0] ?? first
  const [name, scopes, inboxes] = [useSignal(given), useSignal(ticked), useSignal(chosen)]
  const choose = (id: string): void => {
    const before = existing.find((each) => each.id === id) ?? first
    earlier.value = before.id
    name.value = before.name
    scopes.value = before.scopes
    inboxes.value = before.inboxes
  }
  const life = useSignal<(typeof days)[number]>('90')
  const failure = useSignal<string | null>(null)
  const ready = useReadiness()
  const allow = async (): Promise<void> => {
    ready.value = false
    try {
      needSome(scopes.value, texts.tokens.needsScope)
      needSome(inboxes.value, texts.inboxes.needsOne)
      const { url } = await ask('POST', '/consents', {
        ticket,
        name: name.value,
        scopes: scopes.value,
        inboxes: inboxes.value,
        days: Number(life.value),
        replaces: earlier.value || null,
      })
      onLeave(url)
    } catch (error) {
      failure.value = sentenceOf(error)
      ready.value = true
      if (sessionEnded.value) onOld()
    }
  }
  return (
    <div class="stacked-form">
      <p>{t.signedIn(session.value!.user.name)}</p>
      {existing.length > 0 && (
        <Select
          label={t.which}
          options={[
            ...existing.map(({ id, name, lastUsedAt }) => ({
              value: id,
              label: t.replaces(name, lastUsedAt === null ? null : timeAgo(lastUsedAt)),
            })),
            { value: '', label: t.another },
          ]}
          value={earlier.value}
          onValue={choose}
        />
      )}
      <Field label={texts.agents.name} {...bind(name)} hint={texts.agents.nameHint} />
      <Checks
        legend={texts.tokens.mayDo}
        options={offered.map((value) => ({
          value,
          label: texts.tokens.scopes[value],
          ...(asked.includes(value) ? { hint: t.asked } : {}),
        }))}
        {...bind(scopes)}
        after={<p class="check never">{texts.tokens.neverSends}</p>}
      />
      <InboxChecks {...bind(inboxes)} />
      <Select label={texts.tokens.lifetime} options={optionsOf(days, texts.days)} {...bind(life)} />
      <Problem text={failure.value} />
      <div class="form-foot">
        <button
          type="button"
          class="btn primary"
          disabled={!ready.value}
          // Ignores clicks made by a script.
          onClick={(event) => event.isTrusted && void allow()}
        >
          {t.allow}
        </button>
        <button type="button" class="btn" onClick={() => onLeave(refuseUrl)}>
          {t.refuse}
        </button>
      </div>
    </div>
  )
}

const settling = 700

/** False until shortly after the page came to the front, so that a click meant for another window allows nothing. */
function useReadiness(): { value: boolean } {
  const ready = useSignal(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const settle = (): void => {
      ready.value = false
      clearTimeout(timer)
      timer = setTimeout(() => (ready.value = true), settling)
    }
    settle()
    addEventListener('focus', settle)
    document.addEventListener('visibilitychange', settle)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', settle)
      document.removeEventListener('visibilitychange', settle)
    }
  }, [])
  return ready
}
