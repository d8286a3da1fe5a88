import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useCommand } from '../page/command.ts'
import { Icon } from '../controls/icon.tsx'
import { go, place, placePath } from '../page/router.ts'
import { session } from '../session/session.ts'
import { texts } from '../page/texts.ts'
import { railOpen } from './rail-open.ts'

/** Search terms and filters; each search has its own URL. */
export function Search(): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const focused = useSignal(false)
  const asked = place.value.type === 'search' ? place.value.q : ''
  const text = useSignal(asked)
  useEffect(() => {
    text.value = asked
  }, [asked])
  useCommand('search', () => field.current?.focus())
  const search = (q: string): void =>
    go(q.trim() === '' ? '/open' : placePath({ type: 'search', q: q.trim() }))
  const add = (filter: string): void => {
    const parts = text.value.split(/\s+/).filter(Boolean)
    const name = filter.split(':')[0]!
    const rest = parts.filter((part) => part !== filter && !part.startsWith(`${name}:`))
    search(parts.includes(filter) ? rest.join(' ') : [...rest, filter].join(' '))
  }
  return (
    <div class="search-box">
      <button
        type="button"
        class="btn quiet menu-button"
        aria-label={texts.rail.open}
        onClick={() => (railOpen.value = true)}
      >
        <Icon name="menu" />
      </button>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          search(text.value)
          field.current?.blur()
        }}
        onFocusIn={() => (focused.value = true)}
        onFocusOut={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node)) focused.value = false
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          enterkeyhint="search"
          value={text.value}
          placeholder={texts.list.search}
          aria-label={texts.list.search}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
        {(focused.value || asked !== '') && (
          <div class="filters" role="group" aria-label={texts.list.filters}>
            {filters().map(([label, filter]) => (
              <button
                key={filter}
                type="button"
                class={text.value.includes(filter) ? 'chip on' : 'chip'}
                aria-pressed={text.value.includes(filter)}
                onClick={() => add(filter)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </form>
    </div>
  )
}

function filters(): [label: string, filter: string][] {
  return [
    [texts.filters.unread, 'is:unread'],
    [texts.filters.mine, 'assignee:me'],
    [texts.filters.noOne, 'assignee:none'],
    ...(['open', 'waiting', 'closed'] as const).map((status): [string, string] => [
      texts.statuses[status].toLowerCase(),
      `status:${status}`,
    ]),
    ...((session.value?.inboxes.length ?? 0) > 1
      ? session.value!.inboxes.map(({ name, address }): [string, string] => [name, `inbox:${address}`])
      : []),
  ]
}
