import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { PartName } from './install.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { scratchTmpdir } from './scratch.ts'

/** Thousands of stores are made and synced, each for a moment: in memory nobody waits for a disk. */
const memoryFolder = '/dev/shm'

/** To be called before anything makes a scratch folder. */
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

/** The environment by which test files find what they share. */
export async function startShared(
  present: readonly PartName[],
  parts: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const env: Record<string, string> = { SPOOL_TEST_PARTS: present.join(',') }
  const [postgres, redis] = await Promise.all([
    present.includes('postgres') ? startPostgres() : null,
    present.includes('redis') ? startRedis() : null,
  ])
  if (postgres) env['SPOOL_TEST_POSTGRES'] = parts.use(postgres).url
  if (redis) env['SPOOL_TEST_REDIS'] = parts.use(redis).url
  const tmpdir = scratchTmpdir()
  // Every test file and every command it starts loads the same sources; compiled once, they start in half the time.
  return { ...env, TMPDIR: tmpdir, NODE_COMPILE_CACHE: join(tmpdir, 'compiled') }
}

/** The first signal ends the tests and then the parts in order; the second, everything at once. */
export function listenForSignals(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (controller.signal.aborted ? process.exit(130) : controller.abort()))
  return controller.signal
}
