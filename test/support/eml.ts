import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fixture of `test/mail`, by its name without the ending. */
export const eml = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', 'mail', `${name}.eml`))
