/**
 * Loaded before every test file. node:test tracks every promise and socket to attribute uncaught errors to a test. With
 * servers in the same process, that costs a tenth of the processor time. It is needed only while the files declare
 * their suites. Afterwards such an error still fails the run, and its stack trace shows where it comes from.
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
