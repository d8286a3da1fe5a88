import { mustHold as assert } from '../support/must-hold.ts'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { Guard } from '../../src/webhook/guard.ts'
import { runIsolated } from './guard/isolated.ts'
import { publicAddress } from './guard/targets.ts'

const script = resolve(import.meta.dirname, 'child/guard.ts')

interface Found {
  targets: number
  registered: string[]
  delivered: string[]
  caughtByTargets: string[]
  redirects: number[]
  answers: number[]
  caughtByRedirects: string[]
  caughtAllowed: string[]
  pinned: string[] | null
}

test('no guarded target is ever connected to', async (t) => {
  const found = await runIsolated<Found>(script)
  t.diagnostic(
    `${found.targets} targets, ${found.isolated ? 'in a namespace where every address is the canary' : 'canaries on loopback'}`,
  )
  assert.ok(found.targets >= 120)
  assert.deepEqual(found.registered, [], 'refused at registration')
  assert.deepEqual(found.delivered, [], 'refused at delivery')
  assert.deepEqual(found.caughtByTargets, [])
  assert.deepEqual(found.redirects, [301, 302, 303, 307, 308])
  assert.deepEqual(found.answers, [301, 302, 303, 307, 308], 'the answer is what counts')
  assert.deepEqual(found.caughtByRedirects, [], 'no redirect is followed')
  assert.deepEqual(found.caughtAllowed, ['127.0.0.1'], 'the canary sees what comes')
  // The second time the name means this machine, and is refused.
  if (found.isolated)
    assert.deepEqual(found.pinned, [publicAddress], 'the address checked is the address connected to')
})

test('a network that is allowed may be reached, by http too, and nothing beside it', async () => {
  const guard = new Guard({ allow: ['10.1.0.0/16', 'fd00:1::/32', '192.168.7.7'] })
  for (const good of [
    'http://10.1.2.3/x',
    'https://10.1.255.255/',
    'http://[fd00:1::5]:8080/',
    'http://192.168.7.7/',
  ])
    assert.equal(await guard.checkRegistration(good), new URL(good).href)
  for (const bad of [
    'http://10.2.0.1/',
    'https://192.168.7.8/',
    'https://[fd00:2::1]/',
    'https://127.0.0.1/',
    'http://93.184.215.14/',
  ])
    await assert.rejects(guard.checkRegistration(bad), /public/)
  assert.equal(await guard.checkRegistration('https://93.184.215.14/x#y'), 'https://93.184.215.14/x')
})
