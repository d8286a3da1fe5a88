import { signal, useSignal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { tell } from '../page/notices.ts'
import { texts } from '../page/texts.ts'
import { useOpening } from '../page/typed-ahead.ts'

/** A component that is loaded when it is first shown, to keep the first view small. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPlace = false }: { isPlace?: boolean } = {},
): (props: Props) => JSX.Element | null {
  const loaded = signal<ComponentType<Props> | null>(null)
  return (props) => {
    const failed = useSignal(false)
    // Keys typed while a place loads belong to it.
    useOpening(!isPlace || loaded.value ? 'open' : failed.value ? 'failed' : 'opening')
    useEffect(() => {
      if (loaded.value) return
      load().then(
        (component) => (loaded.value = component),
        () => {
          failed.value = true
          tell(texts.settings.missing, 'problem')
        },
      )
    }, [])
    const Loaded = loaded.value
    return Loaded && <Loaded {...props} />
  }
}
