import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { SpoolError } from '../model/errors.ts'

/** Creates the data folder at the first start, accessible only to this user: it holds everybody's mail. */
export function prepareFolder({ dataFolder }: Config): void {
  try {
    makeFolder(dataFolder)
    // Files in a folder that this user may not enter would seem to be missing.
    accessSync(dataFolder, constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `${dataFolder} cannot be created or opened by this user (${code}); check its owner and mode, and those of the folder above it.`
        : `SPOOL_DATA must be a folder; ${dataFolder} is none (${code}).`
    throw new SpoolError('bad_parameter', why, { cause: error })
  }
}

/** Creates one level at a time: below /proc, where nothing can be created, `recursive` would retry forever. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Whether the folder contains a store; an empty file does not count. */
export function hasStore({ dataFolder }: Pick<Config, 'dataFolder'>): boolean {
  return (statSync(join(dataFolder, 'spool.db'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Throws if the folder already contains a store or leftover files of one. */
export function refuseStore(config: Pick<Config, 'dataFolder'>): void {
  const left = ['spool.db', 'spool.db-wal', 'spool.db-shm'].filter((name) =>
    existsSync(join(config.dataFolder, name)),
  )
  if (left.length === 0) return
  const those = left.length === 1 ? `${left[0]} away` : `${left.join(', ')} away together`
  throw new SpoolError(
    'conflict',
    `There is a store in ${config.dataFolder} already, which is left as it is. Move ${those}, or set SPOOL_DATA to another folder.`,
  )
}

type DataFolder = Pick<Config, 'dataFolder'>
const moveMark = ({ dataFolder }: DataFolder): string => join(dataFolder, 'spool.db-moved')

/** Where the store was moved to; null if it was not. */
export function findMoved(config: DataFolder): string | null {
  return existsSync(moveMark(config)) ? readFileSync(moveMark(config), 'utf8').trim() : null
}

/** Marks the store as moved: anything written here from now on would be missing from the new one. */
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

export const secretNeeded =
  'SPOOL_SECRET must be set when SPOOL_DATABASE_URL is: all nodes need the same one. "openssl rand -hex 32" makes one.'

/** On SQLite, creates the secret at the first start, next to the store. On PostgreSQL it must be set for all nodes. */
export function loadSecret(config: Config): string {
  if (config.secret !== null) return config.secret
  if (config.databaseUrl !== null) {
    throw new SpoolError('bad_parameter', secretNeeded)
  }
  const file = secretFile(config)
  if (!existsSync(file)) {
    // A new one could not decrypt what the old one encrypted. Checked twice: the secret is created before the store.
    if (existsSync(join(config.dataFolder, 'spool.db')) && !existsSync(file)) {
      // "spool secret forget" may have been interrupted.
      const [next] = listSecrets(config)
      if (next !== undefined) return next
      throw new SpoolError('bad_parameter', describeAbsentSecret(config))
    }
    placeSecret(file, randomBytes(32).toString('hex'))
  }
  const secret = readFileSync(file, 'utf8').trim()
  // Anybody could make what it signs.
  if (secret === '')
    throw new SpoolError(
      'bad_parameter',
      `The file ${file} is empty: put the secret back into it, or delete it if there is no store yet.`,
    )
  return secret
}

const secretFile = ({ dataFolder }: DataFolder): string => join(dataFolder, 'secret')
/** What a rotation that is under way, or was interrupted, replaces the secret with. */
const nextSecretFile = ({ dataFolder }: DataFolder): string => join(dataFolder, 'secret.next')

export function describeAbsentSecret({ dataFolder }: DataFolder): string {
  return `There is a store in ${dataFolder} but not its secret: put the file "secret" back beside it, or set SPOOL_SECRET. If it is lost, "spool secret forget" opens the store without it.`
}

/** Null if there is none, or an empty one. */
export function readSecretFile(config: DataFolder): string | null {
  return readSecretFrom(secretFile(config))
}

function readSecretFrom(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

/** Those that a store of this folder may have: the next one, then the one in use. */
export function listSecrets(config: DataFolder): string[] {
  return [nextSecretFile(config), secretFile(config)].flatMap((file) => readSecretFrom(file) ?? [])
}

/** Before the store takes the secret: from then on nothing else may be able to open it, so it has to be on the disk. */
export function prepareSecret(config: DataFolder, secret: string): void {
  const draft = `${nextSecretFile(config)}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(draft, nextSecretFile(config))
  } finally {
    rmSync(draft, { force: true })
  }
  flushFolder(config)
}

/** After the store has taken it. Whoever opens the store does this too, in case the rotation was killed here. */
export function adoptSecret(config: DataFolder, secret: string): void {
  if (readSecretFrom(nextSecretFile(config)) !== secret) return
  try {
    renameSync(nextSecretFile(config), secretFile(config))
  } catch (error) {
    // Another process did.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  flushFolder(config)
}

function flushFolder({ dataFolder }: DataFolder): void {
  const folder = openSync(dataFolder, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Writes the secret next to a store restored from a backup, unless the environment already sets it. */
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

/** Creates the file atomically: if two processes start at once, one creates it and both read the same secret. */
function placeSecret(file: string, secret: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw Object.assign(error as Error, { path: file })
  } finally {
    rmSync(draft, { force: true })
  }
}
