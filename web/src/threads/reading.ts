import { ask } from '../page/api.ts'
import { refreshCounts } from './counts.ts'

/** The requests that mark threads read. */
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

/** Whatever marks a thread unread waits for them: one that overtook it would mark the thread read again. */
export async function untilRead(): Promise<void> {
  await reading
}
