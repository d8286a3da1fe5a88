import { batch, computed, signal } from '@preact/signals'
import type { ThreadRow } from '../../../src/model/work.ts'
import { get, sentenceOf } from '../page/api.ts'
import type { AnswerOf, RouteAt } from '../page/contract.ts'
import { place, placePath, type Place } from '../page/router.ts'
import {
  cutAtEnd,
  letGo,
  makeStretch,
  mapRows,
  positionOf,
  rowsBetween,
  stretchAt,
  totalOf,
  type Stretch,
} from './pages.ts'
import { belongs, queryOf } from './query.ts'

const size = 50
const kept = 6

/** One list of threads: endless, and of bounded memory however far it is scrolled. */
export class ThreadList {
  readonly place: Place
  readonly stretches = signal<Stretch[]>([])
  readonly more = signal<string | null>(null)
  readonly loaded = signal(false)
  readonly problem = signal<string | null>(null)
  /** Rows chosen for an action on all of them; what leaves the list is no longer among them. */
  readonly selected = signal<ReadonlySet<string>>(new Set())
  readonly total = computed(() => totalOf(this.stretches.value))
  /** Rows put in above what was looked at since it was last asked: the page scrolls by as many. */
  shifted = 0
  scrollTop = 0
  #isOld = false
  readonly #asking = new Map<string, Promise<void>>()

  constructor(place: Place) {
    this.place = place
  }

  between(from: number, to: number): (ThreadRow | null)[] {
    return rowsBetween(this.stretches.value, from, to)
  }

  at(position: number): ThreadRow | null {
    return rowsBetween(this.stretches.value, position, position + 1)[0] ?? null
  }

  positionOf(id: string): number {
    return positionOf(this.stretches.value, id)
  }

  find(id: string): ThreadRow | null {
    const position = this.positionOf(id)
    return position < 0 ? null : this.at(position)
  }

  /** Loads what is missing for the positions that are looked at, and lets go of what is far away. */
  look(from: number, to: number): void {
    if (!this.loaded.value) return void (this.#asking.has('refresh') || this.refresh())
    const first = stretchAt(this.stretches.value, from)
    if (first) {
      const trimmed = letGo(this.stretches.value, first.index, kept, this.selected.value)
      if (trimmed.some((stretch, index) => stretch !== this.stretches.value[index])) this.#put(trimmed)
    }
    for (const [index, stretch] of this.stretches.value.entries()) {
      const near = first !== null && Math.abs(index - first.index) <= 1
      if (stretch.rows === null && near) void this.#once(`again ${index}`, () => this.#loadAgain(stretch))
    }
    if (to + size > this.total.value) void this.loadMore()
  }

  async loadMore(): Promise<void> {
    const cursor = this.more.value
    if (cursor === null) return
    await this.#once('more', async () => {
      const { data, nextCursor } = await this.#fetch(cursor)
      const known = new Set(this.stretches.value.at(-1)?.rows?.map(({ id }) => id))
      const fresh = data.filter(({ id }) => !known.has(id))
      this.#put([...this.stretches.value, makeStretch(cursor, fresh)])
      this.more.value = nextCursor
    })
  }

  /** Asks for the top of the list again and joins it with what is there. */
  async refresh(): Promise<void> {
    // Drafts are another list.
    if (this.place.type === 'view' && this.place.view === 'review') return
    // What has happened since it was asked for is not in the answer: then it is asked for once more.
    if (this.#asking.has('refresh')) this.#isOld = true
    await this.#once('refresh', async () => {
      const [top, ...rest] = this.stretches.value
      const wanted = Math.min(100, Math.max(size, (top?.count ?? 0) + 10))
      const { data, nextCursor } = await this.#fetch(null, rest.length === 0 ? size : wanted)
      const before = this.stretches.value[0]?.count ?? 0
      const cut = rest.length === 0 ? { rows: data, met: false } : cutAtEnd(data, top!.end)
      if (cut.met) {
        this.shifted += cut.rows.length - before
        this.#put([{ ...makeStretch(null, cut.rows), end: top!.end }, ...this.stretches.value.slice(1)])
      } else {
        this.#put([makeStretch(null, data)])
        this.more.value = nextCursor
      }
      this.loaded.value = true
    })
    if (!this.#isOld) return
    this.#isOld = false
    await this.refresh()
  }

  async #loadAgain(stretch: Stretch): Promise<void> {
    const { data } = await this.#fetch(stretch.cursor)
    const { rows } = cutAtEnd(data, stretch.end)
    this.#put(
      this.stretches.value.map((each) =>
        each.cursor === stretch.cursor ? { ...each, rows, count: rows.length } : each,
      ),
    )
  }

  #fetch(cursor: string | null, limit = size): Promise<AnswerOf<RouteAt<'GET', '/threads'>>> {
    return get('/threads', { query: { ...queryOf(this.place), limit: String(limit), cursor } })
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

  /** Changes rows in place; what no longer belongs here goes, except `keep`, which is being looked at. */
  change(ids: ReadonlySet<string>, change: (row: ThreadRow) => ThreadRow, keep: string | null = null): void {
    this.#put(
      mapRows(this.stretches.value, (row) => {
        if (!ids.has(row.id)) return row
        const now = change(row)
        return belongs(this.place, now) || now.id === keep ? now : null
      }),
    )
  }

  drop(id: string): void {
    this.#put(mapRows(this.stretches.value, (row) => (row.id === id ? null : row)))
  }

  #put(stretches: Stretch[]): void {
    batch(() => {
      this.stretches.value = stretches
      const left = [...this.selected.value].filter((id) => positionOf(stretches, id) >= 0)
      if (left.length < this.selected.value.size) this.selected.value = new Set(left)
    })
  }
}

/** The lists of this visit; going back shows the same one where it was left. */
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

export const list = computed(() => listOf(place.value))
