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

/** Prompts on a terminal, without echo. */
export async function promptSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new SpoolError(
      'bad_parameter',
      'A password is needed: write it to standard input and add --credentials-stdin.',
    )
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
