import type { JSX } from 'preact'
import { KeySheet } from '../help.tsx'
import { Page } from './page.tsx'
import { words } from './words.ts'

export function ShortcutsPage(): JSX.Element {
  return (
    <Page title={words.pages.shortcuts} lead={words.shortcuts.lead}>
      <div class="card">
        <KeySheet />
      </div>
    </Page>
  )
}
