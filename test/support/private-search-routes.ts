/** Appears in everything in the inbox that the stranger has no access to. */
export const canary = 'Kanarienvogel'

const own = 'own' as const
const absent = 404 as const

/** Routes for searches and for changes to all matches; see private-routes.ts. */
export const searchExamples = {
  searchThreads: { path: () => `/search?q=${canary}`, stranger: own },
  countMatches: { path: () => `/search/count?q=${canary}`, stranger: own },
  listSavedViews: { path: () => '/views', stranger: own },
  saveView: { path: () => '/views', body: () => ({ name: 'Mine', search: 'is:unread' }), stranger: own },
  removeView: { path: () => '/views/viw_1', statuses: [404], stranger: absent },
  countThreads: { path: () => '/threads/count', stranger: own },
  changeMatching: {
    path: () => '/threads/bulk/matching',
    body: () => ({ view: 'open', asOf: new Date().toISOString(), action: { type: 'read' } }),
    stranger: own,
  },
  changeFound: {
    path: () => '/search/bulk',
    body: () => ({ q: canary, asOf: new Date().toISOString(), action: { type: 'read' } }),
    stranger: own,
  },
}
