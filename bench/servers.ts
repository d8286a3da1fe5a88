import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnchorSays, Lesson } from './anchor.ts'

const home = resolve(import.meta.dirname, '..')

export interface Server extends AsyncDisposable {
  port: number
  pid: number
  /** Microseconds of CPU time that its serving thread has used so far. */
  used(): number
}

export interface SpoolServer extends Server {
  origin: string
  /** Milliseconds from its start to the first 200 from /readyz. */
  readyAfter: number
  /** Anonymous resident memory in MB: the process's own memory, without mapped pages of the store. */
  memory(): number
}

/** Spool as in production: in its own process, with its access log; rate limits and event retention are raised. */
export async function startSpool(env: Record<string, string>): Promise<SpoolServer> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, ['bin/spool.js', 'serve'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      SPOOL_PORT: String(port),
      SPOOL_RATE_LIMIT: '999999999/60',
      SPOOL_RATE_LIMIT_ANONYMOUS: '999999999/60',
      // A kept store ages; deleting its old events is not part of the measurement.
      SPOOL_EVENT_DAYS: '9999',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error('Spool ended at its start.')
    await sleep(5)
  }
  const readyAfter = performance.now() - began
  return {
    port,
    origin,
    readyAfter,
    pid: child.pid!,
    used: () => readProcessorTime(child.pid!),
    memory: () => readAnonymousMemory(child.pid!),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

function readAnonymousMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)![1]) / 1000
}

function readProcessorTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
}

export interface Anchor extends Server {
  /** Resolves with the number of bytes it now holds. */
  learn(lesson: Lesson): Promise<number>
}

export async function startAnchor(): Promise<Anchor> {
  const child = fork(resolve(import.meta.dirname, 'anchor.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const hear = async (): Promise<AnchorSays> => ((await once(child, 'message')) as [AnchorSays])[0]
  const said = await hear()
  if (!('port' in said)) throw new Error('The anchor did not tell its port.')
  return {
    port: said.port,
    pid: child.pid!,
    used: () => readProcessorTime(child.pid!),
    async learn(lesson) {
      child.send(lesson)
      const said = await hear()
      if ('failure' in said) throw new Error(said.failure)
      return 'bytes' in said ? said.bytes : 0
    },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
