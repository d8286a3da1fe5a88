import { signal, useSignal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { showToast } from '../page/toasts.ts'
import { useOpening } from '../page/typed-ahead.ts'
import { texts } from '../page/texts.ts'

/**
 * A component that is loaded when it is first shown, to keep the first view small. Until then there is nothing, or what
 * `awaited` returns, which then also says whether loading has failed.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  awaited?: (isMissing: boolean) => JSX.Element | null,
): (props: Props) => JSX.Element | null {
  const loaded = signal<ComponentType<Props> | null>(null)
  return (props) => {
    const isMissing = useSignal(false)
    useEffect(() => {
      if (loaded.value) return
      load().then(
        (component) => (loaded.value = component),
        () => {
          isMissing.value = true
          if (!awaited) showToast(texts.settings.missing, 'problem')
        },
      )
    }, [])
    const Loaded = loaded.value
    return Loaded ? <Loaded {...props} /> : (awaited?.(isMissing.value) ?? null)
  }
}

/** In place of what keys are for: those typed while its code is loading wait for it. */
export function Opening({ isMissing }: { isMissing: boolean }) {
  useOpening(isMissing ? 'failed' : 'opening')
  return isMissing ? <p class="empty">{texts.settings.missing}</p> : null
}
