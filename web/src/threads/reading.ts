import { ask } from '../page/api.ts'
import { refreshCounts } from './counts.ts'
import { changeRows } from './list.ts'
import { changeThread } from './store.ts'

/** Pending requests that mark threads as read. */
let reading: Promise<unknown> = Promise.resolve()

/** Tells the server that a thread was looked at. */
export async function tellRead(id: string): Promise<void> {
  const asked = ask('POST', `/threads/${id}/read`, {}).then(
    () => refreshCounts(),
    () => undefined,
  )
  reading = Promise.all([reading, asked])
  await asked
}

/** Opening a thread marks it read. */
export function markRead(id: string): void {
  void showUnread(id, false, tellRead(id))
}

/** Shows a change before the server has answered. */
export async function showUnread(id: string, unread: boolean, saved: Promise<unknown>): Promise<void> {
  const settle = changeRows({
    ids: new Set([id]),
    change: (row) => ({ ...row, unread }),
    own: unread,
  })
  changeThread(id, (thread) => ({ ...thread, unread }), saved)
  await saved
  settle()
}

/** Await this before marking a thread unread: a read request that arrived later would mark it read again. */
export async function untilRead(): Promise<void> {
  await reading
}
