import type { Route } from '../../route.ts'
import { attachmentGet } from './attachments.ts'
import { eventList } from './events.ts'
import { exportAll } from './export.ts'
import { me } from './me.ts'
import { messageGet, sourceGet } from './messages.ts'
import { noteGet, noteList } from './notes.ts'
import { inboxGet, inboxList, userGet, userList } from './team.ts'
import { threadGet, threadList } from './threads.ts'

/** Every endpoint of REST API v1. All of them only read. */
export const routes: readonly Route[] = [
  threadList,
  threadGet,
  exportAll,
  messageGet,
  sourceGet,
  attachmentGet,
  noteList,
  noteGet,
  eventList,
  inboxList,
  inboxGet,
  userList,
  userGet,
  me,
]

export const base = '/api/v1'

const patterns = routes.map((route) => ({
  route,
  names: [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
  pattern: new RegExp(`^${base}${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}))

/** Values are not decoded: a valid id needs no decoding. */
export function matchRoute(path: string): { route: Route; path: Record<string, string> } | null {
  for (const { route, names, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match)
      return { route, path: Object.fromEntries(names.map((name, index) => [name, match[index + 1]!])) }
  }
  return null
}
