import { signal, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { longestSearch, readParts, withoutPart, type SearchPart } from '../../../src/model/search/query.ts'
import { Icon } from '../controls/icon.tsx'
import { useCommand } from '../page/command.ts'
import { go, place, placePath } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { loadTeam } from '../threads/people.ts'
import type { Offer } from './offers.ts'
import { searchTexts } from './texts.ts'

/** In milliseconds; long enough not to search for every letter. */
const pause = 250

/** What completes words; loaded when the field is first used. */
const completions = signal<typeof import('./offers.ts') | null>(null)

/** The search that the list shows. */
const shownSearch = (): string => (place.value.type === 'search' ? place.value.q : '')

/** From three letters on, words that only begin with them are found too; Chinese ones are as short as this. */
const endsShort = /(?<![\p{L}\p{N}])[\p{Ll}\p{Lu}\p{N}]{1,2}$/u

/** Words and operators, completed and searched for while typing; each search has its own URL. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  const focused = useSignal(false)
  const asked = shownSearch()
  const text = useSignal(asked)
  const people = useSignal<Offer[]>([])
  /** The suggestion selected with the arrow keys, if any. */
  const moved = useSignal<number | null>(null)
  const id = useId()
  /** The last search made by typing. Letters typed since then are kept. */
  const searched = useRef<string | null>(null)
  useEffect(() => {
    if (searched.current === asked) return
    searched.current = null
    text.value = asked
  }, [place.value])
  useCommand('search', () => field.current?.focus())
  const search = (typed: string, replace = false): void => {
    const q = typed.trim()
    searched.current = q
    go(q === '' ? '/open' : placePath({ type: 'search', q }), { replace })
  }
  useEffect(() => {
    moved.value = null
    people.value = []
    const typed = text.value
    if (!focused.value || typed.trim() === asked) return
    const here = place.value
    const timer = setTimeout(() => {
      // The user may have left the field since, or gone elsewhere.
      if (!focused.value || place.value !== here) return
      // Enter may already have searched, and a thread may be open since.
      const isNew = typed.trim() !== '' && typed.trim() !== searched.current
      if (isNew && !endsShort.test(typed.trim())) search(typed, asked !== '')
      completions.value?.offerPeople(typed).then(
        (found) => {
          if (text.value === typed) people.value = found
        },
        () => undefined,
      )
    }, pause)
    return () => clearTimeout(timer)
  }, [text.value])
  const offers = focused.value ? [...(completions.value?.offersFor(text.value) ?? []), ...people.value] : []
  const take = (offer: Offer): void => {
    text.value = completions.value!.complete(text.value, offer)
    field.current?.focus()
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      // The browser would empty the field.
      event.preventDefault()
      field.current?.blur()
    } else if (offers.length === 0) return
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const from = moved.value ?? (event.key === 'ArrowDown' ? -1 : 0)
      moved.value = (from + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length
    } else if (event.key === 'Enter' && moved.value !== null) {
      event.preventDefault()
      take(offers[moved.value]!)
    }
  }
  return (
    <form
      class="search line"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        search(text.value)
        field.current?.blur()
      }}
      onFocusIn={() => {
        focused.value = true
        loadTeam()
        import('./offers.ts').then(
          (loaded) => (completions.value = loaded),
          () => undefined,
        )
      }}
      onFocusOut={(event) => {
        if (event.currentTarget.contains(event.relatedTarget as Node)) return
        focused.value = false
        // What was typed and not searched for is not what the list shows.
        text.value = shownSearch()
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        enterkeyhint="search"
        autocomplete="off"
        maxLength={longestSearch}
        value={text.value}
        placeholder={texts.list.search}
        aria-label={texts.list.search}
        aria-autocomplete="list"
        aria-controls={`${id}-offers`}
        aria-activedescendant={moved.value === null ? undefined : `${id}-${moved.value}`}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={keyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <Parts
        text={text.value}
        onRemove={(part) => {
          text.value = withoutPart(text.value, part)
          search(text.value)
        }}
      />
      <div
        id={`${id}-offers`}
        class={offers.length > 0 ? 'offers' : 'offers none'}
        role="listbox"
        aria-label={searchTexts.offers}
      >
        {offers.map((offer, index) => (
          <button
            key={offer.text}
            id={`${id}-${index}`}
            type="button"
            tabIndex={-1}
            role="option"
            aria-selected={index === moved.value}
            class={index === moved.value ? 'on' : ''}
            onPointerDown={(event) => (event.preventDefault(), take(offer))}
          >
            <b class="cut">{offer.text}</b> <small>{offer.label}</small>
          </button>
        ))}
      </div>
    </form>
  )
}

/** The parts of the search beyond plain words. Each can be removed. */
function Parts({ text, onRemove }: { text: string; onRemove(part: SearchPart): void }) {
  const parts = readParts(text).filter(({ operator, not, exact }) => operator !== null || not || exact)
  if (parts.length === 0) return null
  return (
    <div class="filters" role="group" aria-label={searchTexts.parts}>
      {parts.map((part) => {
        const written = text.slice(part.start, part.end)
        return (
          <button
            key={part.start}
            type="button"
            class="chip on"
            aria-label={searchTexts.remove(written)}
            onClick={() => onRemove(part)}
          >
            {written} <Icon name="cross" size={11} />
          </button>
        )
      })}
    </div>
  )
}
