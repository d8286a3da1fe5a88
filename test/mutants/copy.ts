import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { scratchFolder } from '../support/parts/scratch.ts'

export const home = resolve(import.meta.dirname, '../..')

const leftOut = new Set(['node_modules', '.git', 'data', 'bench/stores'])

/** A copy of the tree to make edits in, one at a time. */
export class Copy {
  readonly root = scratchFolder('tree')
  #edited: { path: string; text: string } | null = null

  constructor() {
    cpSync(home, this.root, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !leftOut.has(relative(home, path)),
    })
    symlinkSync(join(home, 'node_modules'), join(this.root, 'node_modules'))
  }

  edit(file: string, text: string): void {
    this.restore()
    const path = join(this.root, file)
    this.#edited = { path, text: readFileSync(path, 'utf8') }
    writeFileSync(path, text)
  }

  restore(): void {
    if (this.#edited) writeFileSync(this.#edited.path, this.#edited.text)
    this.#edited = null
  }
}

/** Each copy takes the next item when it is done with one. */
export async function eachOf<Item>(
  copies: readonly Copy[],
  items: readonly Item[],
  signal: AbortSignal,
  work: (copy: Copy, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = left.shift(); item !== undefined && !signal.aborted; item = left.shift())
        await work(copy, item)
    }),
  )
}
