/**
 * Loaded before every test file. node:test follows each promise and socket, to tell to which test an uncaught error
 * belongs; with servers in the same process that takes a tenth of the processor. It needs that only while the files
 * declare their suites. Afterwards such an error still fails the run, and the trace says where it comes from.
 */
import hooks, { type AsyncHook } from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

let tracking: AsyncHook | undefined

if (isMainThread) {
  const { createHook } = hooks
  hooks.createHook = (callbacks) => (tracking = createHook(callbacks))
  await import('node:test')
  hooks.createHook = createHook
}

export function stopTracking(): void {
  tracking?.disable()
}
