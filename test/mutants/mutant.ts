import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

/** An edit that breaks one rule, and the tests that must notice. */
export interface Mutant {
  /** What no longer holds. */
  rule: string
  file: string
  /** Stands exactly once in the file. */
  find: string
  put: string
  /** Each of these test files must fail. */
  tests: readonly string[]
  /** Part of the name of the tests to run in them; without it all of a file are run. */
  only?: string
}

/** The file's text with the edit made; throws where the edit has no place, more than one, or leaves no program. */
export function editText(root: string, { file, find, put }: Pick<Mutant, 'file' | 'find' | 'put'>): string {
  const text = readFileSync(join(root, file), 'utf8')
  const at = text.indexOf(find)
  if (at === -1) throw new Error(`${file} does not hold: ${find}`)
  if (text.includes(find, at + 1)) throw new Error(`${file} holds more than once: ${find}`)
  const edited = text.slice(0, at) + put + text.slice(at + find.length)
  parseAst(edited, { lang: 'ts' })
  return edited
}
