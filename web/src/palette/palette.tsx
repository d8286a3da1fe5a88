import { signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { MailAddress } from '../../../src/model/thread.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Choices, moveIn } from '../controls/menu.tsx'
import { get } from '../page/api.ts'
import { useCommand } from '../page/command.ts'
import { isPaletteKey } from '../page/keys.ts'
import { renderNow } from '../page/render-now.ts'
import { texts as pageTexts } from '../page/texts.ts'
import { loadTeam, team, teamProblem } from '../threads/people.ts'
import { texts } from './texts.ts'

const isOpen = signal(false)
const makeChoices = signal<typeof import('./choices.tsx').makeChoices | null>(null)

/** Ctrl+K: finds every action and place by typing. */
export function Palette() {
  useCommand('palette', () => (isOpen.value = true))
  // Close before the choice runs: the dialog restores the focus, and the choice may move it.
  return isOpen.value ? <Opened close={() => renderNow(() => (isOpen.value = false))} /> : null
}

/** The field is shown at once, so that no key is lost, while the choices are still loading. */
function Opened({ close }: { close: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const typed = useSignal('')
  const customers = useSignal<readonly MailAddress[]>([])
  const problem = useSignal<string | null>(null)
  useLayoutEffect(() => box.current!.querySelector('input')!.focus(), [])
  useEffect(() => {
    loadTeam()
    import('./choices.tsx').then(
      (loaded) => (makeChoices.value = loaded.makeChoices),
      () => (problem.value = pageTexts.settings.missing),
    )
  }, [])
  useEffect(() => {
    customers.value = []
    if (typed.value.length < 2) return
    let isWanted = true
    const timer = setTimeout(() => {
      get('/addresses', { query: { q: typed.value.slice(0, 254) } }).then(
        ({ data }) => {
          if (isWanted) customers.value = data.slice(0, 5)
        },
        () => undefined,
      )
    }, 100)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [typed.value])
  /** If the palette was opened from the search field, leave that field: the next keys are not meant for it. */
  const leave = (): void => {
    close()
    document.querySelector<HTMLElement>('.search input:focus')?.blur()
  }
  const isReady = team.value !== null || teamProblem.value !== null
  return (
    <Dialog title={texts.title} onClose={close}>
      <div
        class="palette"
        ref={box}
        onKeyDown={(event) => {
          if (!isPaletteKey(event)) return moveIn(event, close)
          event.preventDefault()
          close()
        }}
      >
        <Choices
          label={texts.field}
          choices={isReady ? (makeChoices.value?.(typed.value, customers.value, leave) ?? null) : null}
          problem={problem.value}
          onType={(text) => (typed.value = text.trim())}
        />
      </div>
    </Dialog>
  )
}
