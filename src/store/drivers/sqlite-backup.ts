import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, constants, lstat, mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreDamaged, StoreUnavailable, StoreUnwritable } from '../../model/errors.ts'
import { checkFile } from './sqlite-check.ts'

/** Copies into a temporary folder and renames the copy only after checking it: a file with the final name is intact. */
export async function makeBackup(
  file: string,
  copy: (to: string) => Promise<void>,
  checkStore: () => Promise<string[]>,
): Promise<void> {
  if (await lstat(file).catch(() => null)) throw alreadyThere(file)
  // Otherwise the error would name the temporary folder.
  await access(dirname(file), constants.W_OK)
  const make = async (folder: string): Promise<void> => {
    const draft = join(folder, 'spool.db')
    await reserve(draft)
    await copy(draft)
    const [damage] = await checkFile(draft, 'whole')
    if (damage !== undefined) throw explain(file, damage, (await checkStore())[0])
    await syncFile(draft)
    // Reserve the name first, because rename would replace a file created there in the meantime.
    await reserve(file)
    await rename(draft, file)
  }
  await withFolder(`${file}.${randomBytes(4).toString('hex')}.partial`, make).catch((error: unknown) => {
    // Only the copy is written.
    if (!(error instanceof StoreUnwritable)) throw error
    throw new StoreUnavailable(
      `No backup was made, because the disk of ${file} is full, read-only or failing.`,
      { cause: error.cause },
    )
  })
}

/** Makes a folder for its owner only, and removes it at the end, also when a signal ends the process. */
export async function withFolder<Result>(
  folder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { mode: 0o700 })
  const clear = (): void => rmSync(folder, { recursive: true, force: true })
  const onSignal = (signal: NodeJS.Signals): void => {
    clear()
    for (const each of signals) process.off(each, onSignal)
    process.kill(process.pid, signal)
  }
  for (const each of signals) process.on(each, onSignal)
  try {
    return await work(folder)
  } finally {
    for (const each of signals) process.off(each, onSignal)
    clear()
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Creates it for its owner only and never overwrites a file: a copy is as private and as valuable as the store. */
async function reserve(file: string): Promise<void> {
  const target = await open(file, 'wx', 0o600)
  await target.chmod(0o600)
  await target.close()
}

async function syncFile(file: string): Promise<void> {
  const written = await open(file, 'r+')
  await written.sync()
  await written.close()
}

/** What to do depends on whether the store or only the copy is damaged. */
function explain(file: string, damage: string, damageOfStore: string | undefined): Error {
  if (damageOfStore === undefined)
    return new StoreUnavailable(
      `The copy came out damaged although the store is whole, so none is kept (${damage}). The disk of ${file} may be failing: back up to another one.`,
    )
  const { message } = new StoreDamaged(damageOfStore)
  return new StoreUnavailable(`No backup was made, because it would be damaged, too. ${message}`)
}

function alreadyThere(path: string): Error {
  return Object.assign(new Error(`${path} already exists`), { code: 'EEXIST', path })
}
