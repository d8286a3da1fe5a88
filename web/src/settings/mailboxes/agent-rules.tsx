import { useSignal } from '@preact/signals'
import type { AgentRules } from '../../../../src/model/settings.ts'
import { ApiError, ask } from '../../page/api.ts'
import { Form } from '../../controls/form.tsx'
import { isAdmin } from '../../session/session.ts'
import { timeAgo } from '../../page/times.ts'
import { useAnswer, type Answer } from '../parts/answer.ts'
import { Card, Loaded } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agentRules

/** The team's rules for agents in one inbox. Admins write them; everyone with access to the inbox can read them. */
export function AgentRulesCard({ inbox, name }: { inbox: string; name: string }) {
  const versions = useAnswer(`/inboxes/${inbox}/agent-rules`)
  return (
    <Card title={t.title(name)} hint={t.hint}>
      <Loaded answer={versions}>
        {({ data }) => (
          <>
            {isAdmin.value ? (
              <RulesForm inbox={inbox} versions={versions} />
            ) : (
              <p>{data[0]?.text || t.none}</p>
            )}
            {data.length > 0 && <Versions versions={data} />}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function RulesForm({ inbox, versions }: { inbox: string; versions: Answer<{ data: AgentRules[] }> }) {
  const newest = versions.value?.data[0]
  const text = useSignal(newest?.text ?? '')
  const save = async (): Promise<void> => {
    const body = { text: text.value, version: newest?.version ?? 0 }
    try {
      versions.put(await ask('PUT', `/inboxes/${inbox}/agent-rules`, body))
    } catch (error) {
      // Loads the newer version. What is typed stays, and can be saved after reading it.
      if (error instanceof ApiError && error.status === 409) await versions.reload()
      throw error
    }
  }
  return (
    <Form submit={texts.save} onSubmit={save} done={texts.saved}>
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
  )
}

function Versions({ versions }: { versions: readonly AgentRules[] }) {
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
