import { z } from 'zod'
import { longestSearch } from '../../model/search/query.ts'
import { Matching, SavedView, ThreadRow } from '../../model/work.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { listOf, none, type RouteContract } from './route.ts'
import { MatchingChanged, matchingStep } from './threads.ts'

const text = z.string().max(longestSearch, `has at most ${longestSearch} characters`)

/** A search; `q` may contain operators, see `model/search/query`. */
const Asked = {
  q: text,
  typing: z
    .literal('1', 'must be 1')
    .optional()
    .transform((value) => value === '1'),
  zone: z.string().max(100).default('UTC'),
}

export const searchContract = {
  searchThreads: {
    method: 'GET',
    path: '/search',
    query: z.strictObject({ ...Asked, limit, cursor }),
    body: null,
    answer: pageOf(ThreadRow),
  },
  countMatches: {
    method: 'GET',
    path: '/search/count',
    query: z.strictObject(Asked),
    body: null,
    answer: Matching.extend({ isAll: z.boolean() }),
  },
  changeFound: {
    method: 'POST',
    path: '/search/bulk',
    query: none,
    body: z.strictObject({ ...Asked, ...matchingStep }),
    answer: MatchingChanged,
  },
  listSavedViews: { method: 'GET', path: '/views', query: none, body: null, answer: listOf(SavedView) },
  saveView: {
    method: 'POST',
    path: '/views',
    query: none,
    body: z.strictObject({ name: z.string().max(200), search: text }),
    answer: SavedView,
  },
  removeView: {
    method: 'DELETE',
    path: '/views/{id}',
    query: none,
    body: null,
    answer: z.object({ removed: z.string() }),
  },
} as const satisfies Record<string, RouteContract>
