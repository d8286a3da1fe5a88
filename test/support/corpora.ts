import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SPOOL_CORPORA'] ?? ''

/** Test options for tests that need real mail: skips them, with a reason, if there is none. */
export const needsCorpora = folder === '' || !existsSync(folder) ? { skip: 'SPOOL_CORPORA is not set' } : {}

export const corpora = (...names: string[]) => join(folder, ...names)

export const isLongRun = process.env['SPOOL_TEST_LONG'] === '1'
