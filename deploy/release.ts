/** Run by `npm version`: what is unreleased in the changelog becomes the section of the new version. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const heading = '## Unreleased\n'

export function release(changelog: string, version: string, day: string): string {
  const [before, after, ...more] = changelog.split(heading)
  if (after === undefined || more.length > 0) throw new Error('CHANGELOG.md must have "## Unreleased" once.')
  const [changes] = after.split(/^## /m)
  if (changes!.trim() === '')
    throw new Error('Nothing is unreleased: write down what changed in CHANGELOG.md.')
  return `${before}${heading}\n## ${version} (${day})\n${after}`
}

if (import.meta.main) {
  const changelog = join(import.meta.dirname, '../CHANGELOG.md')
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(changelog, release(readFileSync(changelog, 'utf8'), process.env['npm_package_version']!, day))
}
