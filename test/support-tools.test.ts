import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const home = resolve(import.meta.dirname, '..')

/** A word of a script, or types for the compiler. */
const commands = /^(oxfmt|oxlint|typescript|@types\/.*|@fontsource-variable\/.*)$/

test('a package that only one test needs has a lockfile beside that test: npm ci does not bring it', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const sources = globSync('{src,test,bench,web,examples,clients}/**/*.{ts,tsx,css}', {
    cwd: home,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
  const lonely = Object.keys(devDependencies).filter((name) => {
    const users = sources.filter(
      ({ path, text }) =>
        path !== 'test/support-tools.test.ts' && new RegExp(`['"/]${name}(?:/[^'"]*)?['"]`).test(text),
    )
    return users.length < 2 && !users.some(({ path }) => !path.endsWith('.test.ts')) && !commands.test(name)
  })
  assert.deepEqual(lonely, [])
})

test('a lockfile of tools names no place of download, and every version exactly', () => {
  const folders = globSync('test/**/tools/package.json', { cwd: home, exclude: ['**/node_modules/**'] })
  assert.ok(folders.length > 0)
  for (const file of folders) {
    const { dependencies } = JSON.parse(readFileSync(join(home, file), 'utf8')) as {
      dependencies: Record<string, string>
    }
    for (const [name, version] of Object.entries(dependencies)) assert.match(version, /^\d/, name)
    const lock = readFileSync(join(home, file, '../package-lock.json'), 'utf8')
    assert.doesNotMatch(lock, /"resolved"/)
  }
})
