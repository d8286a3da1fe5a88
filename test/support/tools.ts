import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './until.ts'

export interface Tools {
  /** The path of a file in a package: `path('orval/dist/bin/orval.mjs')`. */
  path(file: string): string
  load<Module>(name: string): Module
}

const timeout = 600_000
const files = ['package.json', 'package-lock.json']

/**
 * Installs the packages of a lockfile next to some tests. The first test that needs them installs them; they are kept
 * in the user's cache folder under the lockfile's hash, so that every run and every working copy can reuse them.
 */
export async function installTools(folder: string): Promise<Tools> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(folder, file)))
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const target = join(cache, 'spool-test-tools', hash.digest('hex').slice(0, 16))
  await until(`npm ci for ${folder}`, async () => existsSync(target) || install(folder, target), timeout)
  return {
    path: (file) => join(target, 'node_modules', file),
    load: (name) => createRequire(join(target, 'package.json'))(name),
  }
}

/** Returns false while another process installs. */
async function install(folder: string, target: string): Promise<boolean> {
  const draft = `${target}.draft`
  if (!takeLock(`${target}.lock`)) return false
  try {
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft)
    for (const file of files) copyFileSync(join(folder, file), join(draft, file))
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', ['ci', ...flags], { cwd: draft, maxBuffer: 16_000_000 })
    renameSync(draft, target)
    return true
  } finally {
    rmSync(`${target}.lock`, { force: true })
  }
}

function takeLock(path: string): boolean {
  mkdirSync(join(path, '..'), { recursive: true })
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // Remove the lock of a process that was killed.
    if (existsSync(path) && !isAlive(Number(readFileSync(path, 'utf8')))) rmSync(path, { force: true })
    return false
  }
}

function isAlive(pid: number): boolean {
  // The PID is not written yet: the lock is being taken right now.
  if (pid === 0) return true
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
