import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDoubts, type Sent } from '../../web/src/mail/doubts.ts'

const team = [{ name: 'Ada Lindqvist', email: 'ada@shop.example' }]

function doubtsOf(given: Partial<Sent>): string[] {
  const message: Sent = {
    direction: 'inbound',
    from: { name: 'Carla Brandt', address: 'carla@brandt.example' },
    replyTo: [],
    authentication: null,
    warnings: [],
    ...given,
  }
  return findDoubts(message, team).map(({ kind, about }) => `${kind} ${about}`)
}

const checked = (spf: string | null, dkim: string | null, dmarc: string | null) =>
  doubtsOf({ authentication: { spf, dkim, dmarc } })
const from = (name: string | null, address: string) => doubtsOf({ from: { name, address } })
const repliesTo = (address: string, own = 'carla@brandt.example') =>
  doubtsOf({ from: { name: null, address: own }, replyTo: [{ name: null, address }] })

test('mail that nobody checked, or that passed, has no mark', () => {
  assert.deepEqual(doubtsOf({}), [])
  assert.deepEqual(checked('pass', 'pass', 'pass'), [])
  assert.deepEqual(checked('none', null, 'temperror'), [])
})

test('a failed check has one, unless DMARC passed all the same, as with forwarded mail', () => {
  assert.deepEqual(checked('pass', 'pass', 'fail'), ['failed DMARC'])
  assert.deepEqual(checked('fail', 'fail', null), ['failed SPF, DKIM'])
  assert.deepEqual(checked('fail', 'pass', 'pass'), [])
})

test('a sender that could not be checked is one, whatever the checks say', () => {
  for (const authentication of [null, { spf: 'pass', dkim: 'policy', dmarc: null }])
    assert.deepEqual(doubtsOf({ authentication, warnings: ['unchecked_sender'] }), ['unchecked '])
})

test("a colleague's name has one, from another address than theirs", () => {
  assert.deepEqual(from('Ada Lindqvist', 'ada@shop.example'), [])
  assert.deepEqual(from('Ada Lindqvist', 'Ada@Shop.example'), [])
  assert.deepEqual(from('Ada Lindqvist', 'ada.lindqvist@mail.example'), ['colleague Ada Lindqvist'])
  assert.deepEqual(from('LINDQVIST,  Adá', 'x@mail.example'), ['colleague Ada Lindqvist'])
  assert.deepEqual(from('Ada Berg', 'x@mail.example'), [])
})

test('a name that shows another address or domain has one', () => {
  assert.deepEqual(from('ada@shop.example', 'x@mail.example'), ['domain shop.example'])
  assert.deepEqual(from('bank.com Service', 'x@mail.example'), ['domain bank.com'])
  assert.deepEqual(from('www.bank.co.uk', 'x@mail.example'), ['domain www.bank.co.uk'])
  assert.deepEqual(from('Booking.com', 'noreply@mail.booking.com'), [])
  assert.deepEqual(from('news.booking.com', 'noreply@booking.com'), [])
  for (const name of ['Dr.Brandt', 'J.R. Smith', 'Node.js Weekly', 'St.Gallen', 'v2.0', 'a.b', null])
    assert.deepEqual(from(name, 'x@mail.example'), [], `${name}`)
})

test('a Reply-To at another domain has one', () => {
  assert.deepEqual(repliesTo('desk@brandt.example'), [])
  assert.deepEqual(repliesTo('x@reply.brandt.example'), [])
  assert.deepEqual(repliesTo('carla@elsewhere.example'), ['replyTo carla@elsewhere.example'])
})

test('our own mail has none', () => {
  assert.deepEqual(
    doubtsOf({ direction: 'outbound', authentication: { spf: 'fail', dkim: null, dmarc: null } }),
    [],
  )
})
