import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '../controls/icon.tsx'
import { useCommand } from '../page/command.ts'
import { foundWords } from './found-words.ts'
import { searchTexts } from './texts.ts'

/** Jumps between the marked words of a thread, in the page or in the frame of a mail. */
export function Hits({ body }: { body: { current: HTMLElement | null } }) {
  const at = useSignal(0)
  const count = useSignal(0)
  const hits = (): HTMLElement[] => [...(body.current?.querySelectorAll<HTMLElement>('.hit') ?? [])]
  const words = foundWords.value
  useEffect(() => {
    at.value = 0
    if (!words || !body.current) return
    const look = (): void => {
      count.value = hits().length
    }
    look()
    // Marks appear when a mail is unfolded, and in a frame once its height is known.
    const watch = new MutationObserver(look)
    watch.observe(body.current, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [words?.key])
  const jump = (step: 1 | -1): void => {
    const all = hits()
    if (all.length === 0) return
    at.value = ((at.value + step - 1 + all.length) % all.length) + 1
    for (const each of all) each.classList.remove('lit')
    const hit = all[at.value - 1]!
    hit.classList.add('lit')
    hit.scrollIntoView({ block: 'center' })
  }
  const isOn = words !== null && count.value > 0
  useCommand('nextHit', isOn ? () => jump(1) : null)
  useCommand('previousHit', isOn ? () => jump(-1) : null)
  if (!isOn) return null
  return (
    <div class="hits line" role="group" aria-label={searchTexts.hitsLabel}>
      <span role="status">{searchTexts.hits(at.value, count.value)}</span>
      <button
        type="button"
        class="btn quiet"
        aria-label={searchTexts.previousHit}
        title={`${searchTexts.previousHit} (,)`}
        onClick={() => jump(-1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="btn quiet"
        aria-label={searchTexts.nextHit}
        title={`${searchTexts.nextHit} (.)`}
        onClick={() => jump(1)}
      >
        <Icon name="down" />
      </button>
    </div>
  )
}
