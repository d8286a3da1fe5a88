import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadFacts } from '../../src/core/drafts/unsupported.ts'

const thread = `Hello, order RX-4711 of 3 November 2026 cost 1.299,00 € and shipping $5.50.
Call +49 30 1234567 or see https://www.shop.example/orders/4711?tab=2 (we open at 9:30).
The part number is 00815, weight 12.5 kg, due 14.12. and again on 2027-01-31. Write to help@brandt.example.`

function missing(text: string): string[] {
  const facts = new ThreadFacts()
  facts.addText(thread)
  facts.addAddress('carla@brandt.example')
  facts.addLinks([{ text: 'here', href: 'https://track.example/x?a=1&b=2' }])
  return facts.missingFrom(text).map(({ kind, text: words, start, end }) => {
    assert.equal(text.slice(start, end), words)
    return `${kind} ${words}`
  })
}

const supported = [
  'Your order RX-4711 and rx-4711',
  'It cost EUR 1,299 or 1299 € or €1299.00',
  'the number 1299',
  '5,50 $ for shipping, USD 5.5',
  '3 Nov 2026, November 3rd, 2026-11-03, 3.11.2026, 11/03/2026 and 03/11/2026, on 3 November',
  'December 14, 2026 and 14.12.2026, as the thread names no year',
  '31 January 2027, 31.1.27',
  'Call +49301234567 or +49 (30) 123-4567',
  'https://shop.example/orders/4711?tab=2. And (http://www.shop.example/orders/4711?tab=2)!',
  'see https://track.example/x?a=1&b=2',
  'carla@brandt.example, HELP@brandt.example',
  'from 09:30, 12.5 kg or 12,5kg',
  '1. first\n2) second\n3. third',
  '１２９９ and ١٢٩٩, carla＠brandt．example',
  '请看 https://shop.example/orders/4711?tab=2。 谢谢。',
]

const unsupported: [text: string, found: string[]][] = [
  ['order RX-4712', ['number RX-4712']],
  ['order 4712', ['number 4712']],
  ['It is 1299 $', ['amount 1299 $']],
  ['€ 12.99', ['amount € 12.99']],
  ['on 4 November 2026', ['date 4 November 2026']],
  ['on 3 November 2027', ['date 3 November 2027']],
  ['It leaves on 18 November. On 19 Nov. 2026 it is there.', ['date 18 November', 'date 19 Nov. 2026']],
  ['within 5 days', ['number 5']],
  ['at 10:30', ['number 10:30']],
  ['see https://shop.example/orders/4712', ['link https://shop.example/orders/4712']],
  ['see evil.example/pay', ['link evil.example/pay']],
  [
    'https://shop.example.evil.example/orders/4711?tab=2',
    ['link https://shop.example.evil.example/orders/4711?tab=2'],
  ],
  ['write to refunds@evil.example today', ['address refunds@evil.example']],
  ['Call +49 30 7654321', ['number +49 30 7654321']],
  ['part number 815', ['number 815']],
  ['９９９ EUR or ٩٩٩ or ९९९', ['amount ９９９ EUR', 'number ٩٩٩', 'number ९९९']],
  ['𝟗𝟗𝟗 EUR, then x＠evil．example', ['amount 𝟗𝟗𝟗 EUR', 'address x＠evil．example']],
  ['evil．example/pay', ['link evil．example/pay']],
  ['evil。example/pay, evil｡example', ['link evil。example/pay', 'link evil｡example']],
]

test('what the thread says may be said in another form', () => {
  for (const text of supported) assert.deepEqual(missing(text), [], text)
})

test('what stands nowhere in the thread is listed with its place', () => {
  for (const [text, found] of unsupported) assert.deepEqual(missing(text), found, text)
})

test('no text takes longer than its length allows', () => {
  const pieces = [
    '1.',
    '1 ',
    '1',
    'a',
    'a1',
    '12:',
    'a1-',
    '(1',
    'x@',
    'a.',
    'www.',
    '€1',
    '€',
    '31.12.',
    'January ',
    '1 111 ',
    ' ',
    '-',
    '/',
  ]
  for (const piece of pieces) {
    const time = (length: number): number => {
      const text = piece.repeat(length / piece.length)
      const start = process.threadCpuUsage()
      missing(text)
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }
    time(10_000)
    assert.ok(time(100_000) < 3_000, `${JSON.stringify(piece)}: ${time(100_000)} ms`)
  }
})
