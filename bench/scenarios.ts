import { statuses } from '../src/model/thread.ts'
import { orderNumber, sampleWord } from './sample-mail.ts'
import type { BenchStore } from './store.ts'

/** Paths requested in turn: one for hot scenarios, many for cold ones. */
export interface Scenario {
  name: string
  kind: 'hot' | 'cold'
  paths: string[]
  /** Content coding to request; the anchor sends the same compressed bytes. */
  coding?: 'br' | 'gzip'
  /** Share of the anchor's rate to reach; null: reported only. */
  target: number | null
}

const base = '/api/v1/threads'

/** Far more than a server caches (12 MB), so that a response is no longer cached when its path comes again. */
const coldPages = 2_000
const coldSearches = 4_000

type Ask = (path: string) => Promise<{ data: { id: string }[]; nextCursor: string | null }>

/** The scenarios for a store; paging through it for cursors takes a moment. */
export async function planScenarios(store: BenchStore, origin: string): Promise<Scenario[]> {
  const ask: Ask = async (path) => {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${store.token}` } })
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Awaited<ReturnType<Ask>>
  }
  const everywhere = await walk(ask, '', store.threads)
  const unread = await walk(ask, 'unread=1&', store.threads / 5)
  const long = store.longThreads
  const middle = long[Math.floor(long.length / 2)]!
  const search = `q=${orderNumber(Math.floor(store.threads / 2))}`
  return [
    { name: 'list', kind: 'hot', paths: [base], target: 0.7 },
    { name: 'unread list', kind: 'hot', paths: [`${base}?unread=1`], target: 0.7 },
    { name: 'list in br', kind: 'hot', paths: [base], coding: 'br', target: 0.6 },
    { name: 'list in gzip', kind: 'hot', paths: [base], coding: 'gzip', target: 0.6 },
    { name: 'deep page', kind: 'hot', paths: [`${base}?cursor=${everywhere.at(-1)}`], target: 0.7 },
    { name: 'thread of 12', kind: 'hot', paths: [`${base}/${middle}`], target: 0.6 },
    { name: 'search', kind: 'hot', paths: [`${base}?${search}`], target: null },
    { name: 'list', kind: 'cold', paths: turnPages('', everywhere), target: 0.25 },
    { name: 'unread list', kind: 'cold', paths: turnPages('unread=1&', unread), target: 0.25 },
    { name: 'filtered list', kind: 'cold', paths: combineFilters(), target: 0.25 },
    { name: 'thread of 12', kind: 'cold', paths: long.map((id) => `${base}/${id}`), target: null },
    { name: 'search', kind: 'cold', paths: chooseWords(store.threads), target: null },
  ]
}

/** Cursors from all over the list, up to 100,000 threads deep; not from its end, where pages are shorter. */
async function walk(ask: Ask, filter: string, length: number): Promise<string[]> {
  const step = Math.max(1, Math.min(100, Math.floor(length / 100)))
  const most = Math.min(100_000, Math.max(length / 2, length - 100))
  const cursors: string[] = []
  for (let seen = step, cursor = ''; seen <= most; seen += step) {
    const page = await ask(`${base}?${filter}limit=${step}${cursor && `&cursor=${cursor}`}`)
    if (page.nextCursor === null) break
    cursors.push((cursor = page.nextCursor))
  }
  return cursors
}

/** Pages of about 50 threads, each with a different position or length. */
function turnPages(filter: string, cursors: readonly string[]): string[] {
  return shuffle(
    Array.from({ length: Math.min(coldPages, cursors.length * 80) }, (_, index) => {
      const round = Math.floor(index / cursors.length)
      const limit = 50 + (round % 2 === 0 ? round / 2 : -(round + 1) / 2)
      return `${base}?${filter}limit=${limit}&cursor=${cursors[index % cursors.length]}`
    }),
  )
}

function combineFilters(): string[] {
  const chosen = [...statuses, 'open,waiting', 'open,waiting,snoozed']
  const people = ['', '&assignee=me', '&assignee=none']
  const places = ['', '&inbox=support@shop.example', '&inbox=orders@shop.example']
  const combined = chosen.flatMap((status) =>
    people.flatMap((person) => places.map((place) => `status=${status}${person}${place}`)),
  )
  return shuffle(
    Array.from({ length: coldPages }, (_, index) => {
      const limit = 50 + ((Math.floor(index / combined.length) * 7) % 41) - 20
      return `${base}?${combined[index % combined.length]}&limit=${limit}`
    }),
  )
}

/** Searches of one kind; how long one client waits for them is reported in milliseconds. */
export interface SearchScenario {
  name: string
  paths: string[]
}

/** The newest threads, then searches. No path occurs twice in a run, so no response is cached. */
export function planSearches(threads: number): SearchScenario[] {
  const limited = (count: number, filter: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => `${base}?${filter(index)}limit=${20 + (index % 80)}`)
  const each = (name: string, words: (index: number) => string): SearchScenario => ({
    name: `search for ${name}`,
    paths: limited(240, (index) => `q=${words(index)}&`),
  })
  // Each inbox has a third of the mail, and no mail is addressed to two of them.
  const apart = ['support+invoices', 'support+orders', 'orders+invoices']
  return [
    { name: 'newest list', paths: limited(80, () => '') },
    each('a common word', (index) => sampleWord(Math.floor(index / 80) * 3)),
    each('a rare word', (index) => orderNumber((index * 7919) % threads)),
    each('two common words that often meet', (index) => {
      const first = Math.floor(index / 80)
      return `${sampleWord(first)}+${sampleWord(first + 4)}`
    }),
    each('two common words that never meet', (index) => apart[Math.floor(index / 80)]!),
  ]
}

/** A third searches for one order, a third for two words together, a third for one rare word. */
function chooseWords(threads: number): string[] {
  return Array.from({ length: coldSearches }, (_, index) => {
    const kinds = [
      orderNumber((index * 7919) % threads),
      `${sampleWord(index * 7)}+${sampleWord(index * 13 + 1)}`,
      sampleWord(2_500 + (index % 2_500)),
    ]
    return `${base}?q=${kinds[index % 3]}&limit=${20 + (index % 31)}`
  })
}

/** The same order in every run, without a pattern that a cache could benefit from. */
function shuffle(paths: string[]): string[] {
  const shuffled: string[] = []
  for (let index = 0; index < paths.length; index++) shuffled.push(paths[(index * 1_009) % paths.length]!)
  return [...new Set(shuffled)]
}
