import type { JSX } from 'preact'
import { SearchField } from '../search/field.tsx'
import { MenuButton } from './menu-button.tsx'

/** Above every list. */
export function Search(): JSX.Element {
  return (
    <div class="search-box">
      <MenuButton />
      <SearchField />
    </div>
  )
}
