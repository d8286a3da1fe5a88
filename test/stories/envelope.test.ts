import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  forwardSubject,
  replyEnvelope,
  replySubject,
  type Answerable,
} from '../../src/core/drafts/envelope.ts'
import { checkRecipients } from '../../src/core/drafts/mail-fields.ts'
import { findNotices } from '../../src/core/drafts/recipient-notices.ts'

const own = 'support@shop.example'
const at = (...addresses: string[]) => addresses.map((address) => ({ name: null, address }))
const mail = (parts: Partial<Answerable>): Answerable => ({
  direction: 'inbound',
  from: { name: 'Carla', address: 'carla@brandt.example' },
  replyTo: [],
  to: at(own),
  cc: [],
  subject: 'Hello',
  ...parts,
})
const reply = (parts: Partial<Answerable>): [to: string[], cc: string[]] => {
  const { to, cc } = replyEnvelope(mail(parts), [own])
  return [to.map(({ address }) => address), cc.map(({ address }) => address)]
}

test('a reply goes to all who got the message, and not to ourselves', () => {
  assert.deepEqual(reply({}), [['carla@brandt.example'], []])
  assert.deepEqual(reply({ to: at(own, 'dan@x.example'), cc: at('eve@x.example', 'SUPPORT@shop.example') }), [
    ['carla@brandt.example'],
    ['dan@x.example', 'eve@x.example'],
  ])
  assert.deepEqual(reply({ to: at('support+4711@shop.example', 'supporter@shop.example') })[1], [
    'supporter@shop.example',
  ])
  assert.deepEqual(reply({ cc: at('Carla@Brandt.example', 'dan@x.example', 'DAN@x.example') })[1], [
    'dan@x.example',
  ])
})

test('a long name is cut where a reply can still be saved', () => {
  const name = `${'x'.repeat(199)}😀😀`
  const { to } = replyEnvelope(mail({ from: { name, address: 'carla@brandt.example' } }), [own])
  assert.deepEqual(checkRecipients('to', to), to)
})

test('Reply-To comes before From, and a list keeps its address', () => {
  assert.deepEqual(reply({ replyTo: at('orders@brandt.example') }), [['orders@brandt.example'], []])
  assert.deepEqual(reply({ to: at('list@lists.example', own), replyTo: at('list@lists.example') }), [
    ['list@lists.example'],
    [],
  ])
  assert.deepEqual(reply({ to: at('list@lists.example'), cc: at(own) }), [
    ['carla@brandt.example'],
    ['list@lists.example'],
  ])
  assert.deepEqual(
    reply({ replyTo: at(own) }),
    [['carla@brandt.example'], []],
    'a Reply-To to us leads nowhere',
  )
})

test('a follow-up on own mail goes to those it went to', () => {
  const sent = {
    direction: 'outbound',
    from: at(own)[0]!,
    to: at('carla@brandt.example'),
    cc: at('dan@x.example'),
  } as const
  assert.deepEqual(reply(sent), [['carla@brandt.example'], ['dan@x.example']])
  assert.deepEqual(reply({ ...sent, direction: 'inbound' }), [['carla@brandt.example'], ['dan@x.example']])
})

test('what cannot be written to is left out', () => {
  const broken = at(
    'undisclosed-recipients:;',
    '',
    'a b@c.example',
    'x@y.example\r\nBcc: z@y.example',
    'dan@x.example',
  )
  assert.deepEqual(reply({ to: broken })[1], ['dan@x.example'])
  const { to } = replyEnvelope(
    mail({ from: { name: 'Eve\r\nBcc: z@y.example', address: 'eve@x.example' } }),
    [own],
  )
  assert.deepEqual(to, [{ name: 'Eve  Bcc: z@y.example', address: 'eve@x.example' }])
})

test('one Re:, in whatever language there were more', () => {
  for (const subject of [
    'Hello',
    'Re: Hello',
    'RE: re: Hello',
    'AW: Re[2]: SV: Hello',
    'Antw: Hello',
    'Re： Hello',
  ])
    assert.equal(replySubject(subject), 'Re: Hello', subject)
  assert.equal(replySubject('Rebate: 5 %'), 'Re: Rebate: 5 %')
  assert.equal(replySubject('Fwd: Hello'), 'Re: Fwd: Hello')
  assert.equal(replySubject('a\r\nBcc: z@y.example'), 'Re: a Bcc: z@y.example')
  assert.equal(replySubject(''), 'Re:')
  assert.equal(forwardSubject('WG: Fwd: Hello'), 'Fwd: Hello')
})

test('recipients to look at are marked', () => {
  const first = mail({})
  const people = (address: string, cc: string[] = []) =>
    mail({ from: { name: null, address }, cc: at(...cc) })
  const kinds = (address: string, messages: Answerable[], answered = messages.at(-1)!) =>
    findNotices(at(address), messages, answered).map(({ kind }) => kind)
  assert.deepEqual(kinds('carla@brandt.example', [first]), [])
  assert.deepEqual(kinds('boss@shop.example', [first]), ['new_to_thread'])
  // Mallory writes into the thread, and brings somebody along.
  const thread = [first, people('mallory@evil.example', ['friend@evil.example', 'carla@brandt.example'])]
  assert.deepEqual(kinds('mallory@evil.example', thread), ['brought_by_newcomer'])
  assert.deepEqual(kinds('friend@evil.example', thread), ['brought_by_newcomer'])
  assert.deepEqual(kinds('carla@brandt.example', thread), [])
  // Somebody known brings a colleague: that is how it goes.
  assert.deepEqual(
    kinds('dan@brandt.example', [first, people('carla@brandt.example', ['dan@brandt.example'])]),
    [],
  )
  const elsewhere = mail({ replyTo: at('elsewhere@brandt.example') })
  assert.deepEqual(kinds('elsewhere@brandt.example', [elsewhere]), ['reply_to_differs'])
  assert.deepEqual(kinds('carla@brandt.example', [mail({ replyTo: at('carla@brandt.example') })]), [])
})
