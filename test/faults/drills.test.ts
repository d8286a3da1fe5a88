import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollingRestart } from '../../drills/rolling-restart.ts'
import { databases } from '../support/databases.ts'

// The other drills' short forms are test files of their own: keeping-kill, damage, disk-full, postgres-outage, nodes.
if (databases.includes('postgres'))
  test('a rolling restart behind a proxy that looks at /readyz fails no request', async () => {
    const { held, figure } = await rollingRestart.run('short')
    assert.ok(held, figure)
  })
