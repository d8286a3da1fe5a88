import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ensureParts,
  partNames,
  requirePart,
  skipWithout,
  type Machine,
  type PartName,
} from './support/parts/install.ts'

interface Bare extends Machine {
  said: string[]
  ran: string[]
}

/** Has the given parts; its apt brings the offered ones. */
function bareMachine(has: PartName[], offered: PartName[], settings: { root: boolean; ci: boolean }): Bare {
  const installed = new Set(has)
  const said: string[] = []
  const ran: string[] = []
  return {
    ...settings,
    said,
    ran,
    find: (part) => (installed.has(part) ? `/usr/bin/${part}` : null),
    say: (line) => said.push(line),
    async apt(args) {
      ran.push(args.join(' '))
      if (args[0] === 'update') return
      const part = offered.find((name) => args.some((arg) => arg.startsWith(name)))
      if (!part) throw new Error(`apt-get install failed: Unable to locate package ${args.at(-1)}`)
      installed.add(part)
    },
  }
}

test('a machine that has every part installs nothing', async () => {
  const machine = bareMachine([...partNames], [], { root: true, ci: true })
  assert.deepEqual(await ensureParts(machine), [...partNames])
  assert.deepEqual(machine.ran, [])
})

test('root installs what is missing, after one update', async () => {
  const machine = bareMachine(['postgres', 'redis', 'strace', 'faketime'], ['dovecot', 'chromium'], {
    root: true,
    ci: true,
  })
  assert.deepEqual(await ensureParts(machine), [...partNames])
  assert.deepEqual(machine.ran, [
    'update',
    'install -y --no-install-recommends dovecot-core dovecot-imapd dovecot-submissiond openssl',
    'install -y --no-install-recommends chromium-headless-shell',
  ])
  assert.equal(machine.said.length, partNames.length)
  assert.equal(machine.said[2], 'dovecot: /usr/bin/dovecot (installed now)')
})

test('a part that cannot be had is named, and the others are used', async () => {
  const machine = bareMachine(['postgres', 'redis'], ['chromium'], { root: true, ci: false })
  assert.deepEqual(await ensureParts(machine), ['postgres', 'redis', 'chromium'])
  assert.match(machine.said[2]!, /^dovecot: missing, .*Unable to locate/)
})

test('without root nothing is installed', async () => {
  const machine = bareMachine(['redis'], [...partNames], { root: false, ci: false })
  assert.deepEqual(await ensureParts(machine), ['redis'])
  assert.deepEqual(machine.ran, [])
  assert.match(machine.said[0]!, /^postgres: missing, .*apt-get install postgresql/)
})

test('the long run installs more', async () => {
  const machine = bareMachine([...partNames], ['nginx'], { root: true, ci: false })
  assert.deepEqual(await ensureParts(machine, [...partNames, 'nginx', 'caddy']), [...partNames, 'nginx'])
  assert.match(machine.said.at(-1)!, /^caddy: missing, .*Unable to locate/)
})

test('in CI a missing part is a failure', async () => {
  for (const root of [true, false])
    await assert.rejects(
      ensureParts(bareMachine(['redis'], [], { root, ci: true })),
      /no test may be skipped/,
    )
})

test('a missing part skips its tests with a reason, but never in CI', (t) => {
  const listed = process.env['SPOOL_TEST_PARTS']
  t.after(() => {
    if (listed === undefined) delete process.env['SPOOL_TEST_PARTS']
    else process.env['SPOOL_TEST_PARTS'] = listed
  })
  delete process.env['SPOOL_TEST_PARTS']
  const machine = bareMachine(['redis'], [], { root: false, ci: false })
  assert.equal(skipWithout('redis', machine), false)
  assert.equal(skipWithout('dovecot', machine), 'dovecot is not installed')
  assert.equal(skipWithout('dovecot', { ...machine, ci: true }), false)
  assert.throws(() => requirePart('dovecot', machine), /apt-get install dovecot-core/)
  process.env['SPOOL_TEST_PARTS'] = ''
  assert.equal(skipWithout('redis', { ...machine, ci: true }), 'redis is not part of the fast run')
})
