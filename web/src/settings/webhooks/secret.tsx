import { Copyable } from '../parts/copy.tsx'
import { snippets } from './verification.ts'
import { Tabs } from '../parts/tabs.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

/** The secret, shown once, with code that verifies a delivery. */
export function WebhookSecret({ secret }: { secret: string }) {
  return (
    <>
      <p>{t.secretText}</p>
      <Copyable label={t.secret} text={secret} note={t.secretOnce} />
      <Verification />
    </>
  )
}

export function Verification() {
  return (
    <div class="verification">
      <h3>{t.verify}</h3>
      <Tabs label={t.verify} tabs={{ typescript: 'TypeScript', python: 'Python' }}>
        {(language) => (
          <Copyable key={language} block label={t.snippet} text={snippets[language]} note={t.verifyHint} />
        )}
      </Tabs>
    </div>
  )
}
