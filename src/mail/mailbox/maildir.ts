import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { LeftOut, MailItem, TooLarge } from './mail-item.ts'

const boxes = ['cur', 'new']

/** The messages of a maildir and of the folders inside it, by file name, which is nearly their order of arrival. */
export async function* readMaildir(
  root: string,
  maxSize: number,
): AsyncGenerator<MailItem | TooLarge | LeftOut> {
  for (const folder of await findFolders(root)) {
    // `new` first: a message that is moved to `cur` in between is then in both lists, not in neither.
    const added = await listBox(join(folder, 'new'))
    const known = await listBox(join(folder, 'cur'))
    const renamed = new RenamedFiles(folder, known)
    for (const listed of [...known, ...added]) {
      let path: string | null = listed
      let message = await readMessage(root, path, maxSize)
      while (message === 'gone' && (path = await renamed.find(path)) !== null)
        message = await readMessage(root, path, maxSize)
      if (message !== 'gone') yield message
    }
  }
}

/** Gone: it is no file, or another program has renamed or deleted it since its folder was listed. */
async function readMessage(
  root: string,
  path: string,
  maxSize: number,
): Promise<MailItem | TooLarge | LeftOut | 'gone'> {
  const status = await stat(path).catch(() => null)
  if (status === null || !status.isFile()) return 'gone'
  const [name, file] = [relative(root, path), basename(path)]
  if (leftOutFolder.test(name) || hasFlag(file, 'DT')) return { leftOut: true, name, size: status.size }
  if (status.size > maxSize) return { tooLarge: true, name, size: status.size }
  const raw = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (raw === null) return 'gone'
  return { raw, seen: hasFlag(file, 'S'), receivedAt: arrival(file, status.mtimeMs), name }
}

/** Where the files of a folder are now: mail programs move them from `new` to `cur`, and rename them for new flags. */
class RenamedFiles {
  readonly #folder: string
  readonly #known: Set<string>
  #now: Map<string, string> | null = null

  /** Messages of `known` are read under their own names, so those that move there are not read again. */
  constructor(folder: string, known: readonly string[]) {
    this.#folder = folder
    this.#known = new Set(known.map(lastingName))
  }

  /** Null if the file is still there or was deleted. */
  async find(path: string): Promise<string | null> {
    const name = lastingName(path)
    if (basename(join(path, '..')) === 'new' && this.#known.has(name)) return null
    // The list is made again only if it is out of date: very many files may be deleted at once.
    if (this.#now === null || this.#now.get(name) === path) this.#now = await this.#list()
    const now = this.#now.get(name) ?? null
    return now === path ? null : now
  }

  async #list(): Promise<Map<string, string>> {
    const files = [
      ...(await listBox(join(this.#folder, 'new'))),
      ...(await listBox(join(this.#folder, 'cur'))),
    ]
    return new Map(files.map((path) => [lastingName(path), path]))
  }
}

async function listBox(box: string): Promise<string[]> {
  const files = await readdir(box).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  return files
    .filter((file) => !file.startsWith('.'))
    .sort()
    .map((file) => join(box, file))
}

export async function isMaildir(folder: string): Promise<boolean> {
  const names = await readdir(folder)
  return boxes.every((box) => names.includes(box))
}

/** Bytes of all messages, for progress. */
export async function sizeOfMaildir(root: string): Promise<number> {
  let size = 0
  for (const folder of await findFolders(root)) {
    for (const box of boxes)
      for (const path of await listBox(join(folder, box)))
        size += (await stat(path).catch(() => null))?.size ?? 0
  }
  return size
}

/** Those with `cur` or `new`: the folder itself, `.Name` (Maildir++) and plain folders inside. */
async function findFolders(folder: string): Promise<string[]> {
  const found = new Set<string>()
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory() || entry.name === 'tmp') continue
    if (boxes.includes(entry.name)) found.add(folder)
    else for (const inner of await findFolders(join(folder, entry.name))) found.add(inner)
  }
  return [...found]
}

/** A file's name without the flags. */
const lastingName = (path: string) => basename(path).replace(/[:;!]2,[^:;!]*$/, '')

/** `1131640521.M1P2.host:2,RS`: the flags follow `2,`; some file systems replace the colon with another character. */
const hasFlag = (file: string, flags: string) => new RegExp(`[:;!]2,[A-Za-z]*[${flags}][A-Za-z]*$`).test(file)

/** Folders of drafts and deleted mail, and folders inside them; not `.Projects.Drafts`. */
const leftOutFolder = /^\.?(?:INBOX[./])?(?:Drafts|Trash|Deleted (?:Items|Messages))[./]/i

/** The name begins with the arrival time in seconds; copying a maildir often loses the time of the file. */
function arrival(file: string, modified: number): number | null {
  const seconds = Number(/^(\d{9,10})\./.exec(file)?.[1])
  return Number.isNaN(seconds) ? Math.round(modified) : seconds * 1000
}
