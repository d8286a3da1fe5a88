import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SPOOL_CORPORA'] ?? ''

/** Options for a test that needs real mail: skipped, and said so, where there is none. */
export const needsCorpora = folder === '' || !existsSync(folder) ? { skip: 'SPOOL_CORPORA is not set' } : {}

export const corpora = (...names: string[]) => join(folder, ...names)

export const isLongRun = process.env['SPOOL_TEST_LONG'] === '1'
