import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteEnded, noteStarted, type QuitSignal } from './scratch.ts'

export interface Account {
  name: string
  group: string
  uid: number
  gid: number
}

export interface Recipe {
  command: string
  args: string[]
  /** Belongs to the daemon: it holds the logs and is removed when the daemon is disposed of. */
  folder: string
  account: Account
  stopSignal: NodeJS.Signals
  /** The signal for the final shutdown, when the data are no longer needed. */
  quitSignal: QuitSignal
  /** Polled, with the daemon's output since this start. */
  ready(log: string): boolean | Promise<boolean>
}

export interface Daemon extends AsyncDisposable {
  folder: string
  pid(): number
  log(): string
  /** Stops the daemon cleanly. The data are kept for `restart`. */
  stop(): Promise<void>
  /** Kills the daemon and its children at once, like a power cut. */
  kill(): Promise<void>
  /** Keeps the port and the data. A running daemon is stopped first. */
  restart(): Promise<void>
  /** SIGSTOP to the daemon and its children looks like a network that drops everything; SIGCONT resumes them. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

const startWithin = 180_000
const stopWithin = 15_000

/** PostgreSQL refuses to run as root, and so do Dovecot's mail processes. */
export function daemonAccount(): Account {
  const uid = process.getuid!()
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => (uid === 0 ? fields[0] === 'nobody' : Number(fields[2]) === uid))
  if (!row) throw new Error(`There is no account in /etc/passwd to run daemons as (this is uid ${uid}).`)
  const gid = Number(row[3])
  const group = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => Number(fields[2]) === gid)
  return { name: row[0]!, group: group?.[0] ?? String(gid), uid: Number(row[2]), gid }
}

/** A port below the ephemeral range of outgoing connections, so that it is still free when a daemon restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Retries, because another process may take the port between the check and the start. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return await start(port)
    } catch (error) {
      if (attempt === 3 || !/address already in use/i.test(String(error))) throw error
    }
  }
}

export async function startDaemon(recipe: Recipe): Promise<Daemon> {
  let running: ChildProcess | undefined
  let starts = 0
  const logFile = () => join(recipe.folder, `log.${starts}`)
  const log = () => readFileSync(logFile(), 'utf8')

  async function start(): Promise<void> {
    starts++
    const child = launch(recipe, logFile())
    running = child
    const deadline = Date.now() + startWithin
    while (!(await recipe.ready(log()))) {
      if (hasEnded(child)) throw new Error(`${recipe.command} ended at its start:\n${log()}`)
      if (Date.now() > deadline) {
        await end(child, 'SIGKILL')
        throw new Error(`${recipe.command} was not ready after ${startWithin / 1000} s:\n${log()}`)
      }
      await sleep(15)
    }
  }

  async function stop(): Promise<void> {
    if (running) await end(running, recipe.stopSignal)
  }

  async function kill(): Promise<void> {
    if (running) await end(running, 'SIGKILL')
  }

  async function restart(): Promise<void> {
    await stop()
    for (let attempt = 1; ; attempt++) {
      try {
        return await start()
      } catch (error) {
        // After a kill, children may hold shared memory or the port briefly.
        if (attempt === 10) throw error
        await sleep(100)
      }
    }
  }

  await start()
  return {
    folder: recipe.folder,
    pid: () => running!.pid!,
    log,
    stop,
    kill,
    restart,
    signal(signal) {
      const pid = running!.pid!
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, signal)
    },
    async [Symbol.asyncDispose]() {
      if (running) await end(running, recipe.quitSignal)
      await rm(recipe.folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function launch(recipe: Recipe, logFile: string): ChildProcess {
  const { command, args, folder, account, quitSignal } = recipe
  const output = openSync(logFile, 'w')
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: folder },
    stdio: ['ignore', output, output],
    // A separate process group: Ctrl-C reaches only the tests, which then shut down their daemons cleanly.
    detached: true,
    ...(process.getuid!() === 0 ? { uid: account.uid, gid: account.gid } : {}),
  })
  closeSync(output)
  const pid = child.pid
  if (pid !== undefined) {
    noteStarted(pid, quitSignal)
    child.once('exit', () => noteEnded(pid, quitSignal))
  }
  // A daemon that is shared until the process ends must not keep the process alive.
  child.unref()
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const pid = child.pid!
  child.ref()
  const ended = once(child, 'exit')
  if (signal === 'SIGKILL') killFamily(pid)
  else process.kill(pid, signal)
  const timer = setTimeout(() => killFamily(pid), stopWithin)
  await ended
  clearTimeout(timer)
}

function killFamily(pid: number): void {
  // PostgreSQL's backends leave the process group, so they are found by their parent.
  for (const member of [-pid, ...childrenOf(pid)]) {
    try {
      process.kill(member, 'SIGKILL')
    } catch {
      // Already gone.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
