import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { SpoolError } from '../model/errors.ts'

/** Made at the first start, for this user only: it holds everybody's mail. */
export function prepareFolder({ dataFolder }: Config): void {
  try {
    makeFolder(dataFolder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `${dataFolder} cannot be made by this user (${code}); check the owner and mode of the folder above it.`
        : `SPOOL_DATA must be a folder; ${dataFolder} is none (${code}).`
    throw new SpoolError('bad_parameter', why, { cause: error })
  }
}

/** Step by step: below /proc, where nothing can be made, `recursive` would try for ever. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Of two processes that start at once the other may have made it.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Whether there is one; the file alone, of which nothing was written, is none. */
export function hasStore({ dataFolder }: Config): boolean {
  return (statSync(join(dataFolder, 'spool.db'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** On SQLite a secret is made at the first start and kept beside the store; several nodes on PostgreSQL must be given one. */
export function loadSecret(config: Config): string {
  if (config.secret !== null) return config.secret
  if (config.databaseUrl !== null) {
    throw new SpoolError(
      'bad_parameter',
      'SPOOL_SECRET must be set when SPOOL_DATABASE_URL is: all nodes need the same one. "openssl rand -hex 32" makes one.',
    )
  }
  const file = join(config.dataFolder, 'secret')
  if (!existsSync(file)) {
    // A new one would not open what the old one closed. Whoever makes both makes the secret first.
    if (existsSync(join(config.dataFolder, 'spool.db')) && !existsSync(file)) {
      throw new SpoolError(
        'bad_parameter',
        `There is a store in ${config.dataFolder} but not its secret: put the file "secret" back beside it, or set SPOOL_SECRET.`,
      )
    }
    makeSecret(file)
  }
  return readFileSync(file, 'utf8').trim()
}

/** Appears whole or not at all: of two processes that start at once, one makes it and both read the same. */
function makeSecret(file: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  try {
    chmodSync(draft, 0o600)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}
