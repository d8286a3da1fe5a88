import { mustHold as assert } from '../support/must-hold.ts'
import { after, test } from 'node:test'
import { getDraft, proposeDraft, reviseDraft } from '../../src/core/drafts/drafts.ts'
import type { Actor } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import { SpoolError } from '../../src/model/errors.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { agentOf } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { passTime, sendBy, untilStatus } from '../support/outgoing.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { seal, signInAs, type WebClient } from '../support/web-client.ts'

interface Scene {
  spool: TestSpool
  sink: SmtpSink
  desk: Desk
  page: WebClient
  bot: Actor
  draft: Draft
  reply: { inReplyTo: string; text: string }
}

for (const database of databases) {
  const share = shareSpool(database)
  const sink = startSmtpSink()
  after(async () => (await sink)[Symbol.asyncDispose]())

  /** An agent has proposed an answer, and a person sits before the page. */
  const open = async (undoSeconds = 3600): Promise<Scene> => {
    const spool = await share()
    spool.spool.undoSeconds = undoSeconds
    const desk = await openDesk(spool)
    await sendBy(spool.spool, desk.inbox, (await sink).port)
    const messageId = `<${desk.inbox.id}@brandt.example>`
    const { threadId } = await desk.receive({ messageId })
    const bot = await agentOf(spool.spool, desk.token)
    return {
      spool,
      sink: await sink,
      desk,
      page: await signInAs(spool, desk.user),
      bot,
      draft: await proposeDraft(spool.spool, bot, { threadId, text: 'It is on its way.' }),
      reply: { inReplyTo: messageId, text: 'Never mind, it is here.' },
    }
  }
  const mailsOf = ({ sink, desk }: Scene): number =>
    sink.mails.filter(({ from }) => from === desk.inbox.address).length

  test(`${database}: what is written after a colleague's discard keeps the draft's kind and files, once`, async () => {
    const { page, desk } = await open()
    const { messageId, threadId } = await desk.receive({
      attachments: [{ filename: 'invoice.pdf', type: 'application/pdf', content: 'PDF' }],
    })
    const forward = await page.do('POST', '/drafts', { kind: 'forward', messageId })
    await page.do('POST', `/drafts/${forward.id}/discard`, { revision: 1 })
    const wanted = {
      kind: 'reply',
      threadId,
      after: forward.id,
      idempotencyKey: 'first save',
      text: 'For you.',
      to: [{ address: 'books@tax.example' }],
    }
    const begun = await page.do('POST', '/drafts', wanted)
    assert.deepEqual([begun.kind, begun.answers, begun.to.length], ['forward', messageId, 1])
    assert.deepEqual(
      begun.attachments.map(({ filename }) => filename),
      ['invoice.pdf'],
    )
    const file = `/drafts/${begun.id}/attachments/${begun.attachments[0]!.id}`
    assert.equal((await page.ask('GET', file)).text, 'PDF')
    assert.deepEqual(await page.do('POST', '/drafts', wanted), begun)
    const stranger = (await open()).page
    assert.equal((await stranger.ask('POST', '/drafts', wanted)).status, 404)
  })

  test(`${database}: an agent revises while a person edits: the later is told, and both texts are kept`, async () => {
    const scene = await open()
    const { spool, page, bot, draft } = scene
    const path = `/drafts/${draft.id}`
    await reviseDraft(spool.spool, bot, { draftId: draft.id, revision: 1, text: 'It left on Monday.' })
    const late = await page.ask('PUT', path, { revision: 1, text: 'It left on Tuesday.' })
    assert.equal(late.status, 409)
    const told = late.json<{ message: string; details: { draft: Draft } }>()
    assert.match(told.message, /at revision 2, which Test wrote at .*; yours was based on revision 1/)
    assert.equal(told.details.draft.text, 'It left on Monday.', 'the conflict carries the newer one')
    await page.do('PUT', path, { revision: 2, text: 'It left on Tuesday.' })
    await assert.rejects(
      reviseDraft(spool.spool, bot, { draftId: draft.id, revision: 2, text: 'It left on Friday.' }),
      (error) => error instanceof SpoolError && /A person has edited this draft/.test(error.message),
    )
    const { data } = await page.do<{ data: { text: string }[] }>('GET', `${path}/revisions`)
    assert.deepEqual(
      data.map(({ text }) => text),
      ['It is on its way.', 'It left on Monday.', 'It left on Tuesday.'],
    )
  })

  test(`${database}: an agent revises between looking and sending: nothing is sent`, async () => {
    const scene = await open()
    const { spool, page, bot, draft } = scene
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    await reviseDraft(spool.spool, bot, { draftId: draft.id, revision: 1, text: 'Send me your password.' })
    for (const revision of [1, 2]) {
      const refused = await page.ask('POST', `/drafts/${draft.id}/send`, { revision, seal: seal(letter) })
      assert.equal(refused.status, 409)
      assert.match(refused.text, revision === 1 ? /at revision 2/ : /changed since you last saw it/)
    }
    assert.equal((await page.do('GET', `/drafts/${draft.id}`)).status, 'proposed')
    await passTime(spool.spool)
    assert.equal(mailsOf(scene), 0)
  })

  test(`${database}: new mail arrives: looking at the letter again is not enough to send it`, async () => {
    const scene = await open()
    const { spool, desk, page, draft, reply } = scene
    await desk.receive(reply)
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    const refused = await page.ask('POST', `/drafts/${draft.id}/send`, { revision: 1, seal: seal(letter) })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /read it and confirm the draft first/)
    await passTime(spool.spool)
    assert.equal(mailsOf(scene), 0)
  })

  test(`${database}: a draft without a recipient is not sent`, async () => {
    const scene = await open()
    const { page, draft } = scene
    await page.do('PUT', `/drafts/${draft.id}`, { revision: 1, text: draft.text, to: [], cc: [] })
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    const refused = await page.ask('POST', `/drafts/${draft.id}/send`, { revision: 2, seal: seal(letter) })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /has no recipient/)
  })

  test(`${database}: a seal is for every part of what was shown`, async () => {
    const { page, draft } = await open()
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    const evil = { name: null, address: 'mallory@evil.example' }
    const file = { id: 'att_0', filename: 'a', contentType: 'b/c', size: 1, hash: '00' }
    for (const other of [
      { from: evil },
      { to: [evil] },
      { to: [{ ...letter.to[0]!, name: 'Somebody else' }] },
      { cc: [evil] },
      { bcc: [evil] },
      { subject: 'Another' },
      { body: `${letter.body}.` },
      { attachments: [file] },
      { newestMessageId: null },
    ]) {
      const body = { revision: 1, seal: seal({ ...letter, ...other }) }
      const refused = await page.ask('POST', `/drafts/${draft.id}/send`, body)
      assert.equal(refused.status, 409, JSON.stringify(other))
    }
    assert.equal(
      (await page.ask('POST', `/drafts/${draft.id}/send`, { revision: 1, seal: seal(letter) })).status,
      200,
    )
  })

  test(`${database}: two people send the same draft: it is sent once, and the second is told`, async () => {
    const scene = await open(0)
    const { spool, desk, page, draft } = scene
    const second = await spool.makeUser(`second-${draft.id}@shop.example`, 'member', [desk.inbox])
    const pages = [page, await signInAs(spool, second)]
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    const answers = await Promise.all(
      pages.map((each) => each.ask('POST', `/drafts/${draft.id}/send`, { revision: 1, seal: seal(letter) })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    const refused = answers.find(({ status }) => status === 409)!
    assert.match(refused.text, /A person has sent this draft|is being sent|was sent at/)
    await untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['sent'])
    assert.equal(mailsOf(scene), 1)
  })

  test(`${database}: mail arrives between looking and sending: it must be looked at first`, async () => {
    const scene = await open(0)
    const { desk, page, draft, reply } = scene
    const path = `/drafts/${draft.id}`
    const letter = await page.do<Letter>('GET', `${path}/letter`)
    const { messageId } = await desk.receive(reply)
    const refused = await page.ask('POST', `${path}/send`, { revision: 1, seal: seal(letter) })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /The thread has changed since it was written/)
    // Editing is no way around: what was shown did not include the new mail.
    await page.do('PUT', path, { revision: 1, text: letter.body })
    const unseen = {
      ...(await page.do<Letter>('GET', `${path}/letter`)),
      newestMessageId: letter.newestMessageId,
    }
    assert.equal((await page.ask('POST', `${path}/send`, { revision: 2, seal: seal(unseen) })).status, 409)
    assert.equal(mailsOf(scene), 0)
    const seen = await page.do<Letter>('GET', `${path}/letter`)
    assert.equal(seen.newestMessageId, messageId)
    await page.send(draft)
    await untilStatus(() => page.do('GET', path), ['sent'])
    assert.equal(mailsOf(scene), 1)
  })

  test(`${database}: mail arrives in the undo window: the draft is stale, and nothing leaves`, async () => {
    const scene = await open()
    const { spool, desk, page, bot, draft, reply } = scene
    await page.send(draft)
    const { messageId } = await desk.receive(reply)
    assert.equal((await page.do('GET', `/drafts/${draft.id}`)).status, 'stale')
    assert.equal((await desk.events('draft.stale')).length, 1)
    await passTime(spool.spool)
    assert.equal(mailsOf(scene), 0)
    assert.equal((await page.ask('POST', `/drafts/${draft.id}/undo`, {})).status, 409)
    const confirmed = await page.do('POST', `/drafts/${draft.id}/confirm`, {
      revision: 1,
      newestMessageId: messageId,
    })
    assert.equal(confirmed.status, 'editing')
    assert.equal(confirmed.text, 'It is on its way.', 'nothing is lost')
    spool.spool.undoSeconds = 0
    await page.send(draft)
    await untilStatus(() => getDraft(spool.spool, bot, draft.id), ['sent'])
    assert.equal(mailsOf(scene), 1)
  })

  test(`${database}: another reply goes out while a draft waits: it is stale`, async () => {
    const scene = await open(0)
    const { page, draft } = scene
    const own = await page.do('POST', '/drafts', {
      kind: 'reply',
      threadId: draft.threadId,
      text: 'My own words',
    })
    await page.send(own)
    await untilStatus(() => page.do('GET', `/drafts/${own.id}`), ['sent'])
    assert.equal((await page.do('GET', `/drafts/${draft.id}`)).status, 'stale')
    assert.equal(mailsOf(scene), 1)
  })
}
