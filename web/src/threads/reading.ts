import { ask } from '../page/api.ts'
import { refreshCounts } from './counts.ts'

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

/** Await this before marking a thread unread: a read request that arrived later would mark it read again. */
export async function untilRead(): Promise<void> {
  await reading
}
