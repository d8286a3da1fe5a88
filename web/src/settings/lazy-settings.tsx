import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { texts } from '../page/texts.ts'

interface Where {
  page: string | null
  item: string | null
}

const part = signal<ComponentType<Where> | null>(null)
const missing = signal(false)

/** The settings are loaded on demand, to keep the inbox's first load small. */
export function LazySettings(where: Where): JSX.Element {
  useEffect(() => {
    if (part.value) return
    import('./settings.tsx').then(
      ({ Settings }) => {
        part.value = Settings
      },
      () => {
        missing.value = true
      },
    )
  }, [])
  const Settings = part.value
  if (Settings) return <Settings {...where} />
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
