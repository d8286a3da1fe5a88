/**
 * Loaded before every test file. node:test follows each promise and socket, to tell to which test an uncaught error
 * belongs; with servers in the same process that takes a tenth of the processor. Without it, such an error still fails
 * the file, and the trace says where it comes from.
 */
import hooks from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const { createHook } = hooks
  const none: hooks.AsyncHook = { enable: () => none, disable: () => none }
  hooks.createHook = () => none
  await import('node:test')
  hooks.createHook = createHook
}
