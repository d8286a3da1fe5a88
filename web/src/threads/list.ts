import { batch, computed, signal } from '@preact/signals'
import type { Matching, ThreadRow } from '../../../src/model/work.ts'
import { get, sentenceOf } from '../page/api.ts'
import type { AnswerOf, RouteAt } from '../page/contract.ts'
import { place, placePath, type Place } from '../page/router.ts'
import { hasTypedAhead, untilTyped } from '../page/typed-ahead.ts'
import {
  cutAtEnd,
  dropFarRows,
  insertRows,
  keepRows,
  makePage,
  mapRows,
  positionOf,
  rowsBetween,
  pageAt,
  totalOf,
  type ListPage,
} from './pages.ts'
import { belongs, isDone, queryOf, searchQuery } from './query.ts'

const size = 50
const kept = 6
const none: ReadonlySet<string> = new Set()

interface Change {
  ids: ReadonlySet<string>
  change(row: ThreadRow): ThreadRow
  /** Whether the user did this to these threads. What else happens to them removes no row that they opened or selected. */
  own: boolean
}

/** Changes that the server has not confirmed yet. Rows it sends in the meantime may predate them. */
const unsettled = new Set<Change>()

/** One list of threads: infinite scrolling in bounded memory. */
export class ThreadList {
  readonly place: Place
  readonly pages = signal<ListPage[]>([])
  readonly more = signal<string | null>(null)
  readonly loaded = signal(false)
  readonly problem = signal<string | null>(null)
  /** Rows selected for a bulk action; rows that leave the list are deselected. */
  readonly selected = signal<ReadonlySet<string>>(new Set())
  /** Whether all selected rows have left the list without the user's doing. */
  readonly selectionLost = signal(false)
  /** Rows that the user has opened or selected here: they stay until the user leaves. */
  readonly kept = new Set<string>()
  /** Those of them that no longer belong in the list. */
  readonly stayed = new Set<string>()
  /** The number of threads in the whole list, once a selection needs it. */
  readonly counted = signal<Matching | null>(null)
  /** Whether all threads of the list are selected, loaded or not. */
  readonly allSelected = signal(false)
  readonly total = computed(() => totalOf(this.pages.value))
  /** IDs of the rows in memory. */
  readonly loadedIds = computed(() => this.pages.value.flatMap(({ rows }) => rows?.map(({ id }) => id) ?? []))
  /** Whether all rows of the list are in memory. */
  readonly isWhole = computed(() => this.more.value === null && this.pages.value.every(({ rows }) => rows))
  scrollTop = 0
  #isOld = false
  #resets = 0
  readonly #asking = new Map<string, Promise<void>>()

  constructor(place: Place) {
    this.place = place
  }

  between(from: number, to: number): (ThreadRow | null)[] {
    return rowsBetween(this.pages.value, from, to)
  }

  at(position: number): ThreadRow | null {
    return rowsBetween(this.pages.value, position, position + 1)[0] ?? null
  }

  positionOf(id: string): number {
    return positionOf(this.pages.value, id)
  }

  find(id: string): ThreadRow | null {
    const position = this.positionOf(id)
    return position < 0 ? null : this.at(position)
  }

  /** Loads missing rows around the visible positions and drops rows far away. */
  look(from: number, to: number): void {
    if (!this.loaded.value) return void (this.#asking.has('refresh') || this.refresh())
    const first = pageAt(this.pages.value, from)
    if (first) {
      const trimmed = dropFarRows(this.pages.value, first.index, kept, this.selected.value)
      if (trimmed.some((page, index) => page !== this.pages.value[index])) this.pages.value = trimmed
    }
    for (const [index, page] of this.pages.value.entries()) {
      const near = first !== null && Math.abs(index - first.index) <= 1
      if (page.rows === null && near) void this.#once(`again ${index}`, () => this.#loadAgain(page))
    }
    if (to + size > this.total.value) void this.loadMore()
  }

  /** Loads rows of the range that were dropped from memory. */
  async loadBetween(from: number, to: number): Promise<void> {
    let start = 0
    for (const [index, page] of this.pages.value.entries()) {
      if (page.rows === null && start < to && start + page.count > from)
        await this.#once(`again ${index}`, () => this.#loadAgain(page))
      start += page.count
    }
  }

  async loadMore(): Promise<void> {
    const cursor = this.more.value
    if (cursor === null) return
    let isOld = false
    await this.#once('more', async () => {
      const resets = this.#resets
      const { data, nextCursor } = await this.#fetch(cursor)
      if (resets !== this.#resets) return
      // A refresh has replaced the rows before these: the next ones begin elsewhere now.
      isOld = this.more.value !== cursor
      if (isOld) return
      const known = new Set(this.loadedIds.value)
      const fresh = data.filter(({ id }) => !known.has(id))
      this.#put([...this.pages.value, makePage(cursor, fresh)])
      this.more.value = nextCursor
    })
    if (isOld) await this.loadMore()
  }

  /** Reloads the top of the list and merges it with what is loaded. */
  async refresh(): Promise<void> {
    // The review is a list of drafts.
    if (this.place.type === 'view' && this.place.view === 'review') return
    // Changes since the request was sent are not in its answer: refresh once more.
    this.markOld()
    await this.#once('refresh', async () => {
      const [top, ...rest] = this.pages.value
      const wanted = Math.min(100, Math.max(size, (top?.count ?? 0) + 10))
      const resets = this.#resets
      const { data, nextCursor } = await this.#fetch(null, rest.length === 0 ? size : wanted)
      // The list was reset after this request; it is refreshed again below.
      if (resets !== this.#resets) return
      for (const { id } of data) this.stayed.delete(id)
      // More pages were loaded in the meantime, which this response does not cover.
      if (rest.length === 0 && this.pages.value.length > 1) return this.markOld()
      const cut = rest.length === 0 ? { rows: data, met: false } : cutAtEnd(data, top!.end)
      if (cut.met) {
        // New mail moves a thread to the top from wherever it was.
        const risen = new Set(cut.rows.map(({ id }) => id))
        const below = mapRows(this.pages.value.slice(1), (row) => (risen.has(row.id) ? null : row))
        this.#put([{ ...makePage(null, cut.rows), end: top!.end }, ...below])
      } else {
        this.#put([makePage(null, data)])
        this.more.value = nextCursor
      }
      this.loaded.value = true
    })
    if (!this.#isOld) return
    this.#isOld = false
    await this.refresh()
  }

  async #loadAgain(page: ListPage): Promise<void> {
    const { data } = await this.#fetch(page.cursor)
    const { rows } = cutAtEnd(data, page.end)
    this.#put(
      this.pages.value.map((each) =>
        each.cursor === page.cursor ? { ...each, rows, count: rows.length } : each,
      ),
    )
  }

  async #fetch(cursor: string | null, limit = size): Promise<AnswerOf<RouteAt<'GET', '/threads'>>> {
    const { data, nextCursor } = await this.#ask({ limit: String(limit), cursor })
    // Keys that are queued were meant for the rows as they are. Afterwards this answer may be old.
    if (this.loaded.value && hasTypedAhead()) {
      await untilTyped()
      return this.#fetch(cursor, limit)
    }
    const changed = (row: ThreadRow | null, each: Change): ThreadRow | null => row && this.#changed(row, each)
    return { data: data.flatMap((row) => [...unsettled].reduce(changed, row) ?? []), nextCursor }
  }

  async #ask(page: { limit: string; cursor: string | null }): Promise<AnswerOf<RouteAt<'GET', '/threads'>>> {
    const { place } = this
    if (place.type !== 'search') return get('/threads', { query: { ...queryOf(place), ...page } })
    // A search response is limited in time and may be empty although there is more.
    let found = await get('/search', { query: { ...searchQuery(place.q), ...page } })
    while (found.data.length === 0 && found.nextCursor !== null)
      found = await get('/search', {
        query: { ...searchQuery(place.q), ...page, cursor: found.nextCursor },
      })
    return found
  }

  #once(name: string, run: () => Promise<void>): Promise<void> {
    const running = this.#asking.get(name)
    if (running) return running
    const started = run()
      .then(() => {
        this.problem.value = null
      })
      .catch((error: unknown) => {
        this.problem.value = sentenceOf(error)
      })
      .finally(() => this.#asking.delete(name))
    this.#asking.set(name, started)
    return started
  }

  /** Changes rows in place; rows that no longer belong are removed, unless they have to stay. */
  change(change: Change): void {
    this.#put(
      mapRows(this.pages.value, (row) => this.#changed(row, change)),
      change.own ? change.ids : none,
    )
  }

  #changed(row: ThreadRow, { ids, change, own }: Change): ThreadRow | null {
    if (!ids.has(row.id)) return row
    const now = change(row)
    const fits = belongs(this.place, now)
    if (own) this.stayed.delete(row.id)
    else if (!fits && this.kept.has(row.id)) this.stayed.add(row.id)
    if (own && (!fits || isDone(now))) this.kept.delete(row.id)
    return fits || this.stayed.has(row.id) ? now : null
  }

  /** A refresh that is running may return rows from before a change that was just made. */
  markOld(): void {
    if (this.#asking.has('refresh')) this.#isOld = true
  }

  /** Puts rows back as they were. They stay in the list on the screen: they may have been there only because they were opened or selected. */
  restore(rows: readonly ThreadRow[]): void {
    if (this === list.peek()) for (const { id } of rows) this.kept.add(id)
    const known = new Map(rows.map((row) => [row.id, row]))
    this.#put(
      insertRows(
        mapRows(this.pages.value, (row) => known.get(row.id) ?? row),
        rows,
      ),
    )
  }

  /** Starts again at the top, because too much has changed. */
  reset(): void {
    this.#resets++
    this.#put([])
    this.more.value = null
    this.loaded.value = false
    this.scrollTop = 0
    void this.refresh()
  }

  drop(id: string): void {
    this.kept.delete(id)
    this.#put(mapRows(this.pages.value, (row) => (row.id === id ? null : row)))
  }

  /** The user leaves: rows that only stayed because of that go. */
  leave(): void {
    this.kept.clear()
    for (const id of this.selected.value) this.kept.add(id)
    const gone = new Set([...this.stayed].filter((id) => !this.kept.has(id)))
    for (const id of gone) this.stayed.delete(id)
    this.#put(
      mapRows(this.pages.value, (row) => (gone.has(row.id) ? null : row)),
      gone,
    )
  }

  /** `gone`: rows that the user knows to leave. */
  #put(pages: ListPage[], gone: ReadonlySet<string> = none): void {
    const staying = [...this.kept].flatMap((id) => (positionOf(pages, id) < 0 ? (this.find(id) ?? []) : []))
    for (const { id } of staying) this.stayed.add(id)
    batch(() => {
      this.pages.value = keepRows(pages, staying)
      const before = [...this.selected.value]
      const left = before.filter((id) => this.positionOf(id) >= 0)
      if (left.length === before.length) return
      this.selected.value = new Set(left)
      if (left.length > 0) return
      this.allSelected.value = false
      this.selectionLost.value = !before.every((id) => gone.has(id))
    })
  }
}

/** The lists of this session; going back shows the same list where it was left. */
const lists = new Map<string, ThreadList>()

export function listOf(place: Place): ThreadList {
  const key = placePath(place)
  const found = lists.get(key) ?? new ThreadList(place)
  lists.delete(key)
  lists.set(key, found)
  if (lists.size > 8) lists.delete(lists.keys().next().value!)
  return found
}

export function allLists(): ThreadList[] {
  return [...lists.values()]
}

/** The other lists are loaded again when they are shown, even if an answer from before is on its way to them. */
export function forgetOtherLists(): void {
  for (const each of allLists()) {
    if (each === list.value) continue
    each.loaded.value = false
    each.markOld()
  }
}

/** Shows a change in all lists; call the returned function when the server has answered. */
export function changeRows(change: Change): () => void {
  unsettled.add(change)
  for (const each of allLists()) each.change(change)
  return () => {
    unsettled.delete(change)
    for (const each of allLists()) each.markOld()
  }
}

export const list = computed(() => listOf(place.value))
