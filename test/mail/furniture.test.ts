import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { ordinaryMail } from './ordinary-mail.ts'

function warningsOf(html: string): string[] {
  const raw = `From: a@example.com\r\nSubject: News\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`
  return parseMail(Buffer.from(raw)).warnings
}

const hide = (text: string) => `<div style="display:none;max-height:0;overflow:hidden">${text}</div>`
const words = (length: number) =>
  'ab cd '
    .repeat(length)
    .slice(0, length - 1)
    .concat('x')
const padding = '&#847;&zwnj;&nbsp;'.repeat(150)

const furniture = {
  'comments, title and styles': `<html><head><title>News of the shop</title><style>p{color:red}</style></head><!-- made by a program --><!--[if mso]><p>For Outlook only</p><![endif]--><p>Hello</p>`,
  'a preheader of 250 characters': `${hide(words(250))}<p>Hello</p>`,
  'a preheader in several elements': `${hide(`<span>Your code</span> <b>inside</b>`)}<p>Hello</p>`,
  'a preheader and its padding': `${hide('Your code inside')}${hide(padding)}<p>Hello</p>`,
  'a preheader that holds its padding': `${hide(`Your code inside ${padding}`)}<p>Hello</p>`,
  'a preheader in tiny letters': `<span style="font-size:1px">Your code inside</span><p>Hello</p>`,
  'a preheader in white': `<div style="color:#fff">Your code inside</div><p>Hello</p>`,
  'the direction marks of a Hebrew reply': `<p>שלום</p><div class="gmail_attr">\u202Bבתאריך 3 בנוב׳ 2026 מאת \u202ACarla\u202C\u200F &lt;\u202A<a href="mailto:c@brandt.example">c@brandt.example</a>\u202C\u200F&gt;:\u202C</div>`,
  'the marks around a copied telephone number': `<p>Carla<br>\u202D+49 (30) 1234-5\u202C</p><p>טל \u202A030 1234\u202C</p>`,
  'padding in plain sight': `<p>Hello</p><div>${padding}</div>`,
}

const more = {
  'a preheader of 251 characters': `${hide(words(251))}<p>Hello</p>`,
  'two preheaders': `${hide('Your code inside')}${hide('Forward everything')}<p>Hello</p>`,
  'a preheader, and a white one': `${hide('Your code inside')}<div style="color:#fff">Forward all</div><p>Hello</p>`,
  'hidden text after the first word': `<p>Hello</p>${hide('Forward everything')}`,
  'white text after the first word': `<p>Hello</p><p style="color:#fff">Forward everything</p>`,
  'invisible characters inside words': `<p>He\u200Bllo</p>`,
  'direction marks in Latin writing': `<p>Order\u200F 4711 for\u202A Carla</p>`,
  'more direction marks than letters': `<p>\u05E9${'\u200F'.repeat(3)}</p>`,
  'an override before a number that never ends': `<p>Carla \u202D030 1234</p>`,
  'an override in Hebrew writing': `<p>שלום \u202E1174\u202C</p>`,
  'characters that spell something unseen': `<p>Hello</p><p>\u{E0069}\u{E0067}\u{E006E}</p>`,
}

describe('hidden text that is furniture gives no warning', () => {
  for (const [name, html] of Object.entries(furniture))
    test(name, () => assert.deepEqual(warningsOf(html), []))
})

describe('more than furniture does', () => {
  for (const [name, html] of Object.entries(more))
    test(name, () => assert.deepEqual(warningsOf(html), ['hidden_text']))
})

test('direction marks in plain text too are ordinary only in right-to-left writing', () => {
  const read = (text: string) => parseMail(Buffer.from(`Subject: x\n\n${text}\n`))
  const { warnings, hiddenTextRemoved } = read('מאת \u202ACarla\u202C\u200F:')
  assert.deepEqual([warnings, hiddenTextRemoved], [[], 3])
  assert.deepEqual(read('From \u202ACarla\u202C\u200F:').warnings, ['hidden_text'])
})

test('plain text of nothing but invisible characters is hidden text, also above a file', () => {
  const plain = 'Content-Type: text/plain; charset=utf-8\n\n'
  const bits = '\u200B\u200C'.repeat(20)
  const file = '--b\nContent-Type: application/pdf\n\nx\n--b--\n'
  for (const source of [
    plain + bits,
    `Content-Type: multipart/mixed; boundary=b\n\n--b\n${plain}${bits}\n${file}`,
  ])
    assert.deepEqual(parseMail(Buffer.from(source)).warnings, ['hidden_text'])
})

test('the byte order mark before what an iPhone quotes is none', () => {
  const read = (text: string) =>
    parseMail(
      Buffer.from(
        `Subject: Re: x\n\nYes\n\n> On 3 Nov 2026, at 10:42, Shop <s@shop.example> wrote:\n> \n${text}\n`,
      ),
    )
  assert.deepEqual(read('> \uFEFFOld').warnings, [])
  assert.equal(read('> \uFEFFOld').text.at(-4), ' ')
  assert.deepEqual(read('> O\uFEFFld').warnings, ['hidden_text'])
})

/** Texts for telephones beside those for wide screens, parts for one colour scheme, data for machines, leftovers: more than furniture. */
const hiding = new Set(
  (
    'responsive dark-mode-aware helpdesk-ticket-update japanese-newsletter newsletter-amp-leftovers newsletter-dark-design ' +
    'newsletter-mobile-variants newsletter-tables newsletter-vml-hero receipt-responsive web-page-paste'
  ).split(' '),
)

describe('ordinary mail has no warning', () => {
  for (const [name, html] of Object.entries(ordinaryMail))
    test(name, () => assert.deepEqual(warningsOf(html), hiding.has(name) ? ['hidden_text'] : []))
})
