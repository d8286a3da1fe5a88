import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/**
 * Loaded before a command: kills the process before the step that SPOOL_TEST_KILL_AT counts to. Steps are what another
 * process could see of a change of the secret: writes of its file, statements that write, commits; and the end.
 */
const require = createRequire(import.meta.url)
let left = Number(process.env['KILL_AT'])

function step(): void {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

function before(object: object, name: string, counts: (first: unknown) => boolean): void {
  const functions = object as Record<string, (...given: unknown[]) => unknown>
  const real = functions[name]!
  functions[name] = function (this: unknown, ...given: unknown[]) {
    if (counts(given[0])) step()
    return real.apply(this, given)
  }
}

const isSecret = (file: unknown): boolean => /\/secret[^/]*$/.test(String(file))
for (const name of ['writeFileSync', 'renameSync', 'linkSync']) before(fs, name, isSecret)
before(fs, 'fsyncSync', () => true)
syncBuiltinESMExports()
before(require('better-sqlite3').prototype as object, 'exec', (sql) => sql === 'COMMIT')
before((require('pg') as { Client: { prototype: object } }).Client.prototype, 'query', (query) => {
  const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '')
  return /^\s*(?:insert|update|delete|commit)\b/i.test(text)
})
process.on('exit', step)
