import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayAnswerInQuote, QuotedAnswers } from '../../src/core/forms/quoted-answers.ts'
import { parseMail } from '../../src/mail/parse.ts'

const where = 'Where is the parcel that you sent to me on Monday?'
const change = 'I would also like to change my address before it comes.'
const when = 'When will it come?'
const asked = `Hello Bob,\n\n${where}\n\n${change}\n\n${when}\n\nRegards\nCarla`

/** Lines of a reply that are answers in its quote; `texts` are the full texts of the thread. */
function answersIn(body: string, before = asked, texts = [before]): string[] {
  const html = body.startsWith('<')
  const type = `Content-Type: text/${html ? 'html' : 'plain'}; charset=utf-8`
  const {
    text,
    newText,
    html: stored,
  } = parseMail(Buffer.from(`Subject: Re: Parcel\nIn-Reply-To: <q@x>\n${type}\n\n${body}`))
  const answers = new QuotedAnswers({ text, newText })
  answers.compare(before)
  const found = answers.areNone ? null : answers.newLines(texts)
  assert.ok(found === null || mayAnswerInQuote({ text, newText, html: stored }))
  const kept = newText.split('\n')
  return text.split('\n').filter((line, at) => found?.has(at) && line !== '' && !kept.includes(line))
}

const wrote = 'On Tue, 3 Nov 2026 at 09:00, Carla Brandt <carla@brandt.example> wrote:'
const quoted = (lines: string) =>
  `See below.\n\n${wrote}\n${lines.replaceAll(/^(?=.)/gm, '> ').replaceAll(/^$/gm, '>')}`
const withAnswers = (text: string) =>
  text.replace(where, `${where}\nIt left today.`).replace(when, `${when}\n\nOn Friday.\nOr Saturday.`)
const answers = ['> It left today.', '> On Friday.', '> Or Saturday.']

test('answers typed inside a marked quote are found', () => {
  assert.deepEqual(answersIn(quoted(withAnswers(asked))), answers)
  assert.deepEqual(answersIn(quoted(asked)), [])
})

test('in HTML of any program too, and on the line of the question', () => {
  const divs = (text: string) =>
    text.replaceAll(/^(.+)$/gm, '<div>$1</div>').replaceAll(/^$/gm, '<div><br></div>')
  const gmail = (inner: string) =>
    `<div dir="ltr">See below.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${wrote.replace('<', '&lt;')}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid;padding-left:1ex"><div dir="ltr">${inner}</div></blockquote></div>`
  const apple = (inner: string) =>
    `<div>See below.</div><div><br><blockquote type="cite"><div>On 3 Nov 2026, at 09:00, Carla Brandt wrote:</div><br><div>${inner}</div></blockquote></div>`
  const yahoo = (inner: string) =>
    `<div>See below.</div><div class="yahoo_quoted"><div>${wrote.replace('<', '&lt;')}</div><blockquote>${inner}</blockquote></div>`
  for (const program of [gmail, apple, yahoo]) {
    assert.deepEqual(answersIn(program(divs(withAnswers(asked)))), answers)
    const behind = divs(asked).replace(where, `${where} <b>It left today.</b>`)
    assert.deepEqual(answersIn(program(behind)), [`> ${where} It left today.`])
    assert.deepEqual(answersIn(program(divs(asked.replace('sent to me', 'sent&nbsp;to  me')))), [])
    assert.deepEqual(
      answersIn(program(divs(asked.replace(`\n\n${change}`, '<br><img src="x.png" alt="Our new shop">')))),
      [],
    )
  }
})

test('a form that is filled in inside the quote is an answer', () => {
  const form = `Please tell us more about what you have ordered:\nName:\nOrder number:\nE-mail:\nThank you!`
  const filled = form
    .replace('Name:', 'Name: Bob Miller')
    .replace('ber:', 'ber: 4711')
    .replace('mail:', 'mail: bob@miller.example')
  assert.deepEqual(answersIn(quoted(filled), form), [
    '> Name: Bob Miller',
    '> Order number: 4711',
    '> E-mail: bob@miller.example',
  ])
})

test('line breaks and deleted lines of the quote do not matter', () => {
  const wrapped = `Hello Bob, ${where} ${change}`.replaceAll(/(.{30}\S*) /g, '$1\n')
  assert.deepEqual(answersIn(quoted(`${wrapped}\nSure.\n${when}\nRegards`)), ['> Sure.'])
  assert.deepEqual(answersIn(quoted(wrapped)), [])
  const trimmed = `${where}\nIt left today.\n\n${when}\n\nRegards\nCarla`
  assert.deepEqual(answersIn(quoted(trimmed)), ['> It left today.'])
  assert.deepEqual(answersIn(quoted(trimmed.replace('It left today.', '[snip]'))), [])
  assert.deepEqual(answersIn(quoted(trimmed.replace('It left today.\n', ''))), [])
})

test('words of a quote that stand elsewhere in the thread are no answer', () => {
  const said = 'The depot in Hamburg has had it since Tuesday.'
  const mixed = asked.replace(where, `${where}\n${said}`)
  assert.deepEqual(answersIn(quoted(mixed)), [`> ${said}`])
  assert.deepEqual(answersIn(quoted(mixed), asked, [asked, `> ${said}`]), [])
  // The new text of the message lacks what its full text has there.
  assert.deepEqual(answersIn(quoted(withAnswers(asked)), asked, [withAnswers(asked)]), [])
})

test('a quote of a mail that is not in the thread stays history', () => {
  const other =
    'Dear all,\n\nthe shop is closed on Friday and on Monday.\n\nPlease tell all customers.\n\nDora'
  assert.deepEqual(answersIn(quoted(other)), [])
  assert.deepEqual(answersIn(quoted(`${other}\n\n${asked}`)), [])
  assert.deepEqual(answersIn(quoted(`${asked}\n\n${other}`)), [])
  // Between the author's own lines, another mail may be quoted.
  assert.deepEqual(
    answersIn(`${quoted(where)}\n\nDora says:\n> It left today.\n\nRight?\n\n> ${change}\n> ${when}\n`),
    [],
  )
})

test('what others answered inside a quote in the quote stays history', () => {
  assert.deepEqual(
    answersIn(quoted(`Thanks.\n\n${wrote}\n${withAnswers(asked).replaceAll(/^/gm, '> ')}`)),
    [],
  )
})

test('what programs and gateways change in a quote is no answer', () => {
  const link = `${where}\nhttps://shop.example/track/4711\n${change}\nSee https://shop.example/help for more.\n${when}`
  for (const [from, to] of [
    [
      'https://shop.example/track/4711',
      'https://safe.gateway.example/?url=https%3A%2F%2Fshop.example%2Ftrack%2F4711&data=x',
    ],
    ['https://shop.example/track/4711', 'https://shop.example/track/4711\n<https://shop.example/track/4711>'],
    ['help for more', 'help <https://shop.example/help> for more'],
    [`\n${when}`, ` <https://shop.example/help>\n${when}`],
    [`\n${when}`, `\n[image: logo.png]\n<image001.png>\n[cid:a@b]\n${when}`],
    [where, `${where.replace('parcel', 'package')}`],
    [change, 'I also would like you to change the address before it comes.'],
    [where, `[EXTERNAL] Do not click links.\n${where}`],
    [when, `${when}\n\nThis mail was checked for viruses.\nhttps://gateway.example`],
    [
      `\n${when}`,
      `\nFrom: Carla Brandt <carla@brandt.example>\nSent: Tuesday, 3 November 2026 10:42\n${when}`,
    ],
    [`\n${when}`, `\nAm 03.11.26 um 10:42 schrieb Carla:\n${when}`],
  ] as const)
    assert.deepEqual(answersIn(quoted(link.replace(from, to)), link), [], to)
})

test('below the last line it is an answer only of somebody who has answered further up', () => {
  const open = `${where}\n${change}\n${when}`
  assert.deepEqual(answersIn(quoted(`${open}\nOn Friday.`), open), [])
  const both = `${open.replace(where, `${where}\nIt left today.`)}\nOn Friday.`
  assert.deepEqual(answersIn(quoted(both), open), ['> It left today.', '> On Friday.'])
  assert.deepEqual(answersIn(quoted(both.replace('On Friday.', `${wrote}\n> Older words.`)), open), [
    '> It left today.',
  ])
})

test('a quoted patch is left alone, and who answers in plain text without a mark', () => {
  assert.equal(
    mayAnswerInQuote({
      text: `Yes.\n${quoted(`diff --git a/x b/x\n${asked}`)}`,
      newText: 'Yes.',
      html: null,
    }),
    false,
  )
  assert.equal(mayAnswerInQuote({ text: `Yes.\n\n> One.\n> Two.`, newText: 'Yes.', html: null }), false)
  const plain = `> ${where}\n\nIt left.\n\n> ${change}\n> ${when}\n\nOn Friday.`
  assert.equal(mayAnswerInQuote({ text: plain, newText: 'It left.\n\nOn Friday.', html: null }), false)
  assert.equal(mayAnswerInQuote({ text: plain, newText: 'It left.\n\nOn Friday.', html: '<p>' }), true)
})
