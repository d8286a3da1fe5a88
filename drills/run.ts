/**
 * `npm run drill -- [part of a name …] [--short]`: breaks Spool the way machines and people do, and prints a figure
 * for each drill. Exits by itself, with status 1 if one did not hold. Needs PostgreSQL, as the tests do.
 */
import { parseArgs } from 'node:util'
import { copies } from './copies.ts'
import { damage } from './damage.ts'
import type { Drill } from './drill.ts'
import { steadyLoad } from './load.ts'
import { outages } from './outages.ts'
import { overloaded } from './overload.ts'
import { rollingRestart } from './rolling-restart.ts'
import { signInAttack } from './sign-in-attack.ts'

const drills: Drill[] = [rollingRestart, outages, damage, overloaded, signInAttack, copies, steadyLoad]

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const wanted = drills.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (wanted.length === 0) {
  console.error(`There is no such drill; there are: ${drills.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
let failed = false
for (const { name, hold, run } of wanted) {
  const start = performance.now()
  const { held, figure } = await run(values.short ? 'short' : 'whole')
  failed ||= !held
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${held ? 'held  ' : 'FAILED'}  ${name} (${hold}): ${figure}; ${seconds} s`)
}
process.exit(failed ? 1 : 0)
