import { useSignal } from '@preact/signals'
import type { InboxSettings } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { bind, Field, Form, Problem } from '../../controls/form.tsx'
import { showToast } from '../../page/toasts.ts'
import { go } from '../../page/router.ts'
import { resumeSession } from '../../session/session.ts'
import { useAnswer } from '../parts/answer.ts'
import { Check } from '../parts/choice.tsx'
import { Act, Confirm } from '../parts/confirm.tsx'
import { AgentRulesCard } from './agent-rules.tsx'
import { MailboxForm } from './mailbox-form.tsx'
import { Card, Loaded, Page } from '../parts/page.tsx'
import { pace, SyncLine } from './sync-line.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.inboxes

/** One inbox: sync state, name, servers and folders, removal. */
export function InboxPage({ id }: { id: string }) {
  const inbox = useAnswer(`/settings/inboxes/${id}`, (now) => pace([now]))
  const changing = useSignal(false)
  return (
    <Page title={inbox.value?.name ?? texts.pages.inboxes} lead={inbox.value?.address} up="/settings/inboxes">
      <Loaded answer={inbox}>
        {(now) => (
          <>
            <Card
              title={t.mail}
              extra={
                <a class="btn" href={`/inboxes/${id}`}>
                  {t.read}
                </a>
              }
            >
              {now.signIn && <SignInLine inbox={now} />}
              <SyncLine inbox={now} onTried={() => void inbox.reload()} />
              {now.sync && now.sync.folders.length > 0 && <FolderTable inbox={now} />}
            </Card>
            <Card
              title={t.servers}
              extra={
                !changing.value && (
                  <button type="button" class="btn" onClick={() => (changing.value = true)}>
                    {now.imap || now.smtp ? texts.change : t.connect}
                  </button>
                )
              }
            >
              {changing.value ? (
                <MailboxForm
                  inbox={now}
                  onDone={(saved) => {
                    changing.value = false
                    inbox.put(saved)
                    showToast(texts.saved)
                    void inbox.reload()
                  }}
                />
              ) : (
                <ServerList inbox={now} />
              )}
            </Card>
            <Name inbox={now} onSaved={inbox.put} />
            <AgentRulesCard inbox={id} name={now.name} />
            <Card title={t.end} hint={t.endHint}>
              <Confirm
                title={texts.removeTitle(now.name)}
                text={t.endHint}
                onAct={async () => {
                  await ask('DELETE', `/settings/inboxes/${id}`)
                  await resumeSession().catch(() => undefined)
                  go('/settings/inboxes', { replace: true })
                }}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Shows who signed in. Once the provider refuses the sign-in, the only remedy is to sign in again. */
function SignInLine({ inbox }: { inbox: InboxSettings }) {
  const { provider, way, account, failure } = inbox.signIn!
  const again = async (): Promise<void> => {
    const { url } = await ask('POST', '/settings/mailbox-sign-in', {
      provider,
      way,
      address: inbox.address,
      inboxId: inbox.id,
      graph: inbox.sendsByGraph,
      shared: ![inbox.address, ...inbox.aliases].includes(account),
    })
    if (url !== null) location.assign(url)
  }
  return (
    <div class="sync">
      <p>{way === 'app' ? texts.signIn.byApp : texts.signIn.as(account)}</p>
      <Problem text={failure} />
      <Act onAct={again} done={texts.signIn.leaving}>
        {texts.signIn.again}
      </Act>
    </div>
  )
}

function FolderTable({ inbox }: { inbox: InboxSettings }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.folder}</th>
          <th scope="col" class="figure">
            {t.history}
          </th>
        </tr>
      </thead>
      <tbody>
        {inbox.sync!.folders.map(({ path, messages, total }) => (
          <tr key={path}>
            <td>{path}</td>
            <td class="figure">{t.ofHistory(messages, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ServerList({ inbox }: { inbox: InboxSettings }) {
  return (
    <dl class="facts">
      {(['imap', 'smtp'] as const).map((kind) => {
        const server = inbox[kind]
        return (
          <div key={kind}>
            <dt>{texts.mailbox.servers[kind]}</dt>
            <dd>
              {server === null
                ? t.notSet
                : `${server.host}:${server.port}, ${texts.mailbox.securities[server.security]}${server.username ? `, ${server.username}` : ''}`}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Name({ inbox, onSaved }: { inbox: InboxSettings; onSaved: (inbox: InboxSettings) => void }) {
  const before = useSignal(inbox)
  const name = useSignal(inbox.name)
  const markSeen = useSignal(inbox.markSeen)
  const aliases = useSignal(inbox.aliases.join('\n'))
  const save = async (): Promise<void> => {
    // Only what was changed here: another admin may have changed the rest since.
    const saved = await ask('PATCH', `/settings/inboxes/${inbox.id}`, {
      ...(name.value === before.value.name ? {} : { name: name.value }),
      ...(markSeen.value === before.value.markSeen ? {} : { markSeen: markSeen.value }),
      ...(aliases.value === before.value.aliases.join('\n')
        ? {}
        : { aliases: aliases.value.split(/[\s,;]+/).filter((address) => address !== '') }),
    })
    before.value = saved
    name.value = saved.name
    markSeen.value = saved.markSeen
    aliases.value = saved.aliases.join('\n')
    onSaved(saved)
    await resumeSession().catch(() => undefined)
  }
  return (
    <Card title={t.about}>
      <Form submit={texts.save} onSubmit={save} done={texts.saved}>
        <Field label={texts.mailbox.name} hint={texts.mailbox.nameHint} {...bind(name)} />
        <label class="stacked">
          <span>{t.aliases}</span>
          <textarea
            class="field-input"
            rows={3}
            value={aliases.value}
            onInput={(event) => (aliases.value = event.currentTarget.value)}
          />
          <small>{t.aliasesHint}</small>
        </label>
        {inbox.imap && <Check label={t.markSeen} hint={t.markSeenHint} {...bind(markSeen)} />}
      </Form>
    </Card>
  )
}
