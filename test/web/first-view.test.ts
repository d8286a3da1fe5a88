import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { preparePage } from '../../src/cli/page.ts'

const folder = resolve(import.meta.dirname, '../../web/dist')

/** The scripts that run before anything is shown: those of the document, and what they import at once. */
function firstScripts(): Map<string, Buffer> {
  const scripts = new Map<string, Buffer>()
  const add = (name: string): void => {
    if (scripts.has(name)) return
    const content = readFileSync(join(folder, 'assets', name))
    scripts.set(name, content)
    for (const [, found] of content.toString().matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      add(found!)
  }
  const document = readFileSync(join(folder, 'index.html'), 'utf8')
  for (const [, name] of document.matchAll(/"\/assets\/([^"]+\.js)"/g)) add(name!)
  return scripts
}

test('the first view takes at most 60 kB of script, and what is rarely needed is no part of it', async () => {
  await preparePage()
  const scripts = firstScripts()
  const size = [...scripts.values()].reduce((sum, content) => sum + gzipSync(content).length, 0)
  assert.ok(size > 10_000, 'the scripts were found')
  assert.ok(size <= 60_000, `${size} bytes in ${[...scripts.keys()].join(', ')}`)
  const all = [...scripts.values()].join('\n')
  for (const rare of ['There is no such page in the settings', 'FlateDecode'])
    assert.ok(!all.includes(rare), rare)
})
