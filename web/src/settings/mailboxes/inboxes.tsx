import { go } from '../../page/router.ts'
import { useAnswer } from '../parts/answer.ts'
import { FinishSignIn } from './finish-sign-in.tsx'
import { InboxPage } from './inbox.tsx'
import { MailboxForm } from './mailbox-form.tsx'
import { Card, Loaded, Nothing, Page } from '../parts/page.tsx'
import { pace, SyncLine } from './sync-line.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.inboxes

export function InboxesPage({ item }: { item: string | null }) {
  if (item === 'new') return <NewInbox />
  if (item === 'signed-in') return <FinishSignIn />
  if (item !== null) return <InboxPage key={item} id={item} />
  return <InboxList />
}

function InboxList() {
  const inboxes = useAnswer('/settings/inboxes', ({ data }) => pace(data))
  return (
    <Page title={texts.pages.inboxes} lead={t.lead}>
      <a class="btn primary add" href="/settings/inboxes/new">
        {t.add}
      </a>
      <Loaded answer={inboxes}>
        {({ data }) => (
          <>
            {data.length === 0 && <Nothing>{t.nothing}</Nothing>}
            {data.map((inbox) => (
              <Card
                key={inbox.id}
                title={inbox.name}
                hint={inbox.address}
                extra={
                  <a class="btn" href={`/settings/inboxes/${inbox.id}`}>
                    {texts.change}
                    <span class="hidden"> {inbox.name}</span>
                  </a>
                }
              >
                <SyncLine inbox={inbox} onTried={() => void inboxes.reload()} />
              </Card>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NewInbox() {
  return (
    <Page title={t.add} lead={texts.mailbox.lead} up="/settings/inboxes">
      <div class="card">
        <MailboxForm onDone={({ id }) => go(`/settings/inboxes/${id}`, { replace: true })} />
      </div>
    </Page>
  )
}
