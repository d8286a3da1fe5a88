import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TokenView } from '../../../src/model/settings.ts'
import { get } from '../page/api.ts'
import { futureTime } from '../page/times.ts'
import { texts } from './texts-tokens.ts'

const ending = signal<TokenView | null>(null)
const key = 'spool:token-ends'
let asked = false

/** A notice above the list when one of the user's tokens expires within days, before a program stops working. */
export function TokenWarning() {
  useEffect(() => {
    if (asked) return
    asked = true
    // After the page's own requests.
    setTimeout(() => void look(), 1500)
  }, [])
  const token = ending.value
  if (!token?.expiresAt) return null
  const later = (): void => {
    localStorage.setItem(key, token.id)
    ending.value = null
  }
  return (
    <div class="token-ends" role="status">
      <span>{texts.said(token.name, futureTime(token.expiresAt))}</span>
      <a href="/settings/tokens">{texts.look}</a>
      <button type="button" class="link" onClick={later}>
        {texts.later}
      </button>
    </div>
  )
}

async function look(): Promise<void> {
  const { data } = await get('/tokens').catch(() => ({ data: [] }))
  const passedOver = localStorage.getItem(key)
  ending.value =
    data.find(
      ({ id, expiresSoon, expiresAt }) =>
        expiresSoon && id !== passedOver && expiresAt !== null && Date.parse(expiresAt) > Date.now(),
    ) ?? null
}
