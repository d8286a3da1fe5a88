import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
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
export function hasStore({ dataFolder }: Pick<Config, 'dataFolder'>): boolean {
  return (statSync(join(dataFolder, 'spool.db'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Refuses to put a store where there is one, or what is left of one. */
export function refuseStore(config: Pick<Config, 'dataFolder'>): void {
  const left = ['spool.db', 'spool.db-wal', 'spool.db-shm'].filter((name) =>
    existsSync(join(config.dataFolder, name)),
  )
  if (left.length === 0) return
  throw new SpoolError(
    'conflict',
    `There is a store in ${config.dataFolder} already, which is left as it is. Move ${left.join(', ')} away together, or set SPOOL_DATA to another folder.`,
  )
}

type DataFolder = Pick<Config, 'dataFolder'>
const moveMark = ({ dataFolder }: DataFolder): string => join(dataFolder, 'spool.db-moved')

/** Where the store was moved to; null if it was not. */
export function findMoved(config: DataFolder): string | null {
  return existsSync(moveMark(config)) ? readFileSync(moveMark(config), 'utf8').trim() : null
}

/** What is written here from now on would be missing there. */
export function markMoved(config: DataFolder, to: string): void {
  writeFileSync(moveMark(config), `${to} on ${new Date().toISOString()}\n`, { mode: 0o600, flush: true })
}

export function unmarkMoved(config: DataFolder): void {
  rmSync(moveMark(config), { force: true })
}

export function refuseMoved(config: DataFolder): void {
  const moved = findMoved(config)
  if (moved === null) return
  throw new SpoolError(
    'conflict',
    `This store was moved to ${moved}: set SPOOL_DATABASE_URL. To use the one here again, as it was then, delete ${moveMark(config)}.`,
  )
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
    placeSecret(file, randomBytes(32).toString('hex'))
  }
  return readFileSync(file, 'utf8').trim()
}

export function readSecretFile({ dataFolder }: DataFolder): string | null {
  const file = join(dataFolder, 'secret')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Beside a store that comes from a backup, unless the environment has it. */
export function keepSecret(config: Config, secret: string): void {
  if (config.secret === secret) return
  const known = config.secret ?? readSecretFile(config)
  if (known === null) placeSecret(join(config.dataFolder, 'secret'), secret)
  else if (known !== secret)
    throw new SpoolError(
      'conflict',
      config.secret === null
        ? `There is another secret in ${config.dataFolder} already: move that file away first.`
        : 'SPOOL_SECRET is another secret than that of --secret-file: unset it, or set it to the same.',
    )
}

/** Appears whole or not at all: of two processes that start at once, one makes it and both read the same. */
function placeSecret(file: string, secret: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600 })
  try {
    chmodSync(draft, 0o600)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}
