import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fixture from `test/mail`, by name without extension. */
export const eml = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', 'mail', `${name}.eml`))
