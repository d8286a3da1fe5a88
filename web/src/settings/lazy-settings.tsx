import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { texts } from '../page/texts.ts'

interface Where {
  page: string | null
  item: string | null
}

interface Parts {
  Settings: ComponentType<Where>
  Consent: ComponentType<{ request: string }>
}

const parts = signal<Parts | null>(null)
const missing = signal(false)

/** The settings are loaded on demand, to keep the inbox's first load small. */
export function LazySettings(where: Where): JSX.Element {
  useParts()
  return parts.value ? <parts.value.Settings {...where} /> : <Awaited />
}

/** The consent page is part of the settings' bundle: it has the same controls. */
export function LazyConsent({ request }: { request: string }): JSX.Element {
  useParts()
  return parts.value ? <parts.value.Consent request={request} /> : <Awaited />
}

function useParts(): void {
  useEffect(() => {
    if (parts.value) return
    import('./settings.tsx').then(
      (loaded) => (parts.value = loaded),
      () => (missing.value = true),
    )
  }, [])
}

function Awaited(): JSX.Element {
  return (
    <section class="settings" aria-label={texts.settings.title} aria-busy={!missing.value}>
      {missing.value && (
        <div class="empty" role="alert">
          <p>{texts.settings.missing}</p>
          <button type="button" class="btn" onClick={() => location.reload()}>
            {texts.settings.reload}
          </button>
        </div>
      )}
    </section>
  )
}
