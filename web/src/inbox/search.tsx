import type { JSX } from 'preact'
import { Icon } from '../controls/icon.tsx'
import { place } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { FoundBar } from '../search/found-bar.tsx'
import { SearchField } from '../search/field.tsx'
import { railOpen } from './rail-open.ts'

/** Above every list: the search field, and for a search what it found. */
export function Search(): JSX.Element {
  return (
    <>
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
      {place.value.type === 'search' && <FoundBar key={place.value.q} search={place.value.q} />}
    </>
  )
}
