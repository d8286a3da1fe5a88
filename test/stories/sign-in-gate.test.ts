import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { PasswordGate, type Standing } from '../../src/core/access/password-gate.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { SpoolError } from '../../src/model/errors.ts'
import { databases } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'
import { askWeb, openWeb, password, signInAs, type WebAnswer } from '../support/web-client.ts'

/** What may be derived at once, and what may wait. */
const [mostAtOnce, mostWaiting] = [2, 16]

/** A gate whose derivations end when the test says so. */
function openGate() {
  const gate = new PasswordGate()
  const begun: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    refused,
    async come(standing: Standing, name: string): Promise<void> {
      const derive = (): Promise<void> => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        return promise
      }
      void gate.run(standing, derive).catch((error: unknown) => {
        assert.ok(error instanceof SpoolError && error.code === 'rate_limited')
        assert.equal(error.details?.['retryAfter'], 2)
        refused.push(name)
      })
      await turn()
    },
    async end(name: string): Promise<void> {
      ends.get(name)!()
      await turn()
    },
  }
}

test('two passwords are derived at once, a few wait in order, and the next is refused', async () => {
  const gate = openGate()
  for (let n = 1; n <= mostAtOnce + mostWaiting + 1; n++) await gate.come('stranger', `${n}`)
  assert.deepEqual([gate.begun, gate.refused], [['1', '2'], ['19']])
  await gate.end('2')
  assert.deepEqual(gate.begun, ['1', '2', '3'])
  await gate.come('stranger', 'later')
  assert.deepEqual(gate.refused, ['19'], 'there is room for one again')
  for (const name of gate.begun) await gate.end(name)
  assert.deepEqual(gate.begun.slice(-1), ['later'])
})

test('who is known goes before all strangers, and takes the place of one if the queue is full', async () => {
  const gate = openGate()
  for (let n = 1; n <= mostAtOnce + mostWaiting; n++) await gate.come('stranger', `${n}`)
  await gate.come('known', 'Ada')
  await gate.come('known', 'Tom')
  assert.deepEqual(gate.refused, ['18', '17'], 'who came last')
  await gate.end('1')
  await gate.end('2')
  assert.deepEqual(gate.begun, ['1', '2', 'Ada', 'Tom'])
  await gate.end('Ada')
  assert.deepEqual(gate.begun.at(-1), '3')
})

test('people cannot fill the queue without limit either', async () => {
  const gate = openGate()
  for (let n = 1; n <= mostAtOnce + mostWaiting + 1; n++) await gate.come('known', `${n}`)
  await gate.come('stranger', 'somebody')
  assert.deepEqual(gate.refused, ['19', 'somebody'])
})

test('a derivation that fails leaves its place', async () => {
  const gate = new PasswordGate()
  for (let n = 0; n < mostAtOnce; n++)
    await assert.rejects(
      gate.run('known', () => Promise.reject(new Error('no memory'))),
      /no memory/,
    )
  assert.equal(await gate.run('stranger', async () => 'derived'), 'derived')
})

for (const database of databases)
  test(`${database}: through strangers' attempts the team signs in, joins and changes passwords`, async () => {
    await using spool = await startSpool(database, { SPOOL_TRUST_PROXY: '1' })
    const { url } = spool
    const user = await spool.makeUser('max@shop.example', 'member', [spool.inbox])
    await changeUser(spool.spool, user.email, { password })
    const before = await askWeb(url, 'POST', '/session', { email: user.email, password })
    const cookie = before.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const admin = await signInAs(spool, spool.ada)
    const invited = await admin.do<{ url: string }>('POST', '/invitations', {
      email: 'tom@shop.example',
      name: 'Tom',
      role: 'member',
      inboxes: [],
    })

    const guess = (n: number): Promise<WebAnswer> => {
      const tried = { email: `somebody${n}@shop.example`, password: 'not the right one' }
      return askWeb(url, 'POST', '/session', tried, { 'x-forwarded-for': `198.51.100.${n}` })
    }
    const attack = Array.from({ length: 60 }, (_, n) => guess(n))
    const token = invited.url.split('#')[1]!
    const joined = { token, name: null, password: 'another long one' }
    const wanted = { current: password, new: 'quite another one', keep: { tokens: [], webhooks: [] } }
    const [again, joining] = await Promise.all([
      askWeb(url, 'POST', '/session', { email: user.email, password }, { cookie }),
      askWeb(url, 'POST', '/invitations/accept', joined),
    ])
    const changed = await askWeb(url, 'POST', '/password', wanted, { cookie })
    assert.deepEqual([again.status, joining.status, changed.status], [200, 200, 200])
    const answers = await Promise.all(attack)
    const refusal = answers.find(({ status }) => status === 429)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401, 429]))
    assert.equal(refusal!.headers.get('retry-after'), '2')
    assert.match(refusal!.json<{ message: string }>().message, /^Too many people are signing in/)
    await openWeb(url, user.email, wanted.new)
  })
