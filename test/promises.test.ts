import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { table } from './mutants/table.ts'

test('every promise names an edit that breaks it and a test that notices the edit', () => {
  const rows = readFileSync(join(import.meta.dirname, 'promises.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
    .map((line) => line.slice(2, -2).split(' | '))
  assert.ok(rows.length > 0 && rows.length <= 80)
  for (const [promise, file, rule] of rows) {
    const edit = table.find((each) => each.rule === rule)
    assert.ok(edit, `${promise} names an edit that is not in the table: ${rule}`)
    assert.ok(edit.tests.includes(file!.replaceAll('`', '')), `${promise} names another test than its edit`)
  }
})
