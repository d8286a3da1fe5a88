import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { scratchFolder } from './parts/scratch.ts'
import { home } from './home.ts'
import { until } from './until.ts'

/** Copies the sources as a clone would have them, including uncommitted changes. */
export function cloneSources(): string {
  const folder = scratchFolder('clone')
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: home })
  for (const path of new Set(String(listed).split('\0').filter(Boolean))) {
    if (statSync(join(home, path), { throwIfNoEntry: false }) === undefined) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(home, path), join(folder, path))
  }
  return folder
}

/** The environment of a new user: nothing from the test run's Node, and npm without a cache. */
export function newUser(): Record<string, string> {
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: scratchFolder('home'),
    npm_config_update_notifier: 'false',
    ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
  }
}

export async function runAs(
  env: Record<string, string>,
  cwd: string,
  command: string,
  ...args: string[]
): Promise<{ output: string; stdout: string; seconds: number }> {
  const started = performance.now()
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 })
  return { output: stdout + stderr, stdout, seconds: (performance.now() - started) / 1000 }
}

export interface Running extends AsyncDisposable {
  url: string
  /** Seconds of processor time that the server and its children used until it was ready. */
  processorTime: number
}

/** Starts a server as a user would. It is ready when it prints its address. */
export async function serveAs(
  env: Record<string, string>,
  cwd: string,
  command: string,
  ...args: string[]
): Promise<Running> {
  const child = spawn(command, args, { cwd, env: { SPOOL_PORT: '0', ...env }, detached: true, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  const url = await until(
    `${command} ${args.join(' ')}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
      return /(?:listens|sample mail) at (http:\S+)/.exec(output)?.[1]
    },
    300_000,
  )
  return {
    url,
    processorTime: groupTime(child.pid!),
    async [Symbol.asyncDispose]() {
      process.kill(-child.pid!, 'SIGTERM')
      await ended
    },
  }
}

/** Processor time of all processes in the group, including ended children that were waited for. */
function groupTime(group: number): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      if (Number(fields[2]) !== group) continue
      for (const field of fields.slice(11, 15)) ticks += Number(field)
    } catch {
      // The process has ended in the meantime.
    }
  }
  return ticks / 100
}

/** Total size of the files in a folder, in megabytes. */
export function megabytes(folder: string): number {
  const [bytes] = String(execFileSync('du', ['-s', '-B1', '--apparent-size', folder])).split('\t')
  return Number(bytes) / 1e6
}
