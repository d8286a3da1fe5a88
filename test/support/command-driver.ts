/**
 * Runs commands one after the other in this process, because a process per command would cost most of a second. Reads
 * `[{words, env}]` from standard input and writes `[{code, stdout, stderr}]`.
 */
import { text } from 'node:stream/consumers'
import { runCommand } from '../../src/cli/program.ts'

interface Task {
  words: string[]
  env: Record<string, string>
}

const tasks = JSON.parse(await text(process.stdin)) as Task[]
const results: { code: number; stdout: string; stderr: string }[] = []
const { stdout, stderr } = process
const written = { stdout: '', stderr: '' }
const [writeOut, writeError] = [stdout.write.bind(stdout), stderr.write.bind(stderr)]

for (const { words, env } of tasks) {
  written.stdout = written.stderr = ''
  stdout.write = (chunk) => ((written.stdout += String(chunk)), true)
  stderr.write = (chunk) => ((written.stderr += String(chunk)), true)
  const code = await runCommand(words, env)
  process.exitCode = 0
  results.push({ code, ...written })
}
stdout.write = writeOut
stderr.write = writeError
stdout.write(JSON.stringify(results))
