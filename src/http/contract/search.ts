import { z } from 'zod'
import { longestSearch } from '../../model/search/query.ts'
import { Matching, MatchingChanged, SavedView, ThreadRow } from '../../model/work.ts'
import { cursor, limit, pageOf } from './paging.ts'
import { get, listOf, none, post, remove, type RouteContract } from './route.ts'
import { matchingStep } from './threads.ts'

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
  searchThreads: get('/search', z.strictObject({ ...Asked, limit, cursor }), pageOf(ThreadRow)),
  countMatches: get('/search/count', z.strictObject(Asked), Matching.extend({ isAll: z.boolean() })),
  changeFound: post('/search/bulk', z.strictObject({ ...Asked, ...matchingStep }), MatchingChanged),
  listSavedViews: get('/views', none, listOf(SavedView)),
  saveView: post('/views', z.strictObject({ name: z.string().max(200), search: text }), SavedView),
  removeView: remove('/views/{id}', z.object({ removed: z.string() })),
} as const satisfies Record<string, RouteContract>
