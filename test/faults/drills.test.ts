import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damage } from '../../drills/damage.ts'
import type { Drill } from '../../drills/drill.ts'
import { steadyLoad } from '../../drills/load.ts'
import { outages } from '../../drills/outages.ts'
import { rollingRestart } from '../../drills/rolling-restart.ts'
import { skipWithout } from '../support/parts/install.ts'

const skip = skipWithout('postgres') || skipWithout('redis')

// Copies that are killed on the way are in keeping-kill, overload is in shedding; more of damage is in damage, disk-full.
const rules: [string, Drill][] = [
  ['a rolling restart behind a proxy that looks at /readyz fails no request', rollingRestart],
  ['nodes, PostgreSQL and Redis die and hang: no mail is lost or doubled, and all goes on soon', outages],
  ['deleted files, disks that take no writes and wrong clocks are told, and mail goes on', damage],
  ['mixed load below what the nodes can do meets no error', steadyLoad],
]
for (const [rule, { run }] of rules)
  test(rule, { skip }, async (t) => {
    const { held, figure } = await run('short')
    t.diagnostic(figure)
    assert.ok(held, figure)
  })
