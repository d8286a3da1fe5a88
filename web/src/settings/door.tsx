import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../page/words.ts'

interface Where {
  page: string | null
  item: string | null
}

const part = signal<ComponentType<Where> | null>(null)
const missing = signal(false)

/** The settings come when somebody goes there, so that the inbox's first load does not carry them. */
export function SettingsDoor(where: Where): JSX.Element {
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
    <section class="settings" aria-label={words.settings.title} aria-busy={!missing.value}>
      {missing.value && (
        <div class="empty" role="alert">
          <p>{words.settings.missing}</p>
          <button type="button" class="btn" onClick={() => location.reload()}>
            {words.settings.reload}
          </button>
        </div>
      )}
    </section>
  )
}
