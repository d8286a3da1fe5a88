import type { JSX } from 'preact'
import { Icon } from '../controls/icon.tsx'
import { texts } from '../page/texts.ts'
import { SearchField } from '../search/field.tsx'
import { railOpen } from './rail-open.ts'

/** Above every list. */
export function Search(): JSX.Element {
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
      <SearchField />
    </div>
  )
}
