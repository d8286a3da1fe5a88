import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { proposeDraft, reviseDraft, getDraft } from '../../src/core/drafts/drafts.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { person, type Actor } from '../../src/model/access.ts'
import type { Draft, DraftStatus } from '../../src/model/draft.ts'
import { SpoolError } from '../../src/model/errors.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { sendDraft } from '../../src/core/sending/sending.ts'
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
  thread: string
  messageId: string
  draftIs(draft: Draft, ...statuses: DraftStatus[]): Promise<Draft>
}

for (const database of databases) {
  const share = shareSpool(database, { SPOOL_UNDO_SECONDS: '0', SPOOL_SEND_RETRIES: '1' })
  const sinks: Promise<SmtpSink>[] = []
  after(async () => {
    for (const sink of sinks) await (await sink)[Symbol.asyncDispose]()
  })

  const open = async (): Promise<Scene> => {
    const spool = await share()
    spool.spool.undoSeconds = 0
    const desk = await openDesk(spool)
    sinks.push(startSmtpSink())
    const sink = await sinks.at(-1)!
    await sendBy(spool.spool, desk.inbox, sink.port)
    const { threadId, messageId } = await desk.receive({
      to: desk.inbox.address,
      messageId: `<first-${desk.inbox.id}@brandt.example>`,
      references: ['<a@brandt.example>', `<b-${desk.inbox.id}@brandt.example>`],
      text: 'Where is order 4711?\n\n> an older line',
    })
    const page = await signInAs(spool, desk.user)
    return {
      spool,
      sink,
      desk,
      page,
      bot: await agentOf(spool.spool, desk.token),
      thread: threadId,
      messageId,
      draftIs: ({ id }, ...statuses) => untilStatus(() => page.do('GET', `/drafts/${id}`), statuses),
    }
  }

  test(`${database}: an agent proposes, a person edits and sends, and the reply stays in its thread`, async () => {
    const { spool, sink, desk, page, bot, thread, messageId, draftIs } = await open()
    await page.do('PUT', `/inboxes/${desk.inbox.id}/signature`, { text: 'Pia\nSupport' })
    const proposed = await proposeDraft(spool.spool, bot, {
      threadId: thread,
      text: 'Hello Carla,\n\nit left us on Monday and is on its way.',
    })
    const edited = await page.do('PUT', `/drafts/${proposed.id}`, {
      revision: 1,
      text: 'Hello Carla,\n\nit left us on Tuesday and is on its way.',
    })
    const letter = await page.do<Letter>('GET', `/drafts/${edited.id}/letter`)
    assert.match(
      letter.body,
      /on its way\.\n\n-- \nPia\nSupport\n\nOn .*, Carla Brandt <carla@brandt\.example> wrote:\n> Where is order 4711\?\n>\n>> an older line$/,
    )
    await page.send(edited)
    const sent = await draftIs(edited, 'sent')

    assert.equal(sink.mails.length, 1)
    const [mail] = sink.mails
    assert.deepEqual([mail!.from, mail!.to], [desk.inbox.address, ['carla@brandt.example']])
    const parsed = parseMail(Buffer.from(mail!.source))
    assert.equal(parsed.subject, 'Re: Order 4711 has not arrived')
    assert.equal(parsed.inReplyTo, `<first-${desk.inbox.id}@brandt.example>`)
    assert.deepEqual(parsed.references, [
      '<a@brandt.example>',
      `<b-${desk.inbox.id}@brandt.example>`,
      `<first-${desk.inbox.id}@brandt.example>`,
    ])
    assert.deepEqual(parsed.warnings, [], 'both parts say the same')
    assert.match(mail!.source, /text\/plain[^]*text\/html/)

    const now = await desk.thread(thread)
    assert.deepEqual([now.status, now.draftCount, now.messageCount], ['waiting', 0, 2])
    const messages = now.history.filter((entry) => entry.type === 'message')
    assert.equal(messages[1]!.direction, 'outbound')
    assert.equal(messages[1]!.sentBy?.id, desk.user.id)
    assert.equal(messages[1]!.newText, 'Hello Carla,\n\nit left us on Tuesday and is on its way.')
    const told = now.history.find((entry) => entry.type === 'draft_sent')!
    assert.equal(told.messageId, messages[1]!.id)
    assert.deepEqual(
      [told.proposedBy.id, told.revisedBy.map(({ id }) => id), told.actor.id],
      [bot.id, [desk.user.id], desk.user.id],
    )
    assert.equal(sent.outcome?.result, 'sent')
    assert.equal(sent.outcome?.messageId, messages[1]!.id)
    assert.equal(sent.outcome?.recipientsChanged, false)
    assert.ok(sent.outcome!.editRatio! > 0 && sent.outcome!.editRatio! < 0.2, String(sent.outcome?.editRatio))
    assert.deepEqual((await getDraft(spool.spool, bot, edited.id)).outcome, sent.outcome)
    const events = await desk.events('message.sent', 'draft.sent', 'thread.status_changed')
    assert.deepEqual(
      events.map(({ type }) => type).sort(),
      ['draft.sent', 'message.sent', 'thread.status_changed'],
      'each once',
    )
    const outcome = events.find(({ type }) => type === 'draft.sent')!.data.outcome
    assert.equal(outcome?.editRatio, sent.outcome?.editRatio)
    assert.equal(messageId, sent.answers)

    // The customer answers what was sent: the same thread.
    const answer = await desk.receive({
      inReplyTo: mail!.messageId,
      references: [mail!.messageId],
      text: 'Thanks',
    })
    assert.equal(answer.threadId, thread)
    assert.equal((await desk.thread(thread)).status, 'open')
  })

  test(`${database}: a person takes it back within the undo window, and nothing leaves`, async () => {
    const { spool, sink, page, thread, draftIs } = await open()
    spool.spool.undoSeconds = 60
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'Too soon' })
    const scheduled = await page.send(draft)
    assert.equal(scheduled.status, 'scheduled')
    assert.ok(Date.parse(scheduled.sendsAt!) > Date.now() + 50_000)
    const edit = await page.ask('PUT', `/drafts/${draft.id}`, { revision: 1, text: 'Changed' })
    assert.equal(edit.status, 409, edit.text)
    const back = await page.do('POST', `/drafts/${draft.id}/undo`, {})
    assert.equal(back.status, 'editing')
    await passTime(spool.spool)
    assert.equal((await page.ask('POST', `/drafts/${draft.id}/undo`, {})).status, 409)
    spool.spool.undoSeconds = 0
    await page.send(await page.do('PUT', `/drafts/${draft.id}`, { revision: 1, text: 'Now' }))
    await draftIs(draft, 'sent')
    assert.deepEqual(
      sink.mails.map(({ source }) => /Too soon/.test(source)),
      [false],
    )
  })

  test(`${database}: a refusal for now is tried again, one for good is told in the server's words`, async () => {
    const { sink, page, thread, desk, draftIs } = await open()
    let refusals = 0
    sink.refuse = (step) => (step === 'data' && ++refusals <= 2 ? 451 : null)
    const first = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'One' })
    await page.send(first)
    await draftIs(first, 'sent')
    assert.equal(refusals, 3)
    assert.equal(sink.mails.length, 1)
    const told = (await desk.events('draft.revised')).map(({ data }) => data.changes)
    assert.deepEqual(told, [{ status: { from: 'scheduled', to: 'sending' } }], 'told once')

    // To everybody or to nobody: one recipient is refused, and the others get nothing they would get twice.
    sink.refuse = (step, address) => (step === 'rcpt' && address === 'gone@brandt.example' ? 550 : null)
    const second = await page.do('POST', '/drafts', {
      kind: 'reply',
      threadId: thread,
      text: 'Two',
      cc: [{ name: 'Gone', address: 'gone@brandt.example' }],
    })
    await page.send(second)
    const failed = await draftIs(second, 'failed')
    assert.match(failed.problem!, /550 .*No rcpt for gone@brandt\.example/)
    assert.equal(sink.mails.length, 1)
    assert.deepEqual(
      (await desk.events('message.failed')).map(({ data }) => data.draftId),
      [second.id],
    )
    const editing = await page.do('PUT', `/drafts/${second.id}`, { revision: 1, text: 'Two', cc: [] })
    assert.equal(editing.status, 'editing')
    await page.send(editing)
    await draftIs(second, 'sent')
    assert.equal(sink.mails.length, 2)
  })

  test(`${database}: what needs a name and a password is told so, and sends with them`, async () => {
    const { spool, page, thread, desk, draftIs } = await open()
    const credentials = { user: 'pia', password: 'pass word' }
    await using sink = await startSmtpSink({ credentials })
    await sendBy(spool.spool, desk.inbox, sink.port)
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'Hello' })
    await page.send(draft)
    const { problem } = await draftIs(draft, 'failed')
    const name = desk.inbox.address.replace('@', '%40')
    const command = `spool inbox set ${desk.inbox.address} --smtp "smtp://${name}@127.0.0.1:${sink.port}?tls=none" --credentials-stdin`
    assert.ok(
      problem!.includes(`requires a sign-in, and none is set; an admin can set one: ${command}`),
      problem!,
    )
    assert.match(problem!, /It says: 530 /)
    await sendBy(spool.spool, desk.inbox, sink.port, { ...credentials, password: 'wrong' })
    await page.send(await page.do('POST', `/drafts/${draft.id}/settle`, { as: 'editing' }))
    const failed = await draftIs(draft, 'failed')
    assert.match(failed.problem!, /535/)
    assert.ok(!spool.log.join('').includes('wrong'), 'no password in the log')
    await sendBy(spool.spool, desk.inbox, sink.port, credentials)
    await page.send(await page.do('POST', `/drafts/${draft.id}/settle`, { as: 'editing' }))
    await draftIs(draft, 'sent')
    assert.equal(sink.mails.length, 1)
  })

  test(`${database}: send and close; a snoozed thread closes too`, async () => {
    const { spool, page, thread, desk, draftIs } = await open()
    await changeStatus(spool.spool, desk.actor, thread, 'snoozed', Date.now() + 86_400_000)
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'Done' })
    await page.send(draft, true)
    await draftIs(draft, 'sent')
    assert.equal((await desk.thread(thread)).status, 'closed')
    assert.equal((await desk.events('thread.status_changed')).length, 2)
  })

  test(`${database}: a person begins a conversation, with a file and secret copies`, async () => {
    const { sink, page, desk, draftIs } = await open()
    const begun = await page.do('POST', '/drafts', {
      kind: 'new',
      inboxId: desk.inbox.id,
      to: [
        { name: 'Jürgen "J" Groß', address: 'juergen@bücher.example' },
        { name: null, address: 'zoë@brandt.example' },
      ],
      bcc: [{ name: null, address: 'boss@shop.example' }],
      subject: 'Grüße aus Köln 🎉',
      text: `Hallo,\n\n.ein Punkt am Anfang\nFrom here on\n${'lang '.repeat(600)}\nEnde`,
    })
    assert.equal(begun.threadId, null)
    const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256)
    const attach = `/drafts/${begun.id}/attachments?revision=1&filename=${encodeURIComponent('Übersicht "1".pdf')}&contentType=application/pdf`
    const attached = await page.do('POST', attach, bytes)
    assert.equal(attached.revision, 2)
    await page.send(attached)
    const sent = await draftIs(begun, 'sent')
    const [mail] = sink.mails
    assert.deepEqual(mail!.to, ['juergen@bücher.example', 'zoë@brandt.example', 'boss@shop.example'])
    assert.match(mail!.source, /^To: [^]*?<juergen@xn--bcher-kva\.example>/m, 'as every server knows it')
    assert.ok(!mail!.source.includes('boss@'), 'a secret copy is secret')
    assert.ok(
      mail!.source.split('\r\n').every((line) => line.length <= 998),
      'no line is too long',
    )
    const parsed = parseMail(Buffer.from(mail!.source))
    assert.equal(parsed.subject, 'Grüße aus Köln 🎉')
    assert.deepEqual(parsed.to, [
      { name: 'Jürgen "J" Groß', address: 'juergen@xn--bcher-kva.example' },
      { name: null, address: 'zoë@brandt.example' },
    ])
    assert.match(parsed.text, /^Hallo,\n\n\.ein Punkt am Anfang\nFrom here on\n(lang ){599}lang\s*\nEnde$/)
    assert.deepEqual(
      parsed.attachments.map((file) => [
        file.filename,
        file.contentType,
        Buffer.from(file.content).equals(bytes),
      ]),
      [['Übersicht "1".pdf', 'application/pdf', true]],
    )
    const thread = await desk.thread(sent.threadId!)
    assert.deepEqual([thread.status, thread.messageCount, thread.attachmentCount], ['waiting', 1, 1])
    const answer = await desk.receive({ inReplyTo: mail!.messageId, text: 'Danke' })
    assert.equal(answer.threadId, sent.threadId)
  })

  test(`${database}: a person forwards a message with its files, in the same thread`, async () => {
    const { sink, page, desk, draftIs } = await open()
    const { messageId, threadId } = await desk.receive({
      subject: 'Fwd: The invoice',
      text: 'Please pay this.',
      attachments: [{ filename: 'invoice.pdf', type: 'application/pdf', content: 'PDF' }],
    })
    const draft = await page.do('POST', '/drafts', {
      kind: 'forward',
      messageId,
      to: [{ address: 'books@tax.example' }],
      text: 'For you.',
    })
    assert.deepEqual(draft.notices, [{ address: 'books@tax.example', kind: 'new_to_thread' }])
    await page.send(draft)
    await draftIs(draft, 'sent')
    const parsed = parseMail(Buffer.from(sink.mails[0]!.source))
    assert.equal(parsed.subject, 'Fwd: The invoice')
    assert.match(
      parsed.text,
      /^For you\.\n\n-+ Forwarded message -+\nFrom: Carla Brandt <carla@brandt\.example>[^]*Please pay this\.$/,
    )
    assert.equal(parsed.attachments[0]?.filename, 'invoice.pdf')
    assert.equal((await desk.thread(threadId)).messageCount, 2)
    const removed = await page.do('POST', '/drafts', {
      kind: 'forward',
      messageId,
      to: [{ address: 'a@b.example' }],
    })
    const file = removed.attachments[0]!.id
    assert.equal((await page.ask('GET', `/drafts/${removed.id}/attachments/${file}`)).text, 'PDF')
    const bare = await page.do('DELETE', `/drafts/${removed.id}/attachments/${file}?revision=1`)
    assert.deepEqual(bare.attachments, [])
  })

  test(`${database}: only a signed-in person of a role that may send can send, in the core too`, async () => {
    const { spool, sink, desk, bot, page, thread } = await open()
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'Hello' })
    const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
    const wanted = { draftId: draft.id, revision: 1, seal: seal(letter) }
    const viewer = await spool.makeUser(`v-${draft.id}@shop.example`, 'viewer', [desk.inbox])
    const looking = await signInAs(spool, viewer)
    const other = await spool.makeUser(`o-${draft.id}@shop.example`, 'member', [desk.inbox])
    for (const actor of [
      bot,
      { type: 'system', id: null, name: 'Spool' } as const,
      person(desk.user),
      { ...person(desk.user), session: 'ses_0' } as Actor,
      person(viewer),
      person(other),
    ])
      await assert.rejects(
        sendDraft(spool.spool, actor, wanted),
        (error) => error instanceof SpoolError && error.code === 'forbidden',
        actor.type,
      )
    const body = { revision: 1, seal: seal(letter) }
    assert.equal((await looking.ask('GET', `/drafts/${draft.id}`)).status, 200, 'a viewer reads')
    assert.equal((await looking.ask('POST', `/drafts/${draft.id}/send`, body)).status, 403)
    assert.equal((await page.do('GET', `/drafts/${draft.id}`)).status, 'editing')
    assert.equal(sink.mails.length, 0)
  })

  test(`${database}: a message without Message-ID is answered in its thread all the same`, async () => {
    const { sink, page, desk, draftIs } = await open()
    const { threadId } = await desk.receive({ messageId: '', subject: 'AW: RE: Re[2]: No id' })
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId, text: 'Here' })
    assert.equal(draft.subject, 'Re: No id')
    await page.send(draft)
    const sent = await draftIs(draft, 'sent')
    assert.equal(sent.threadId, threadId)
    assert.equal((await desk.thread(threadId)).messageCount, 2)
    const answer = await desk.receive({ inReplyTo: sink.mails[0]!.messageId })
    assert.equal(answer.threadId, threadId)
  })

  test(`${database}: how much a person changed is measured`, async () => {
    const { spool, page, bot, thread, draftIs } = await open()
    const same = await proposeDraft(spool.spool, bot, { threadId: thread, text: 'As it is.' })
    await page.send(same)
    const { outcome } = await draftIs(same, 'sent')
    assert.deepEqual([outcome?.editRatio, outcome?.recipientsChanged], [0, false])
    const other = await proposeDraft(spool.spool, bot, { threadId: thread, text: 'One two three four' })
    await reviseDraft(spool.spool, bot, { draftId: other.id, revision: 1, text: 'One two three five' })
    const changed = await page.do('PUT', `/drafts/${other.id}`, {
      revision: 2,
      text: 'One two six seven',
      cc: [{ address: 'eve@brandt.example' }],
    })
    await page.send(changed)
    const second = await draftIs(other, 'sent')
    assert.deepEqual([second.outcome?.editRatio, second.outcome?.recipientsChanged], [0.5, true])
  })

  test(`${database}: what is too large, or is no name of a file, is not attached`, async () => {
    const { spool, page, thread } = await open()
    const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId: thread, text: '' })
    const usual = spool.spool.maxMessageBytes
    spool.spool.maxMessageBytes = 100_000
    const attach = (name: string, size: number) => {
      const path = `/drafts/${draft.id}/attachments?revision=1&filename=${encodeURIComponent(name)}`
      return page.ask('POST', path, Buffer.alloc(size))
    }
    try {
      assert.equal((await attach('a.bin', 80_000)).status, 413)
      for (const name of ['a\r\nBcc: x@y.example', ' ', 'x'.repeat(201), 'a\u2028b'])
        assert.equal((await attach(name, 1)).status, 400, JSON.stringify(name))
      const fine = await attach('../etc/pass wd', 70_000)
      assert.equal(fine.json<Draft>().attachments[0]?.filename, '__etc_pass wd')
    } finally {
      spool.spool.maxMessageBytes = usual
    }
  })
}
