import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const program = resolve(import.meta.dirname, '../../bin/spool.js')
const driver = resolve(import.meta.dirname, 'command-driver.ts')

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
  /** Parses standard output as one JSON value. */
  json<Value = Record<string, unknown>>(): Value
}

/** Runs the real command line as a separate process, without this process's SPOOL_ and most NODE_ variables. */
export function startCommand(
  env: Record<string, string>,
  words: readonly string[],
  script = program,
  cwd?: string,
  uid?: number,
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SPOOL_|NODE_(?!COMPILE))/.test(name))
  const child = spawn(process.execPath, [script, ...words], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  })
  child.stdin.on('error', () => undefined)
  return child
}

export async function runCommand(
  env: Record<string, string>,
  words: readonly string[],
  input = '',
  script = program,
): Promise<Ran> {
  using child = startCommand(env, words, script)
  child.stdin!.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ])
  return { code: child.exitCode, stdout, stderr, json: <Value>() => JSON.parse(stdout) as Value }
}

/** Runs many commands in one separate process: the same program without a start per command. */
export async function runCommands(
  tasks: readonly { words: readonly string[]; env: Record<string, string> }[],
): Promise<Ran[]> {
  using child = startCommand({}, [], driver)
  child.stdin!.end(JSON.stringify(tasks))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (stdout === '') throw new Error(`The commands could not be run: ${stderr}`)
  const results = JSON.parse(stdout) as Omit<Ran, 'json'>[]
  return results.map((ran) => ({ ...ran, json: <Value>() => JSON.parse(ran.stdout) as Value }))
}
