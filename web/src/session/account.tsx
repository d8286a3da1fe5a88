import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ask, sentenceOf } from '../api.ts'
import { Icon } from '../icon.tsx'
import { tell } from '../notices.ts'
import { timeAgo } from '../times.ts'
import { words } from '../words.ts'
import { Invite } from './invite.tsx'
import { canWrite, session, signOut } from './session.ts'
import { Field, Form } from './sign-in.tsx'

const a = words.account

/** Oneself: sessions, password, signatures. */
export function Account(): JSX.Element {
  const { user, inboxes } = session.value!
  return (
    <section class="thread page" tabIndex={-1}>
      <a class="btn quiet back always" href="/open" aria-label={words.thread.back}>
        <Icon name="back" />
      </a>
      <h1>{a.title}</h1>
      <p>
        {user.name} · {user.email} · {a.role[user.role]}
      </p>
      {canWrite.value && (
        <section class="card">
          <h2>{a.signatures}</h2>
          {inboxes.map(({ id, name }) => (
            <Signature key={id} inbox={id} name={name} />
          ))}
        </section>
      )}
      <Sessions />
      <Password />
      {user.role === 'admin' && <Invite />}
    </section>
  )
}

function Signature({ inbox, name }: { inbox: string; name: string }): JSX.Element {
  const text = useSignal('')
  useEffect(() => {
    ask<{ text: string }>('GET', `/inboxes/${inbox}/signature`).then(
      (found) => {
        text.value = found.text
      },
      () => undefined,
    )
  }, [inbox])
  const save = async (): Promise<void> => {
    await ask('PUT', `/inboxes/${inbox}/signature`, { text: text.value })
    tell(a.saved)
  }
  return (
    <Form submit={a.save} onSubmit={save}>
      <label class="stacked">
        {a.signatureOf(name)}
        <textarea
          class="field-input"
          rows={3}
          maxLength={2000}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
    </Form>
  )
}

interface SessionLine {
  id: string
  device: string | null
  createdAt: string
  lastSeenAt: string
  current: boolean
}

function Sessions(): JSX.Element {
  const sessions = useSignal<SessionLine[]>([])
  const load = (): void => {
    ask<{ data: SessionLine[] }>('GET', '/sessions').then(
      ({ data }) => {
        sessions.value = data
      },
      () => undefined,
    )
  }
  useEffect(load, [])
  const end = async (id: string): Promise<void> => {
    try {
      await ask('DELETE', `/sessions/${id}`)
      load()
    } catch (error) {
      tell(sentenceOf(error), 'problem')
    }
  }
  return (
    <section class="card">
      <h2>{a.sessions}</h2>
      {sessions.value.map(({ id, device, lastSeenAt, current }) => (
        <div class="line" key={id}>
          <span>
            {deviceName(device)} · {a.lastSeen(timeAgo(lastSeenAt))}
            {current && ` · ${a.thisOne}`}
          </span>
          {!current && (
            <button type="button" class="btn" onClick={() => void end(id)}>
              {a.end}
            </button>
          )}
        </div>
      ))}
      <button type="button" class="btn" onClick={() => void signOut(true)}>
        {a.everywhere}
      </button>
    </section>
  )
}

function Password(): JSX.Element {
  const current = useSignal('')
  const next = useSignal('')
  const change = async (): Promise<void> => {
    await ask('POST', '/password', { current: current.value, new: next.value }, { quiet: true })
    current.value = ''
    next.value = ''
    tell(a.changed)
  }
  return (
    <section class="card">
      <h2>{a.password}</h2>
      <Form submit={a.change} onSubmit={change}>
        <Field
          label={a.current}
          type="password"
          autocomplete="current-password"
          value={current.value}
          onValue={(now) => (current.value = now)}
        />
        <Field
          label={a.next}
          type="password"
          autocomplete="new-password"
          value={next.value}
          onValue={(now) => (next.value = now)}
        />
      </Form>
    </section>
  )
}

/** A browser's own name and its system's, from what it calls itself. */
function deviceName(said: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(said ?? '')?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(said ?? '')?.[1]
  return (
    [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ') ||
    a.someBrowser
  )
}
