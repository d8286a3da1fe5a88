import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useCommand } from '../page/command.ts'
import { goToList, internalLink } from '../page/router.ts'
import { session } from '../session/session.ts'
import { KeySheet } from '../help/help.tsx'
import { MenuButton } from '../inbox/menu-button.tsx'
import { texts as pageTexts } from '../page/texts.ts'
import { AgentsPage } from './agents/agents.tsx'
import { Consent } from './agents/consent.tsx'
import { GuidePage } from './guide.tsx'
import { InboxesPage } from './mailboxes/inboxes.tsx'
import { NoticesPage } from './notices/notices.tsx'
import { NumbersPage } from './numbers.tsx'
import { Card, Page } from './parts/page.tsx'
import { pagesFor, settingsPages, type PageName, type SettingsPage } from './parts/pages.ts'
import { PeoplePage } from './people/people.tsx'
import { ProfilePage } from './people/profile.tsx'
import { TokensPage } from './agents/tokens.tsx'
import { WebhooksPage } from './webhooks/webhooks.tsx'
import { texts } from './parts/texts.ts'
import '../style/settings.css'
import '../style/settings-forms.css'
import '../style/settings-parts.css'
import '../style/notices.css'

export { Consent }

const contents: Record<PageName, ComponentType<{ item: string | null }>> = {
  guide: GuidePage,
  inboxes: InboxesPage,
  people: PeoplePage,
  numbers: NumbersPage,
  agents: AgentsPage,
  tokens: TokensPage,
  webhooks: WebhooksPage,
  profile: ProfilePage,
  notices: NoticesPage,
  shortcuts: ShortcutsPage,
}

/** All settings; a narrow screen shows either the list of pages or one page. */
export function Settings({ page, item }: { page: string | null; item: string | null }) {
  const { role } = session.value!.user
  const mine = pagesFor(role)
  const first = role === 'admin' ? 'inboxes' : 'profile'
  const shown = settingsPages.find(({ name }) => name === (page ?? first))
  const Content = shown && contents[shown.name]
  // Whoever presses Escape once too often loses nothing.
  useCommand('back', () => {
    if (!isTyped()) goToList()
  })
  useEffect(() => {
    const ask = (event: MouseEvent): void => {
      if (isTyped() && internalLink(event) && !confirm(texts.unsaved)) event.preventDefault()
    }
    addEventListener('click', ask, { capture: true })
    return () => removeEventListener('click', ask, { capture: true })
  }, [])
  return (
    <section class={page === null ? 'settings at-index' : 'settings'} aria-label={pageTexts.settings.title}>
      <Pages mine={mine} shown={shown?.name ?? null} alone={page === null} />
      {!shown || !Content ? (
        <Refusal title={texts.unknown} text={texts.unknownText} />
      ) : mine.includes(shown) ? (
        <Content key={shown.name} item={item} />
      ) : (
        <Refusal title={texts.pages[shown.name]} text={texts.notYours(shown.roles.includes('member'))} />
      )}
    </section>
  )
}

/** Whether a form holds text that was typed and not saved. */
function isTyped(): boolean {
  return document.querySelector('form.typed') !== null
}

function Pages({
  mine,
  shown,
  alone,
}: {
  mine: readonly SettingsPage[]
  shown: PageName | null
  /** Whether a narrow screen shows only the list. */
  alone: boolean
}) {
  const Title = alone ? 'h1' : 'p'
  return (
    <nav class="settings-pages" aria-label={pageTexts.settings.title}>
      <header>
        <MenuButton />
        <Title class="nav-title">{pageTexts.settings.title}</Title>
      </header>
      {(['team', 'programs', 'you'] as const).map((group) => {
        const those = mine.filter((page) => page.group === group)
        if (those.length === 0) return null
        return (
          <div key={group} role="group" aria-label={texts.groups[group]}>
            <p class="group-name" aria-hidden="true">
              {texts.groups[group]}
            </p>
            {those.map(({ name }) => (
              <a
                key={name}
                href={`/settings/${name}`}
                class={name === shown ? 'on' : ''}
                aria-current={name === shown ? 'page' : undefined}
              >
                {texts.pages[name]}
              </a>
            ))}
          </div>
        )
      })}
    </nav>
  )
}

function Refusal({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title}>
      <p>{text}</p>
    </Page>
  )
}

function ShortcutsPage() {
  return (
    <Page title={texts.pages.shortcuts} lead={texts.shortcuts.lead}>
      <Card title={texts.shortcuts.all}>
        <KeySheet />
      </Card>
    </Page>
  )
}
