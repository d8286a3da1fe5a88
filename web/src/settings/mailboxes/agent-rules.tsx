import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AgentRules } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { Form } from '../../controls/form.tsx'
import { tell } from '../../page/notices.ts'
import { session } from '../../session/session.ts'
import { timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { Card } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agentRules

/** The team's rules for agents in one inbox. Admins write them; everyone with access to the inbox can read them. */
export function AgentRulesCard({ inbox, name }: { inbox: string; name: string }): JSX.Element {
  const versions = useAnswer(`/inboxes/${inbox}/agent-rules`)
  const text = useSignal('')
  const [newest] = versions.value?.data ?? []
  useEffect(() => {
    text.value = newest?.text ?? ''
  }, [newest?.version])
  const save = async (): Promise<void> => {
    const body = { text: text.value, version: newest?.version ?? 0 }
    versions.put(await ask('PUT', `/inboxes/${inbox}/agent-rules`, body))
    tell(texts.saved)
  }
  const writes = session.value?.user.role === 'admin'
  return (
    <Card title={t.title(name)} hint={t.hint}>
      {writes ? (
        <Form submit={texts.save} onSubmit={save}>
          <label class="stacked">
            {t.label}
            <textarea
              class="field-input"
              rows={6}
              maxLength={8000}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </label>
        </Form>
      ) : (
        <p>{newest?.text || t.none}</p>
      )}
      {newest && <Versions versions={versions.value!.data} />}
    </Card>
  )
}

function Versions({ versions }: { versions: readonly AgentRules[] }): JSX.Element {
  return (
    <details>
      <summary>{t.versions(versions.length)}</summary>
      <ol reversed start={versions[0]!.version}>
        {versions.map(({ version, text, author, at }) => (
          <li key={version}>
            <b>{author.name}</b>, <time dateTime={at}>{timeAgo(at)}</time>
            <p>{text || t.none}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}
