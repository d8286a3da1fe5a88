import { useSignal } from '@preact/signals'
import { ask } from '../../page/api.ts'
import { Act } from '../parts/confirm.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.people

/** Sends a link that was just made to the person it is for. */
export function MailLink({ kind, url }: { kind: 'invitation' | 'reset'; url: string }) {
  const mailedTo = useSignal<string | null>(null)
  const mail = async (): Promise<void> => {
    const token = new URL(url).hash.slice(1)
    mailedTo.value = (await ask('POST', '/settings/links/mail', { kind, token })).mailedTo
  }
  return mailedTo.value === null ? (
    <Act onAct={mail}>{t.mailLink}</Act>
  ) : (
    <p role="status">{t.mailed(mailedTo.value)}</p>
  )
}
