import { randomBytes } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { StoreDamaged, StoreUnavailable } from '../../model/errors.ts'
import { checkFile } from './sqlite-check.ts'

/** Copies under a name of its own and gives the copy its name only when it was found whole: what has that name is good. */
export async function makeBackup(
  store: string,
  file: string,
  copy: (to: string) => Promise<void>,
): Promise<void> {
  if (await lstat(file).catch(() => null)) throw alreadyThere(file)
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`
  try {
    await reserve(draft)
    await copy(draft)
    const damage = await checkFile(draft, 'whole')
    if (damage.length > 0) throw await explain(store, file, damage[0]!)
    await syncFile(draft)
    // Taken first, because a renamed file would replace whatever has come there meanwhile.
    await reserve(file)
    await rename(draft, file)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(draft + suffix, { force: true })
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
async function explain(store: string, file: string, damage: string): Promise<Error> {
  const own = await checkFile(store, 'whole')
  if (own.length === 0)
    return new StoreUnavailable(
      `The copy came out damaged although the store is whole, so none is kept (${damage}). The disk of ${file} may be failing: back up to another one.`,
    )
  const { message } = new StoreDamaged(own[0]!)
  return new StoreUnavailable(`No backup was made, because it would be damaged, too. ${message}`)
}

function alreadyThere(path: string): Error {
  return Object.assign(new Error(`${path} already exists`), { code: 'EEXIST', path })
}
