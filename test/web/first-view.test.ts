import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { preparePage } from '../../src/cli/page.ts'

const folder = resolve(import.meta.dirname, '../../web/dist')

/** What the list itself loads a moment after it is shown. */
const soon = /^push-/

/** The scripts that every visit of the list loads: those of the document, what they import, and what comes soon. */
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
  const later = readdirSync(join(folder, 'assets')).filter((name) => soon.test(name))
  assert.equal(later.length, 1, later.join())
  later.forEach(add)
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
