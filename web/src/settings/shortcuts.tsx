import type { JSX } from 'preact'
import { KeySheet } from '../help/help.tsx'
import { Card, Page } from './parts/page.tsx'
import { texts } from './parts/texts.ts'

export function ShortcutsPage(): JSX.Element {
  return (
    <Page title={texts.pages.shortcuts} lead={texts.shortcuts.lead}>
      <Card title={texts.shortcuts.all}>
        <KeySheet />
      </Card>
    </Page>
  )
}
