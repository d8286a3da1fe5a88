import type { ComponentChildren, JSX } from 'preact'
import { Brand, Icon } from '../controls/icon.tsx'
import { run } from '../page/keys.ts'
import {
  closeRail,
  place,
  placePath,
  railOpen,
  route,
  samePlace,
  type Place,
  type ViewName,
} from '../page/router.ts'
import { canWrite, session } from '../session/session.ts'
import { nextTheme, theme } from '../page/theme.ts'
import { texts } from '../page/texts.ts'
import { savedViews } from '../search/saved-views.ts'
import { searchTexts } from '../search/texts.ts'
import { unreadNotices } from '../session/unread-notices.ts'
import { counts, formatCount } from '../threads/counts.ts'

/** The left column: views and inboxes. */
export function Rail() {
  const first: ViewName[] = ['mine', 'unassigned', 'review', 'unread']
  const byStatus: ViewName[] = ['open', 'waiting', 'snoozed', 'closed', 'spam']
  const inboxes = session.value?.inboxes ?? []
  const viewLink = (view: ViewName): JSX.Element => (
    <PlaceLink
      key={view}
      to={{ type: 'view', view }}
      label={texts.views[view]}
      count={counts.value.views[view]}
    />
  )
  return (
    <nav
      class={railOpen.value ? 'rail open' : 'rail'}
      aria-label={texts.rail.label}
      // A link that leads elsewhere closes it first.
      onClick={() => setTimeout(closeRail)}
    >
      <div class="brand">
        <Brand />
        {texts.name}
      </div>
      {canWrite.value && (
        <a class="btn compose" href="/compose">
          <Icon name="pen" />
          {texts.rail.compose}
        </a>
      )}
      <RailLink href="/notices" on={route.value.name === 'notices'}>
        <b class="cut">{texts.rail.notices}</b>
        {unreadNotices.value > 0 && (
          <span class="count badge">{unreadNotices.value > 999 ? '999+' : unreadNotices.value}</span>
        )}
      </RailLink>
      {first.map(viewLink)}
      {savedViews.value.length > 0 && <h2>{searchTexts.saved}</h2>}
      {savedViews.value.map(({ id, name, search }) => (
        <PlaceLink key={id} to={{ type: 'search', q: search }} label={name} count={null} />
      ))}
      <h2>{texts.rail.inboxes}</h2>
      {inboxes.map(({ id, name }, index) => (
        <PlaceLink
          key={id}
          to={{ type: 'inbox', inbox: id }}
          label={name}
          count={counts.value.inboxes[id]}
          dot={index % 5}
        />
      ))}
      <h2>{texts.rail.status}</h2>
      {byStatus.map(viewLink)}
      <div class="rail-foot">
        {session.value?.guide && route.value.name !== 'settings' && (
          <a href="/settings/guide">
            <Icon name="check" />
            {texts.rail.guide}
          </a>
        )}
        <RailLink href="/settings" on={route.value.name === 'settings'}>
          <Icon name="gear" />
          {texts.rail.settings}
        </RailLink>
        <button type="button" onClick={nextTheme}>
          <Icon name={theme.value === 'dark' ? 'moon' : 'sun'} />
          {texts.rail.theme[theme.value]}
        </button>
        <button type="button" onClick={() => run('help')}>
          <Icon name="help" />
          {texts.rail.help}
        </button>
        <a href="/settings/profile">
          <Icon name="person" />
          {session.value?.user.name ?? texts.rail.account}
        </a>
        <button type="button" onClick={() => run('signOut')}>
          <Icon name="signOut" />
          {texts.rail.signOut}
        </button>
      </div>
    </nav>
  )
}

function PlaceLink({
  to,
  label,
  count,
  dot,
}: {
  to: Place
  label: string
  count: number | null | undefined
  dot?: number
}) {
  const on = route.value.name === 'inbox' && samePlace(place.value, to)
  return (
    <RailLink href={placePath(to)} on={on}>
      {dot !== undefined && <i class={`dot dot-${dot}`} aria-hidden="true" />}
      <b class="cut">{label}</b>
      {count ? <span class="count">{formatCount(count)}</span> : null}
    </RailLink>
  )
}

function RailLink({ on, ...link }: { href: string; on: boolean; children: ComponentChildren }) {
  return <a class={on ? 'on' : ''} aria-current={on ? 'page' : undefined} {...link} />
}
