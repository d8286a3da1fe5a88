import { execFile } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PartName } from './install.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { scratchTmpdir } from './scratch.ts'

/** The tests create and sync thousands of short-lived stores. In memory, none of them waits for a disk. */
const memoryFolder = '/dev/shm'

/** Call this before anything creates a scratch folder. */
export function preferMemory(): void {
  if (hasRoom(memoryFolder)) process.env['TMPDIR'] = memoryFolder
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 6e9
  } catch {
    return false
  }
}

/** Returns the environment variables through which test files find the shared parts. */
export async function startShared(
  present: readonly PartName[],
  parts: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const tmpdir = scratchTmpdir()
  const compiled = join(tmpdir, 'compiled')
  const env: Record<string, string> = { SPOOL_TEST_PARTS: present.join(',') }
  const [postgres, redis] = await Promise.all([
    present.includes('postgres') ? startPostgres() : null,
    present.includes('redis') ? startRedis() : null,
    compile(compiled),
  ])
  if (postgres) env['SPOOL_TEST_POSTGRES'] = parts.use(postgres).url
  if (redis) env['SPOOL_TEST_REDIS'] = parts.use(redis).url
  return { ...env, TMPDIR: tmpdir, NODE_COMPILE_CACHE: compiled }
}

/**
 * Every test file and every command it starts loads the same sources. Compiled once, they start in half the time.
 * Killed processes write nothing to the cache, so it must be filled beforehand.
 */
async function compile(folder: string): Promise<void> {
  const [support, list] = ['../spool.ts', '../../../src/cli/commands.ts'].map((path) =>
    JSON.stringify(import.meta.resolve(path)),
  )
  const script = `
    await import(${support})
    const { commands } = await import(${list})
    await Promise.all(Object.values(commands).map((load) => load()))
    process.exit()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
  })
}

/** The first signal stops the tests and then the parts cleanly; the second stops everything at once. */
export function listenForSignals(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()))
  return controller.signal
}
