import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs a script that reports in JSON: in a network namespace of its own where that is allowed (`namespace`), else beside
 * its canaries on loopback (`loopback`).
 */
export async function runIsolated<Report>(script: string): Promise<Report & { isolated: boolean }> {
  const options = { maxBuffer: 10_000_000, timeout: 600_000 }
  const isolated = await run('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).then(
    () => true,
    () => false,
  )
  const { stdout } = isolated
    ? await run('unshare', ['-rn', process.execPath, script, 'namespace'], options)
    : await run(process.execPath, [script, 'loopback'], options)
  return { ...(JSON.parse(stdout) as Report), isolated }
}
