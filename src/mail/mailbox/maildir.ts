import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { MailItem, TooLarge } from './mail-item.ts'

const boxes = ['cur', 'new']

/** The messages of a maildir and of the folders inside it, by file name, which is nearly their order of arrival. */
export async function* readMaildir(folder: string, maxSize: number): AsyncGenerator<MailItem | TooLarge> {
  for (const box of await findBoxes(folder)) {
    for (const file of (await readdir(box)).sort()) {
      if (file.startsWith('.')) continue
      const path = join(box, file)
      const status = await stat(path).catch(() => null)
      // Another program may have moved it since the folder was listed.
      if (status === null || !status.isFile()) continue
      const name = relative(folder, path)
      if (status.size > maxSize) yield { tooLarge: true, name, size: status.size }
      else
        yield {
          raw: await readFile(path),
          seen: isSeen(file),
          receivedAt: arrival(file, status.mtimeMs),
          name,
        }
    }
  }
}

export async function isMaildir(folder: string): Promise<boolean> {
  const names = await readdir(folder)
  return boxes.every((box) => names.includes(box))
}

/** Bytes of all messages, for progress. */
export async function sizeOfMaildir(folder: string): Promise<number> {
  let size = 0
  for (const box of await findBoxes(folder)) {
    for (const file of await readdir(box)) size += (await stat(join(box, file)).catch(() => null))?.size ?? 0
  }
  return size
}

/** `cur` and `new` of the folder itself, of `.Name` (Maildir++) and of plain folders inside. */
async function findBoxes(folder: string): Promise<string[]> {
  const found: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory() || entry.name === 'tmp') continue
    const path = join(folder, entry.name)
    if (boxes.includes(entry.name)) found.push(path)
    else found.push(...(await findBoxes(path)))
  }
  return found
}

/** `1131640521.M1P2.host:2,RS`: the flags follow `2,`; some file systems replace the colon with another character. */
const isSeen = (file: string) => /[:;!]2,[A-Za-z]*S[A-Za-z]*$/.test(file)

/** The name begins with the arrival time in seconds; copying a maildir often loses the time of the file. */
function arrival(file: string, modified: number): number | null {
  const seconds = Number(/^(\d{9,10})\./.exec(file)?.[1])
  return Number.isNaN(seconds) ? Math.round(modified) : seconds * 1000
}
