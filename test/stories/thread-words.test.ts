import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import type { Database, Tx } from '../../src/store/db.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { growInbox } from '../support/grown-inbox.ts'
import { writeMail, type Letter } from '../support/letter.ts'
import { ageMessages } from '../support/old-form.ts'

const start = Date.UTC(2026, 10, 3, 9)
const carla = 'Carla Brandt <carla@brandt.example>'
const bob = 'Bob Miller <bob@miller.example>'
const question = 'Where is the parcel that you sent to me on Monday?\nI would also like to change my address.'
const asked: Letter = {
  from: carla,
  subject: 'Parcel',
  date: start,
  messageId: '<q@x.example>',
  text: question,
}

/** A quote as no rule knows it: made-up words above it, and no mark. */
const strange = `Zkl 3/11 9.00 qo Carla Brandt psk:\n\n${question}`

function answer(text: string, more: Letter = {}): Letter {
  return {
    from: bob,
    subject: 'Re: Parcel',
    date: start + 3_600_000,
    messageId: '<a@x.example>',
    inReplyTo: '<q@x.example>',
    text,
    ...more,
  }
}

async function messagesOf(desk: Desk, threadId: string): Promise<MessageEntry[]> {
  const { history } = await desk.thread(threadId)
  return history.filter((entry): entry is MessageEntry => entry.type === 'message')
}

/** In the transactions until it is asked: each read is a way to a thread or to a server. */
function countReads(db: Database): () => number {
  let count = 0
  const { transaction } = db
  const counting = (tx: Tx): Tx => ({
    ...tx,
    all: (query) => (count++, tx.all(query)),
    first: (query) => (count++, tx.first(query)),
  })
  db.transaction = (work) => transaction.call(db, (tx: Tx) => work(counting(tx))) as never
  return () => {
    db.transaction = transaction
    return count
  }
}

const folded = (html: string) => [...html.matchAll(/class="[^"]*spool-fold[^"]*"/g)].length

for (const database of databases) {
  const shared = shareSpool(database)
  const newTexts = async (letters: Letter[]) => {
    const desk = await openDesk(await shared())
    let threadId = ''
    for (const letter of letters) ({ threadId } = await desk.receive(letter))
    return (await messagesOf(desk, threadId)).map(({ newText }) => newText.trim())
  }

  test(`${database}: what stands in an earlier message of the thread is history, whatever the program`, async () => {
    const [, reply] = await newTexts([asked, answer(`It left on Monday.\n\n${strange}`)])
    assert.equal(reply, 'It left on Monday.')
  })

  test(`${database}: lines without a blank line between them stay together`, async () => {
    const [, reply] = await newTexts([asked, answer(`It left on Monday.\nBob\n\n${strange}`)])
    assert.equal(reply, 'It left on Monday.\nBob')
  })

  test(`${database}: mail of the same second counts as earlier`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive(asked)
    const reply = answer(`It left on Monday.\n\n${strange}`, { date: start })
    const { threadId, messageId } = await desk.receive(reply)
    const newText = async () => (await messagesOf(desk, threadId)).find(({ id }) => id === messageId)!.newText
    assert.equal(await newText(), 'It left on Monday.')
    // And when it is parsed again.
    await ageMessages(spool.spool.db, [messageId], '')
    assert.equal(await newText(), 'It left on Monday.')
  })

  test(`${database}: line breaks and quote marks do not matter`, async () => {
    const wrapped = question.replaceAll('\n', ' ').replaceAll(/(.{20}\S*) /g, '$1\n| ')
    const [, reply] = await newTexts([
      asked,
      answer(`It left on Monday.\n\nCarla Brandt, 3/11 9.00:\n| ${wrapped}`),
    ])
    assert.equal(reply, 'It left on Monday.')
  })

  test(`${database}: a short phrase that both use stays`, async () => {
    const own = 'Thanks for your mail.\n\nI would also like to change the day.\n\nBob'
    const [, reply] = await newTexts([asked, answer(own)])
    assert.equal(reply, own)
  })

  test(`${database}: answers written into an unmarked message stay, and what they answer goes`, async () => {
    const header =
      'From: Carla Brandt <carla@brandt.example>\nSent: Tuesday, November 3, 2026 9:00 AM\nTo: Bob Miller\nSubject: Parcel\n\n'
    const [first, second] = question.split('\n')
    const text = `See below.\n\n${header}${first}\nIt left on Monday.\n${second}\n`
    const [, reply] = await newTexts([asked, answer(text)])
    assert.equal(reply, 'See below.\n\nIt left on Monday.')
  })

  test(`${database}: answers typed inside a marked quote stay, where the thread has not heard them before`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const signed = `${question}\n\n-- \nCarla Brandt\nBrandt Shipping`
    await desk.receive({ ...asked, text: signed })
    const quote = signed
      .replace('Monday?\n', 'Monday?\nIt left today.\n')
      .replace('\n\n--', '\n\nTo which one?\n\n--')
      .replaceAll(/^(.*)$/gm, '<div>$1<br></div>')
    const head = 'On Tue, 3 Nov 2026 at 09:00, Carla Brandt &lt;carla@brandt.example&gt; wrote:'
    const html = `<!doctype html><div dir="ltr">See below.</div><br><div class="gmail_quote"><div class="gmail_attr">${head}<br></div><blockquote class="gmail_quote"><div dir="ltr">${quote}</div></blockquote></div>`
    const { threadId, messageId } = await desk.receive(
      answer(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    )
    const reply = async () => (await messagesOf(desk, threadId)).find(({ id }) => id === messageId)!
    const expected = 'See below.\n\n> It left today.\n> To which one?'
    assert.equal((await reply()).newText, expected)
    const [above, below] = (await reply()).html!.split('It left today.')
    assert.match(above!, /spool-fold[^<]*>Where is the parcel/)
    assert.doesNotMatch(above!.slice(-40), /spool-fold/)
    assert.match(below!, /spool-fold[^<]*>I would also/)
    await ageMessages(spool.spool.db, [messageId], '')
    assert.equal((await reply()).newText, expected)
    // Carla quotes both of them.
    const text = (await reply()).text.replaceAll(/^/gm, '> ')
    const next = await desk.receive({
      ...answer(`Home.\n\nOn Tue, 3 Nov 2026 at 10:00, Bob Miller <bob@miller.example> wrote:\n${text}`),
      from: carla,
      date: start + 7_200_000,
      messageId: '<n@x.example>',
    })
    assert.equal((await messagesOf(desk, next.threadId)).at(-1)!.newText, 'Home.')
  })

  test(`${database}: a forward keeps what it hands on`, async () => {
    const text = `Can you take this?\n\n${strange}`
    const [, forward] = await newTexts([asked, answer(text, { subject: 'WG: Parcel' })])
    assert.equal(forward, text)
  })

  test(`${database}: a mail of nothing but old words is shown whole`, async () => {
    const [, again] = await newTexts([asked, answer(question, { from: carla })])
    assert.equal(again, question)
  })

  test(`${database}: a quote that nothing introduces goes in HTML too, and the page folds it`, async () => {
    const desk = await openDesk(await shared())
    await desk.receive(asked)
    const quote = question
      .split('\n')
      .map((line) => `<div>${line}</div>`)
      .join('')
    const html = `<!doctype html><div>It left <b>on</b> Monday.</div><blockquote type="cite">${quote}</blockquote><div>Bob</div>`
    const { threadId } = await desk.receive(
      answer(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    )
    const [, reply] = await messagesOf(desk, threadId)
    assert.equal(reply!.newText, 'It left on Monday.\n\nBob')
    assert.equal(folded(reply!.html!), 1)
    assert.match(reply!.html!, /<blockquote class="[^"]*spool-fold[^"]*">/)
    const { preview } = (await desk.threads())[0]!
    assert.equal(preview, 'It left on Monday. Bob')
  })

  test(`${database}: the thread is asked again when the earlier message arrives later`, async () => {
    const desk = await openDesk(await shared())
    await desk.receive(answer(`It left on Monday.\n\n${strange}`))
    const [before] = await desk.threads()
    assert.match((await messagesOf(desk, before!.id))[0]!.newText, /Zkl/)
    await desk.receive(asked)
    const [, reply] = await messagesOf(desk, before!.id)
    assert.equal(reply!.newText.trim(), 'It left on Monday.')
    const [thread] = await desk.threads()
    assert.equal(thread!.preview, 'It left on Monday.')
    // One more revision: that of the message that came.
    assert.equal(thread!.revision, before!.revision + 1)
  })

  test(`${database}: however many quote it, they are read together`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    // Each quotes another part of it, so that all of them are asked again.
    const parts = Array.from({ length: 12 }, (_, n) =>
      Array.from({ length: 20 }, (_, word) => `part${n}word${word}`).join(' '),
    )
    for (const [n, part] of [...parts.entries()].toReversed())
      await desk.receive(
        answer(`Answer ${n + 1}.\n\nZkl 3/11 9.00 qo Carla Brandt psk:\n\n${part}`, {
          date: start + (n + 1) * 3_600_000,
          messageId: `<a${n}@x.example>`,
        }),
      )
    const reads = countReads(spool.spool.db)
    const { threadId } = await desk.receive({ ...asked, text: parts.join('\n\n') })
    const counted = reads()
    const texts = (await messagesOf(desk, threadId)).slice(1).map(({ newText }) => newText.trim())
    const answers = Array.from({ length: 12 }, (_, n) => `Answer ${n + 1}.`)
    assert.deepEqual(texts, answers)
    assert.ok(counted < 12, `${counted} reads for one message`)
  })

  test(`${database}: and when threads are merged`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const one = await desk.receive(asked)
    const other = await desk.receive(answer(`It left on Monday.\n\n${strange}`, { inReplyTo: '' }))
    const id = await joinThreads(spool.spool, desk.actor, one.threadId, other.threadId)
    const [, reply] = await messagesOf(desk, id)
    assert.equal(reply!.newText.trim(), 'It left on Monday.')
  })

  test(`${database}: and when both happen in one batch`, async () => {
    const { spool } = await shared()
    const desk = await openDesk(await shared())
    const other: Letter = {
      from: bob,
      date: start - 3_600_000,
      messageId: '<x@x.example>',
      text: 'A parcel left.',
    }
    const both: Letter = {
      ...other,
      date: start + 60_000,
      messageId: '<b@x.example>',
      text: 'The same parcel.',
    }
    const letters = [
      other,
      answer(`It left on Monday.\n\n${strange}`),
      asked,
      { ...both, references: ['<x@x.example>', '<q@x.example>'] },
    ]
    const batch = letters.map((letter) => ({
      mail: parseMail(Buffer.from(writeMail(letter))),
      direction: 'inbound' as const,
      envelopeDate: null,
      seen: true,
      quiet: true,
    }))
    const [{ threadId } = { threadId: '' }] = await receiveMail(spool, desk.inbox, batch)
    const texts = (await messagesOf(desk, threadId)).map(({ newText }) => newText.trim())
    assert.deepEqual(texts, ['A parcel left.', question, 'The same parcel.', 'It left on Monday.'])
    const [thread, ...more] = await desk.threads()
    assert.deepEqual([thread!.preview, more.length], ['It left on Monday.', 0])
  })

  test(`${database}: a clock that is slow takes nobody's words`, async () => {
    const quoting = answer(
      `Yes.\n\nOn 3 Nov 2026, at 09:00, Carla Brandt wrote:\n> ${question.replaceAll('\n', '\n> ')}`,
      {
        date: start - 86_400_000,
      },
    )
    const texts = await newTexts([asked, quoting])
    assert.ok(texts.includes(question), texts.join('\n---\n'))
  })

  test(`${database}: a legal footer that repeats in a sender's mails is left out of the next, in any thread`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const footer =
      'This message is confidential and meant for its recipient only.\nBrandt Ltd, registered in England, company no. 4711, Harbour Street 7.'
    const send = async (text: string, more: Letter = {}) => {
      const { threadId } = await desk.receive({ from: carla, subject: 'Parcel', text, ...more })
      return (await messagesOf(desk, threadId))[0]!
    }
    const first = await send(`Where is my parcel?\n\nCarla\n\n${footer}`)
    assert.match(first.newText, /confidential/)
    const next = await send(`Where is my invoice?\n\nCarla\n\n____\n${footer}`)
    assert.equal(next.newText.trim(), 'Where is my invoice?\n\nCarla')
    assert.match(next.text, /confidential/)
    const html = `<p>And <b>the</b> bill?</p><p>${footer.replace('\n', '<br>')}</p>`
    const third = await send('', { html })
    assert.equal(third.newText, 'And the bill?')
    assert.equal(folded(third.html!), 1)
    // Of another sender, with other words, or where nothing else is said, it stays.
    const others = [
      await send(`From Bob.\n\n${footer}`, { from: bob }),
      await send(`One more.\n\n${footer} Please answer by Monday.`),
      await send(footer),
    ]
    for (const { text, newText } of others) assert.equal(newText.trim(), text.trim())
    // A request that is repeated stays too, even with a legal word in it.
    const wish =
      'Please send the confidential papers of this order to my office at Harbour Street 7 by the end of the week.'
    await send(`It came.\n\n${wish}`)
    const again = await send(`It came too.\n\n${wish}`)
    assert.equal(again.newText.trim(), `It came too.\n\n${wish}`)
    const elsewhere = await openDesk(spool)
    const { threadId } = await elsewhere.receive({ from: carla, text: `Here too.\n\n${footer}` })
    assert.match((await messagesOf(elsewhere, threadId))[0]!.newText, /confidential/)
  })

  test(`${database}: a legal footer is found in the last threads of a sender who began hundreds`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const footer =
      'This message is confidential and meant for its recipient only. Please delete it otherwise.'
    await desk.receive({ from: carla, text: 'Hello!' })
    await growInbox(spool.spool, desk.inbox, 1, 250)
    const send = async (text: string) => {
      const { threadId } = await desk.receive({ from: carla, text })
      return (await messagesOf(desk, threadId))[0]!
    }
    await send(`Where is my parcel?\n\n${footer}`)
    const next = await send(`Where is my invoice?\n\n${footer}`)
    assert.equal(next.newText.trim(), 'Where is my invoice?')
  })
}
