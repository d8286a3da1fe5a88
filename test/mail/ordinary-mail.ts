/** Mail as people and shops send it, one file each. */

import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('ordinary/', import.meta.url)

export const ordinaryMail: Record<string, string> = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name.replace('.html', ''), readFileSync(new URL(name, folder), 'utf8')]),
)
