import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { release } from '../../deploy/release.ts'
import { home } from '../support/home.ts'

test('a release gives the unreleased changes a section of their own', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n\n- a thing\n\n## 0.1.0 (2026-11-01)\n\n- all\n'
  const after = release(before, '0.2.0', '2026-11-16')
  assert.equal(
    after,
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-16)\n\n### Added\n\n- a thing\n\n## 0.1.0 (2026-11-01)\n\n- all\n',
  )
  assert.throws(() => release(after, '0.2.1', '2026-11-17'), /Nothing is unreleased/)
  assert.throws(() => release('# Changelog\n', '0.2.1', '2026-11-17'), /must have "## Unreleased" once/)
})

test('the changelog can be released as it is', () => {
  const changelog = readFileSync(join(home, 'CHANGELOG.md'), 'utf8')
  assert.match(release(changelog, '9.9.9', '2026-11-16'), /^## Unreleased\n\n## 9\.9\.9 \(2026-11-16\)\n\n/m)
})
