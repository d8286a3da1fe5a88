import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { scratchFolder } from './parts/scratch.ts'

const home = resolve(import.meta.dirname, '../..')
/** Halves each process's start-up time. A killed process writes nothing to the cache, so the whole run shares one. */
let compiled = process.env['NODE_COMPILE_CACHE']

/** A separate process, started by the tests and ended with them. */
export class Child implements AsyncDisposable {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly ended: Promise<{ code: number | null; signal: string | null }>
  stdout = ''
  stderr = ''

  /** `file` is a path in the project, such as `bin/spool.js`. */
  constructor(file: string, args: string[] = [], environment: Record<string, string> = {}) {
    compiled ??= scratchFolder('compiled')
    this.process = spawn(process.execPath, [resolve(home, file), ...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: compiled, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    this.process.stdin.on('error', () => undefined)
    this.ended = once(this.process, 'close').then(([code, signal]) => ({ code, signal }))
  }

  /** Waits until standard output matches the pattern. */
  async says(pattern: RegExp, timeout = 120_000): Promise<RegExpExecArray> {
    const until = performance.now() + timeout
    for (;;) {
      const match = pattern.exec(this.stdout)
      if (match) return match
      const news = once(this.process.stdout, 'data', { signal: AbortSignal.timeout(1000) })
      const ended = await Promise.race([
        news.then(() => false).catch(() => false),
        this.ended.then(() => true),
      ])
      if (ended && !pattern.test(this.stdout))
        throw new Error(`It ended without saying ${pattern}:\n${this.stdout}${this.stderr}`)
      if (performance.now() > until)
        throw new Error(`It does not say ${pattern}:\n${this.stdout}${this.stderr}`)
    }
  }

  /** Kills the process like a power cut would. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill()
  }
}
