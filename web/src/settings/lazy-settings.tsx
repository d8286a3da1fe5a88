import { Failed } from '../controls/failed.tsx'
import { lazy } from '../controls/lazy.tsx'
import { texts } from '../page/texts.ts'

export const LazySettings = lazy(async () => (await import('./settings.tsx')).Settings, awaited)

/** The consent page is part of the settings' bundle: it has the same controls. */
export const LazyConsent = lazy(async () => (await import('./settings.tsx')).Consent, awaited)

function awaited(isMissing: boolean) {
  return (
    <section class="settings" aria-label={texts.settings.title} aria-busy={!isMissing}>
      {isMissing && (
        <Failed
          problem={texts.settings.missing}
          again={texts.settings.reload}
          onAgain={() => location.reload()}
        />
      )}
    </section>
  )
}
