import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { withoutMark, type MailItem, type TooLarge } from './mail-item.ts'

/** Every `.eml` file in a folder and the folders inside it, by name. */
export async function* readEmlFolder(folder: string, maxSize: number): AsyncGenerator<MailItem | TooLarge> {
  for (const name of await findEmlFiles(folder)) yield await readEmlFile(join(folder, name), maxSize, name)
}

export async function readEmlFile(
  path: string,
  maxSize: number,
  name = basename(path),
): Promise<MailItem | TooLarge> {
  const { size } = await stat(path)
  if (size > maxSize) return { tooLarge: true, name, size }
  // The time of such a file is when it was saved or copied, which says nothing about the mail.
  return { raw: withoutMark(await readFile(path)), seen: false, receivedAt: null, name }
}

/** Null if the folder has files, but no mail. */
export async function sizeOfEmlFolder(folder: string): Promise<number | null> {
  let size = 0
  const names = await findEmlFiles(folder)
  for (const name of names) size += (await stat(join(folder, name))).size
  return names.length === 0 && (await readdir(folder)).length > 0 ? null : size
}

async function findEmlFiles(folder: string): Promise<string[]> {
  // With their types, links to folders are not followed: one may lead back to where it is.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  const found = await Promise.all(
    names
      .filter((name) => /\.eml$/i.test(name))
      .map(async (name) => ({ name, isFile: await isFile(join(folder, name)) })),
  )
  return found.flatMap(({ name, isFile }) => (isFile ? [name] : [])).sort()
}

/** A folder or a broken link can have such a name too. */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
