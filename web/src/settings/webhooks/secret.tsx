import type { JSX } from 'preact'
import { Copyable } from '../parts/copy.tsx'
import { snippets } from './verification.ts'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../parts/words.ts'

const w = words.webhooks

/** The secret, this once, and beside it how a receiver verifies what it signed. */
export function WebhookSecret({ secret }: { secret: string }): JSX.Element {
  return (
    <>
      <p>{w.secretText}</p>
      <Copyable label={w.secret} text={secret} note={w.secretOnce} />
      <Verification />
    </>
  )
}

export function Verification(): JSX.Element {
  return (
    <div class="verification">
      <h3>{w.verify}</h3>
      <Tabs
        label={w.verify}
        tabs={[
          { name: 'typescript', label: 'TypeScript' },
          { name: 'python', label: 'Python' },
        ]}
      >
        {(language) => (
          <Copyable key={language} block label={w.snippet} text={snippets[language]} note={w.verifyHint} />
        )}
      </Tabs>
    </div>
  )
}
