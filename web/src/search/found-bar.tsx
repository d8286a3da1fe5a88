import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getUnless } from '../page/api.ts'
import { list } from '../threads/list.ts'
import { searchQuery } from '../threads/query.ts'
import { removeView, savedViews, saveView } from './saved-views.ts'
import { searchTexts } from './texts.ts'

/** The number of threads that a search finds, and a way to save it as a view. */
export function FoundBar({ search }: { search: string }) {
  const counted = useSignal<{ count: number; isAll: boolean } | null>(null)
  const { loaded, more, total } = list.value
  const isMore = loaded.value && more.value !== null
  useEffect(() => {
    if (!isMore) return
    const gone = new AbortController()
    getUnless(gone.signal, '/search/count', { query: searchQuery(search) }).then(
      (answer) => (counted.value = answer),
      // Without an answer, the rows of the list are counted.
      () => (counted.value = { count: 0, isAll: false }),
    )
    return () => gone.abort()
  }, [isMore])
  // A completely loaded list counts its own rows; otherwise there are at least as many.
  const known = isMore ? counted.value : loaded.value && { count: 0, isAll: true }
  const found = known && { ...known, count: Math.max(known.count, total.value) }
  return (
    <div class="found-bar line">
      <span role="status">{found ? searchTexts.count(found.count, found.isAll) : searchTexts.counting}</span>
      <Keep search={search} />
    </div>
  )
}

function Keep({ search }: { search: string }) {
  const naming = useSignal(false)
  const saved = savedViews.value.find((view) => view.search === search)
  if (saved)
    return (
      <button type="button" class="link" onClick={() => removeView(saved)}>
        {searchTexts.removeView}
      </button>
    )
  if (!naming.value)
    return (
      <button type="button" class="link" onClick={() => (naming.value = true)}>
        {searchTexts.save}
      </button>
    )
  const save = async (form: HTMLFormElement): Promise<void> => {
    const name = new FormData(form).get('name') as string
    if (await saveView(name, search)) naming.value = false
  }
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        naming.value = false
      }}
    >
      <input
        name="name"
        type="text"
        required
        maxLength={60}
        defaultValue={search.slice(0, 60)}
        aria-label={searchTexts.name}
        ref={(field) => field?.select()}
      />
      <button type="submit" class="btn">
        {searchTexts.saveNow}
      </button>
      <button type="button" class="link" onClick={() => (naming.value = false)}>
        {searchTexts.cancel}
      </button>
    </form>
  )
}
