import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNewByThread, mayBeHistory } from '../../src/core/forms/quoted-history.ts'
import { readRuns, readWords } from '../../src/model/mail/shingles.ts'

const carla = 'carla@brandt.example'
const earlier = (text: string, address = carla) => ({
  name: 'Carla Brandt',
  address,
  ending: text,
  runs: readRuns(readWords(text).hashes),
})
const newLines = (text: string, before: string, address: string, author = carla) => {
  const found = findNewByThread({ text, newText: text, address, earlier: [earlier(before, author)] })
  assert.ok(found === null || mayBeHistory({ text, newText: text }))
  return found === null ? null : text.split('\n').filter((line, at) => found.has(at) && line !== '')
}

const footer =
  'This message is confidential and only for the person named in it.\nIf you have received it by mistake, please tell us and delete it.'

test('a legal footer that ends a person’s mails again goes', () => {
  assert.deepEqual(newLines(`Thanks.\n\n${footer}`, `Where is it?\n\n${footer}`, carla), ['Thanks.'])
})

test('a request with a legal word in it is no footer', () => {
  const wish =
    'You still show confidential data of mine on your page. Please delete it by Friday and pay me 500 euros.'
  assert.equal(newLines(`No answer yet:\n\n${wish}`, `Hello,\n\n${wish}`, carla), null)
})

test('what a person says again in the middle or as the whole of a mail stays', () => {
  const said = 'I have been waiting for this parcel since Monday and nobody answers my calls.'
  assert.equal(newLines(`As I wrote:\n\n${said}\n\nPlease answer.`, `${said}\n\nCarla`, carla), null)
  assert.equal(newLines(said, said, 'bob@miller.example'), null)
})

test('a patch that is sent again stays', () => {
  const patch = 'diff --git a/x b/x\n+++ b/x\n@@ -1 +1 @@\n+one two three four five six seven eight nine ten'
  assert.equal(newLines(`With a fix.\n\n${patch}`, `First try.\n\n${patch}`, 'bob@miller.example'), null)
})

test('the thread is asked about a patch only where quotes are marked in it, or answers may be hidden', () => {
  const patch = 'diff --git a/x b/x\n+++ b/x\n@@ -1 +1 @@\n+one two three'
  const asks = (newText: string, hidden = '') => mayBeHistory({ text: newText + hidden, newText })
  assert.equal(asks(`With a fix.\n\n${patch}`), false)
  assert.equal(asks(`With a fix.\n\n${patch}`, '\n> It fails.\n> It does.\n> Always.\n-- \nBob'), false)
  assert.equal(asks(`CB> It fails.\n\nWith a fix.\n\n${patch}`), true)
  assert.equal(asks(`With a fix.\n\n${patch}`, '\nIt fails.\nDoes it?\nIt does.'), true)
  assert.equal(asks('With a fix.'), true)
})

test('what was answered inside hidden history comes back, in a mail with a patch too', () => {
  const asked = 'Which of the two should be first?\nAnd may the second one be left out?'
  const newText = 'See below.\n\ndiff --git a/x b/x\n+one two three'
  for (const answer of ['The left one, I think.', '👍', '→ left', '左边']) {
    const text = `${newText}\n\n${asked.replace('\n', `\n${answer}\n`)}`
    const question = { text, newText, address: 'bob@miller.example', earlier: [earlier(asked)] }
    assert.ok(mayBeHistory(question), answer)
    const found = findNewByThread(question)
    assert.deepEqual(
      text.split('\n').filter((line, at) => found?.has(at) && line !== ''),
      [...newText.split('\n').filter((line) => line !== ''), answer],
    )
  }
})

test('a passage of another person goes at the end, and where it is marked in any way', () => {
  const said = 'Where is the parcel that you sent to me on Monday?'
  assert.deepEqual(newLines(`It left.\n\n${said}`, said, 'bob@miller.example'), ['It left.'])
  // Blank lines inside an introduction do not end it.
  const introduced = `It left.\n\nCarla Brandt\n\n3/11 9.00 psk:\n\n${said}`
  assert.deepEqual(newLines(introduced, said, 'bob@miller.example'), ['It left.'])
  assert.deepEqual(newLines(`CB> ${said}\n\nIt left.`, said, 'bob@miller.example'), ['It left.'])
  assert.deepEqual(newLines(`| ${said}\n\nIt left.`, said, 'bob@miller.example'), ['It left.'])
})

const bob = 'bob@miller.example'
const where = 'Where is the parcel that you sent to me on Monday?'
const change = 'I would also like to change my address before it comes.'
/** What is new in a mail of Bob whose part below `See below.` was left out. */
const answersIn = (below: string, before = `${where}\n${change}\n\nRegards\nCarla`) => {
  const text = `See below.\n\n${below}`
  const found = findNewByThread({ text, newText: 'See below.', address: bob, earlier: [earlier(before)] })
  return found === null ? null : text.split('\n').filter((line, at) => found.has(at) && line !== '')
}

test('one line out of a longer message of somebody else is a choice or a confirmation', () => {
  const offer =
    'We are sorry that the lamp broke. You can choose one of these:\nOption A: refund to your bank account within ten days\nOption B: a new lamp of the same kind\nTo end the contract, reply with: I hereby cancel contract 4711 with effect from today.'
  for (const choice of [
    'Option A: refund to your bank account within ten days',
    'I hereby cancel contract 4711 with effect from today.',
  ])
    assert.equal(newLines(`Hello,\n\n${choice}`, offer, 'bob@miller.example'), null)
  assert.deepEqual(newLines(`Hello,\n\n${offer}`, offer, 'bob@miller.example'), ['Hello,'])
})

test('a header between two hidden known lines is no answer', () => {
  for (const header of [
    'From: Carla Brandt <carla@brandt.example>',
    'Sent: Tuesday, 3 November 2026 10:42',
    'Z: Carla\nKu: 3. 11. 10:42',
    'Am 03.11.26 um 10:42 schrieb Carla:',
  ])
    assert.equal(answersIn(`${where}\n${header}\n${change}`), null, header)
})

test('an answer with a name, a time or an address in it is one', () => {
  for (const answer of ['Bob: it left at 10:42.', 'Answer: ask depot@dhl.example'])
    assert.deepEqual(answersIn(`${where}\n${answer}\n${change}`), ['See below.', answer])
})

test('the answer to the last question stays too', () => {
  const [one, other] = ['It left on Monday.', 'Sure, which one?']
  const regards = 'Regards\nCarla'
  const header = 'From: Dora <dora@x.example>\nSent: Monday\n\nHello'
  assert.deepEqual(answersIn(`${where}\n${one}\n${change}\n${other}\n\n${regards}`), [
    'See below.',
    one,
    other,
  ])
  assert.deepEqual(answersIn(`${where}\n${change}\n${other}\n\n${regards}\nHarbour Street 7`), [
    'See below.',
    other,
  ])
  for (const end of ['', `\n\n${header}`, '\n> Older words.', '\n__________\nHello'])
    assert.deepEqual(answersIn(`${where}\n${one}\n${change}\n${other}${end}`, `${where}\n${change}`), [
      'See below.',
      one,
      other,
    ])
  // Who answers nowhere else has left the other person's signature there.
  assert.equal(
    answersIn(`${where}\n${change}\n\nCarla Brandt\nHarbour Street 7`, `${where}\n${change}`),
    null,
  )
})

test('a sentence that names the author is no introduction of a quote', () => {
  const dear = 'Dear Carla Brandt, your order 4711 left with DHL, number 12345. You asked:'
  const dated = 'Carla Brandt has had it since 3.11.2026, she says. She asked:'
  for (const own of [dear, dated])
    assert.equal(newLines(`${own}\n\n${where}\n\nIt is in Hamburg.`, where, bob), null)
  const said = 'Carla Brandt, 3.11.2026 10:42:'
  assert.deepEqual(newLines(`${said}\n\n${where}\n\nIt is in Hamburg.`, where, bob), ['It is in Hamburg.'])
})

test('words of another person that are written again above their quote stay', () => {
  const yes = 'Yes, please cancel my subscription and refund the last payment.'
  const before = `Please answer with this sentence:\n${yes}\nCarla`
  const newText = `Hello Carla,\n\n${yes}`
  const text = `${newText}\n\nOn 3 Nov 2026, at 09:00, Carla wrote:\n> ${before.replaceAll('\n', '\n> ')}`
  assert.equal(findNewByThread({ text, newText, address: bob, earlier: [earlier(before)] }), null)
})

test('a request that ends two mails of a person stays, a card of theirs goes', () => {
  const wish = `${where} ${change}`
  assert.equal(newLines(`No answer yet.\n\n${wish}`, `Hello,\n${wish}`, carla), null)
  const card = 'Best regards\nCarla Brandt\nBrandt Shipping Ltd\nHarbour Street 7, Hamburg\nTel. 040 5550100'
  assert.deepEqual(newLines(`It came.\n\n${card}`, `Where is it?\n\n${card}`, carla), ['It came.'])
})
