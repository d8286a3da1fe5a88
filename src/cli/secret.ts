import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { SpoolError } from '../model/errors.ts'
import { readSecretLine } from './command.ts'

/** Standard input contains passwords and nothing else. */
export async function readSecretLines(): Promise<string[]> {
  const lines = (await readSecretLine()).split(/\r?\n/)
  if (lines.every((line) => line === ''))
    throw new SpoolError(
      'bad_parameter',
      'Standard input is empty: write the password to it, one line, as in: spool inbox … --credentials-stdin < FILE.',
    )
  return lines
}

const passwordNeeded = 'A password is needed: write it to standard input and add --credentials-stdin.'

/** Asks on a terminal before something that cannot be undone; anywhere else `--yes` is needed. */
export async function confirm(warning: string, yes: boolean): Promise<void> {
  if (yes) return
  process.stderr.write(`${warning}\n`)
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new SpoolError('bad_parameter', 'Add --yes to do this without a question.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question('Type yes to go on: ')
    if (answer.trim().toLowerCase() !== 'yes') throw new SpoolError('conflict', 'Nothing was done.')
  } finally {
    lines.close()
  }
}

/** Prompts on a terminal, without echo. */
export async function promptSecret(question: string, otherwise = passwordNeeded): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new SpoolError('bad_parameter', otherwise)
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
