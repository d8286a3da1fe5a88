import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { withoutMark, type MailItem, type TooLarge } from './mail-item.ts'

/** Every `.eml` file in a folder and the folders inside it, by name. */
export async function* readEmlFolder(folder: string, maxSize: number): AsyncGenerator<MailItem | TooLarge> {
  for (const name of await findEmlFiles(folder)) {
    const path = join(folder, name)
    const { size } = await stat(path)
    if (size > maxSize) yield { tooLarge: true, name, size }
    // The time of such a file is when it was saved or copied, which says nothing about the mail.
    else yield { raw: withoutMark(await readFile(path)), seen: false, receivedAt: null, name }
  }
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
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  const named = paths.filter((path) => /\.eml$/i.test(path))
  // A folder or a broken link can have such a name too.
  const found = await Promise.all(named.map((path) => stat(path).catch(() => null)))
  return named
    .filter((_, at) => found[at]?.isFile())
    .map((path) => relative(folder, path))
    .sort()
}
