import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreDamaged, StoreUnavailable } from '../../model/errors.ts'
import { checkFile } from './sqlite-check.ts'

/**
 * Makes the copy in a folder of its own and gives it its name only when it was found whole: what has that name is good.
 */
export async function makeBackup(
  file: string,
  copy: (to: string) => Promise<void>,
  checkStore: () => Promise<string[]>,
): Promise<void> {
  if (await lstat(file).catch(() => null)) throw alreadyThere(file)
  const folder = `${file}.${randomBytes(4).toString('hex')}.partial`
  const draft = join(folder, 'spool.db')
  try {
    await mkdir(folder, { mode: 0o700 })
    await reserve(draft)
    await copy(draft)
    const [damage] = await checkFile(draft, 'whole')
    if (damage !== undefined) throw explain(file, damage, (await checkStore())[0])
    await syncFile(draft)
    // Taken first, because a renamed file would replace whatever has come there meanwhile.
    await reserve(file)
    await rename(draft, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** For its owner only, and never over another: a copy is as private as the store, and as dear. */
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

/** Which of the two is damaged decides what is to be done. */
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
