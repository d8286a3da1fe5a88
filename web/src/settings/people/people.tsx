import { useSignal } from '@preact/signals'
import type { OpenInvitation, Teammate } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { Avatar } from '../../controls/avatar.tsx'
import { session } from '../../session/session.ts'
import { futureTime, timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { inboxNames } from '../parts/choice.tsx'
import { Act } from '../parts/confirm.tsx'
import { Invite } from './invite.tsx'
import { Card, Loaded, Page } from '../parts/page.tsx'
import { PersonDialog } from './person.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.people

export function PeoplePage() {
  const people = useAnswer('/settings/people')
  const edited = useSignal<Teammate | null>(null)
  return (
    <Page title={texts.pages.people} lead={t.lead}>
      <Loaded answer={people}>
        {({ data, invitations }) => (
          <>
            <Card title={t.team}>
              <ul class="lines">
                {data.map((person) => (
                  <PersonLine key={person.id} person={person} onEdit={() => (edited.value = person)} />
                ))}
              </ul>
            </Card>
            <Card title={t.invite} hint={t.inviteHint}>
              <Invite onMade={() => void people.reload()} />
            </Card>
            {invitations.length > 0 && (
              <Card title={t.invited}>
                <ul class="lines">
                  {invitations.map((invitation) => (
                    <InvitationLine
                      key={invitation.id}
                      invitation={invitation}
                      onGone={() => void people.reload()}
                    />
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
      </Loaded>
      {edited.value && (
        <PersonDialog
          person={edited.value}
          onClose={(changed) => {
            edited.value = null
            if (changed) void people.reload()
          }}
        />
      )}
    </Page>
  )
}

function PersonLine({ person, onEdit }: { person: Teammate; onEdit: () => void }) {
  const { name, email, role, inboxes, active, lastSeenAt } = person
  const isMe = person.id === session.value?.user.id
  return (
    <li class={active ? '' : 'gone'}>
      <Avatar name={name} />
      <span>
        <b>
          {name}
          {isMe && <i> {t.you}</i>}
        </b>
        <small>
          {email} · {role === 'admin' ? texts.inboxes.all : inboxNames(inboxes)}
        </small>
        <small>
          {active ? (lastSeenAt === null ? t.neverSeen : t.lastSeen(timeAgo(lastSeenAt))) : t.removed}
        </small>
      </span>
      <span class={role === 'admin' ? 'chip on' : 'chip'}>{texts.roles[role]}</span>
      {active && (
        <button type="button" class="btn" onClick={onEdit}>
          {texts.change}
          <span class="hidden"> {name}</span>
        </button>
      )}
    </li>
  )
}

function InvitationLine({
  invitation: { id, name, email, role, expiresAt },
  onGone,
}: {
  invitation: OpenInvitation
  onGone: () => void
}) {
  return (
    <li>
      <Avatar name={name} />
      <span>
        <b>{name}</b>
        <small>
          {email} · {t.until(futureTime(expiresAt))}
        </small>
      </span>
      <span class="chip">{texts.roles[role]}</span>
      <Act of={name} onAct={() => ask('DELETE', `/settings/invitations/${id}`).then(onGone)}>
        {texts.revoke}
      </Act>
    </li>
  )
}
