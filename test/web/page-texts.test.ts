import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findPageTexts } from '../support/page-texts.ts'

test('every text of the page is in a file of texts, so that it can be translated', () => {
  const sources = globSync('web/src/**/*.{ts,tsx}').filter((path) => !/\/texts(-\w+)?\.ts$/.test(path))
  assert.ok(sources.length > 100)
  assert.deepEqual(
    sources.flatMap((path) => findPageTexts(path, readFileSync(path, 'utf8'))),
    [],
  )
})

test('a text anywhere else is found', () => {
  const planted = [
    '<p>Hello</p>',
    '<p>{done ? `Sent to ${name}` : texts.no}</p>',
    '<p>{ready && "Ready"}</p>',
    '<a aria-label="Close" class="btn quiet" />',
    "<Field label={'Name'} />",
    "tell('Could not be saved.')",
    'const said = "Not today"',
  ]
  for (const source of planted) assert.equal(findPageTexts('a.tsx', source).length, 1, source)
  const fine = [
    '<p class="one two">{texts.hello} · {name}</p>',
    "<p>{kind === 'open' ? texts.open : ask('open')}</p>",
    "import { a } from './some file.ts'",
    "go('/settings/people')",
  ]
  for (const source of fine) assert.deepEqual(findPageTexts('a.tsx', source), [], source)
})
