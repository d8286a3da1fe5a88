import type { JSX } from 'preact'
import { KeySheet } from '../help/help.tsx'
import { Card, Page } from './parts/page.tsx'
import { words } from './parts/words.ts'

export function ShortcutsPage(): JSX.Element {
  return (
    <Page title={words.pages.shortcuts} lead={words.shortcuts.lead}>
      <Card title={words.shortcuts.all}>
        <KeySheet />
      </Card>
    </Page>
  )
}
