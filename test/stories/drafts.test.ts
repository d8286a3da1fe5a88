import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  confirmDraft,
  discardDraft,
  getDraft,
  listDraftRevisions,
  listDrafts,
  proposeDraft,
  reviseDraft,
  withdrawDraft,
} from '../../src/core/drafts/drafts.ts'
import { ThreadFacts } from '../../src/core/drafts/unsupported.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import type { Actor } from '../../src/model/access.ts'
import { SpoolError } from '../../src/model/errors.ts'
import { agentOf } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import type { TestSpool } from '../support/spool.ts'

const refusal =
  (code: string, words: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SpoolError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, words)
    return true
  }

const addresses = (people: readonly { address: string }[]): string[] => people.map(({ address }) => address)

for (const database of databases) {
  const share = shareSpool(database)
  const open = async (): Promise<{ spool: TestSpool; desk: Desk; bot: Actor; carla: string }> => {
    const spool = await share()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({
      to: `${desk.inbox.address}, dan@brandt.example`,
      headers: { Cc: 'eve@brandt.example' },
      text: 'My order 4711 was due on 3 November and cost 49,90 €.\nWhere is it?',
    })
    return { spool, desk, bot: await agentOf(spool.spool, desk.token), carla: threadId }
  }

  test(`${database}: an agent proposes, and Spool fills the envelope`, async () => {
    const { spool, desk, bot, carla } = await open()
    const draft = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'It is on its way.' })
    assert.equal(draft.status, 'proposed')
    assert.equal(draft.revision, 1)
    assert.deepEqual(addresses(draft.to), ['carla@brandt.example'])
    assert.deepEqual(addresses(draft.cc), ['dan@brandt.example', 'eve@brandt.example'])
    assert.equal(draft.subject, 'Re: Order 4711 has not arrived')
    assert.deepEqual(draft.author, { type: 'agent', id: bot.id, name: 'Test' })
    assert.deepEqual(await getDraft(spool.spool, bot, draft.id), draft)

    const thread = await desk.thread(carla)
    assert.equal(thread.draftCount, 1)
    assert.deepEqual(
      thread.history.flatMap((entry) => (entry.type === 'draft_proposed' ? [entry.draftId] : [])),
      [draft.id],
    )
    const events = await desk.events()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['thread.created', 'message.received', 'draft.proposed'],
      'proposing fires no message event',
    )
    assert.equal(events.at(-1)!.data.draftId, draft.id)
  })

  test(`${database}: the recipient fence lets an agent leave people out, and add nobody`, async () => {
    const { spool, bot, carla } = await open()
    const propose = (cc: string[]) => proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello', cc })
    assert.deepEqual(addresses((await propose([])).cc), [])
    assert.deepEqual(addresses((await propose(['EVE@brandt.example'])).cc), ['eve@brandt.example'])
    assert.deepEqual(addresses((await propose(['carla@brandt.example'])).cc), [], 'she is in To already')
    await assert.rejects(propose(['mallory@evil.example']), refusal('forbidden', /mallory@evil.example/))
    await assert.rejects(propose(['no address']), refusal('bad_parameter', /not an e-mail address/))
    await assert.rejects(
      proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello', bcc: ['mallory@evil.example'] }),
      refusal('forbidden', /Spool fills in/),
    )
  })

  test(`${database}: a person's own draft is not compared with the thread`, async () => {
    const { spool, desk, bot, carla } = await open()
    const reading = mock.method(ThreadFacts.prototype, 'addText')
    try {
      const own = await proposeDraft(spool.spool, desk.actor, { threadId: carla, text: 'Today at 10:30' })
      await reviseDraft(spool.spool, desk.actor, { draftId: own.id, revision: 1, text: 'Today at 11:30' })
      assert.equal(reading.mock.callCount(), 0)
      const { id } = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'Today at 10:30' })
      const edit = { draftId: id, revision: 1, text: 'Today at 11:30' }
      const { unsupported } = await reviseDraft(spool.spool, desk.actor, edit)
      assert.deepEqual([unsupported.map(({ text }) => text), reading.mock.callCount() > 0], [['11:30'], true])
    } finally {
      reading.mock.restore()
    }
  })

  test(`${database}: a quote must stand in the thread, and what stands nowhere is listed`, async () => {
    const { spool, desk, bot, carla } = await open()
    const [message] = (await desk.thread(carla)).history
    const propose = (quote: string, messageId = message!.id) =>
      proposeDraft(spool.spool, bot, {
        threadId: carla,
        text: 'Order 4711 of 3 November (EUR 49.90) arrives on 12 November; see https://track.example/4711.',
        citations: [{ messageId, quote }],
      })
    const draft = await propose('cost  49,90 €. Where is it?')
    assert.deepEqual(
      draft.unsupported.map(({ kind, text }) => [kind, text]),
      [
        ['date', '12 November'],
        ['link', 'https://track.example/4711'],
      ],
    )
    for (const { text, start, end } of draft.unsupported) assert.equal(draft.text.slice(start, end), text)
    await assert.rejects(propose('I would like a refund'), refusal('bad_parameter', /is not in message/))
    await assert.rejects(propose('Where', 'msg_0'), refusal('bad_parameter', /not in this thread/))
    const other = await openDesk(spool)
    const { messageId } = await other.receive({ text: 'Where is it?' })
    await assert.rejects(propose('Where', messageId), refusal('bad_parameter', /not in this thread/))
    assert.ok(message?.type === 'message')
    const later = await desk.receive({ inReplyTo: message.messageId!, text: 'Never mind.' })
    const swapped = [message.id, later.messageId].map((each) => ({ messageId: each, quote: 'Where is it?' }))
    await assert.rejects(
      proposeDraft(spool.spool, bot, { threadId: carla, text: 'It is on its way.', citations: swapped }),
      refusal('bad_parameter', /^Citation 2: its quote is not in message/),
    )
    const cite = (count: number) =>
      proposeDraft(spool.spool, bot, {
        threadId: carla,
        text: 'It is on its way.',
        citations: Array.from({ length: count }, () => ({ messageId: message.id, quote: 'Where is it?' })),
      })
    assert.equal((await cite(50)).citations.length, 50)
    await assert.rejects(cite(51), refusal('bad_parameter', /at most 50 citations/))
  })

  test(`${database}: what a mail hides cannot be quoted, nor what stands only in its subject`, async () => {
    const { spool, desk, bot } = await open()
    const iban = 'DE02 1203 0000 0000 2020 51'
    const hidden = [
      `<p style="display:none">${iban}</p>`,
      `<p style="color:#fff">${iban}</p>`,
      `<style>@supports (x: y) { p { color: red } } .a { font-size: 0 }</style><p class="a">${iban}</p>`,
      `<p title="${iban}">Order</p><!-- ${iban} -->`,
    ]
    for (const html of hidden) {
      const { threadId, messageId } = await desk.receive({
        subject: 'Invoice 4711',
        html: `<p>Please pay the invoice.</p>${html}`,
      })
      const [message] = (await desk.thread(threadId)).history
      assert.ok(message?.type === 'message')
      const propose = (quote: string) =>
        proposeDraft(spool.spool, bot, { threadId, text: 'Paid.', citations: [{ messageId, quote }] })
      assert.doesNotMatch(message.text, /DE02/, html)
      assert.doesNotMatch(message.html!, /DE02/, html)
      await assert.rejects(propose(iban), refusal('bad_parameter', /is not in message/), html)
      await assert.rejects(propose('Invoice 4711'), refusal('bad_parameter', /is not in message/))
      assert.equal((await propose('pay the invoice')).citations.length, 1)
    }
  })

  test(`${database}: an agent answers what a person wrote, not the machine that answered last`, async () => {
    const { spool, desk, bot, carla } = await open()
    const [message] = (await desk.thread(carla)).history
    assert.ok(message?.type === 'message')
    await desk.receive({
      from: 'away@brandt.example',
      inReplyTo: message.messageId!,
      headers: { 'Auto-Submitted': 'auto-replied' },
    })
    const draft = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'It is on its way.' })
    assert.deepEqual(addresses(draft.to), ['carla@brandt.example'])
  })

  test(`${database}: a revision is made on a named one, and a conflict carries the newer`, async () => {
    const { spool, desk, bot, carla } = await open()
    const first = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'First' })
    const change = { draftId: first.id, revision: 1, text: 'Second' }
    const second = await reviseDraft(spool.spool, bot, change)
    assert.equal(second.revision, 2)
    await assert.rejects(reviseDraft(spool.spool, bot, { ...change, text: 'Lost?' }), (error) => {
      assert.ok(error instanceof SpoolError && error.code === 'conflict')
      assert.deepEqual(error.details?.['draft'], second)
      return true
    })
    // A person takes it over: from then on it is theirs.
    const edited = await reviseDraft(spool.spool, desk.actor, {
      draftId: first.id,
      revision: 2,
      text: 'Third',
      cc: ['boss@shop.example'],
    })
    assert.equal(edited.status, 'editing')
    assert.deepEqual(edited.notices, [{ address: 'boss@shop.example', kind: 'new_to_thread' }])
    const theirs = refusal('conflict', /A person has edited/)
    await assert.rejects(reviseDraft(spool.spool, bot, { ...change, revision: 3 }), theirs)
    await assert.rejects(withdrawDraft(spool.spool, bot, first.id), theirs)
    assert.equal((await getDraft(spool.spool, bot, first.id)).text, 'Third')
    assert.deepEqual(
      (await listDraftRevisions(spool.spool, desk.actor, first.id)).map(({ actor, text }) => [
        actor.type,
        text,
      ]),
      [
        ['agent', 'First'],
        ['agent', 'Second'],
        ['person', 'Third'],
      ],
    )
    assert.equal((await desk.events('draft.revised')).length, 2)
  })

  test(`${database}: a draft is read by its user's agents and changed by its own, and outside the view it is none`, async () => {
    const { spool, desk, bot, carla } = await open()
    const draft = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello' })
    const second = await agentOf(spool.spool, await spool.makeToken(desk.user, { name: 'Second' }))
    assert.equal((await getDraft(spool.spool, second, draft.id)).id, draft.id)
    assert.equal((await listDrafts(spool.spool, second, { threadId: carla, statuses: null })).data.length, 1)
    const others = refusal('forbidden', /^Another agent proposed this draft/)
    const change = { draftId: draft.id, revision: 1, text: 'In the name of the first' }
    await assert.rejects(reviseDraft(spool.spool, second, change), others)
    await assert.rejects(withdrawDraft(spool.spool, second, draft.id), others)
    const elsewhere = await spool.makeInbox(`elsewhere-${draft.id}@shop.example`)
    const colleague = await spool.makeUser(`c-${draft.id}@shop.example`, 'member', [desk.inbox, elsewhere])
    const theirBot = await agentOf(spool.spool, await spool.makeToken(colleague))
    const narrow = await agentOf(spool.spool, await spool.makeToken(colleague, { inboxes: [elsewhere] }))
    const none = refusal(
      'not_found',
      /^There is no such draft, or you have no access to it\. Check the id\.$/,
    )
    const noThread = refusal(
      'not_found',
      /^There is no such thread, or you have no access to it\. Check the id\.$/,
    )
    await assert.rejects(getDraft(spool.spool, theirBot, draft.id), none)
    await assert.rejects(
      reviseDraft(spool.spool, theirBot, { draftId: draft.id, revision: 1, text: 'x' }),
      none,
    )
    await assert.rejects(withdrawDraft(spool.spool, theirBot, draft.id), none)
    await assert.rejects(getDraft(spool.spool, bot, 'drf_0'), none)
    await assert.rejects(proposeDraft(spool.spool, narrow, { threadId: carla, text: 'x' }), noThread)
    assert.deepEqual((await listDrafts(spool.spool, theirBot, { threadId: carla, statuses: null })).data, [])
  })

  test(`${database}: at most five open drafts of one token on a thread`, async () => {
    const { spool, desk, bot, carla } = await open()
    const propose = () => proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello' })
    const drafts = [await propose(), await propose(), await propose(), await propose(), await propose()]
    await assert.rejects(propose(), refusal('conflict', /5 open drafts/))
    const withdrawn = await withdrawDraft(spool.spool, bot, drafts[0]!.id)
    assert.equal(withdrawn.outcome?.result, 'withdrawn')
    await propose()
    assert.equal((await desk.thread(carla)).draftCount, 5)
    assert.equal((await desk.events('draft.withdrawn')).length, 1)
  })

  test(`${database}: a person discards with a reason that the agent can read`, async () => {
    const { spool, desk, bot, carla } = await open()
    const draft = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello' })
    const discard = { draftId: draft.id, revision: 1, reason: 'Answered by phone' }
    await assert.rejects(discardDraft(spool.spool, bot, discard), refusal('forbidden', /Only a person/))
    await discardDraft(spool.spool, desk.actor, discard)
    const { outcome } = await getDraft(spool.spool, bot, draft.id)
    assert.equal(outcome?.reason, 'Answered by phone')
    assert.equal(outcome?.by.id, desk.user.id)
    const again = { draftId: draft.id, revision: 1, text: 'Again' }
    await assert.rejects(
      reviseDraft(spool.spool, bot, again),
      refusal('conflict', /discarded.*Propose a new one/),
    )
    const thread = await desk.thread(carla)
    assert.equal(thread.draftCount, 0)
    assert.equal(thread.history.at(-1)?.type, 'draft_discarded')
  })

  test(`${database}: newer mail makes drafts stale, until an agent revises or a person confirms`, async () => {
    const { spool, desk, bot, carla } = await open()
    const root = (await desk.thread(carla)).history[0]
    assert.ok(root?.type === 'message')
    const answer = { inReplyTo: root.messageId!, references: [root.messageId!] }
    const byAgent = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'Hello' })
    const byPerson = await proposeDraft(spool.spool, desk.actor, { threadId: carla, text: 'Hi' })
    const statuses = async () =>
      [
        await getDraft(spool.spool, desk.actor, byAgent.id),
        await getDraft(spool.spool, desk.actor, byPerson.id),
      ].map(({ status }) => status)
    assert.deepEqual(await statuses(), ['proposed', 'editing'])
    await desk.receive({ ...answer, text: 'History' }, { quiet: true, seen: true })
    assert.deepEqual(await statuses(), ['proposed', 'editing'], 'history stales nothing')
    const second = await desk.receive({ ...answer, from: 'dan@brandt.example', text: 'It has arrived.' })
    assert.deepEqual(await statuses(), ['stale', 'stale'])
    assert.equal((await desk.events('draft.stale')).length, 2)
    const third = await desk.receive({ ...answer, text: 'No, it has not.' })
    assert.equal((await desk.events('draft.stale')).length, 2, 'told once')

    const confirm = { draftId: byPerson.id, revision: 1, newestMessageId: second.messageId }
    await assert.rejects(confirmDraft(spool.spool, desk.actor, confirm), refusal('conflict', /More mail/))
    await confirmDraft(spool.spool, desk.actor, { ...confirm, newestMessageId: third.messageId })
    const revised = await reviseDraft(spool.spool, bot, { draftId: byAgent.id, revision: 1, text: 'Sorry' })
    assert.equal(revised.newestMessageId, third.messageId)
    assert.equal(revised.answers, third.messageId)
    assert.deepEqual(await statuses(), ['proposed', 'editing'])
    await desk.receive({ ...answer, text: 'Sent by us' }, { direction: 'outbound' })
    assert.deepEqual(await statuses(), ['stale', 'stale'], 'a sent reply stales too')
  })

  test(`${database}: joining threads makes open drafts stale`, async () => {
    const { spool, desk, bot, carla } = await open()
    const { threadId: other } = await desk.receive({ subject: 'Another' })
    const one = await proposeDraft(spool.spool, bot, { threadId: carla, text: 'One' })
    const two = await proposeDraft(spool.spool, bot, { threadId: other, text: 'Two' })
    await joinThreads(spool.spool, desk.actor, carla, other)
    for (const { id } of [one, two]) {
      const draft = await getDraft(spool.spool, bot, id)
      assert.equal(draft.status, 'stale')
      assert.equal(draft.threadId, carla)
    }
    assert.equal((await desk.thread(other)).draftCount, 2)
  })

  test(`${database}: a viewer and a viewer's agent write no drafts`, async () => {
    const { spool, desk, bot: writer, carla } = await open()
    const viewer = await spool.makeUser(`viewer-${carla}@shop.example`, 'viewer', [desk.inbox])
    const actor: Actor = { type: 'person', id: viewer.id, name: viewer.name, user: viewer }
    const bot: Actor = { type: 'agent', id: 'tok_0', name: 'Bot', user: viewer, inboxes: [desk.inbox] }
    for (const who of [actor, bot])
      await assert.rejects(
        proposeDraft(spool.spool, who, { threadId: carla, text: 'Hello' }),
        refusal('forbidden', /viewer/),
      )
    const draft = await proposeDraft(spool.spool, writer, { threadId: carla, text: 'Hello' })
    assert.ok(writer.type === 'agent')
    const demoted: Actor = { ...writer, user: { ...writer.user, role: 'viewer' } }
    await assert.rejects(withdrawDraft(spool.spool, demoted, draft.id), refusal('forbidden', /viewer/))
    await assert.rejects(
      reviseDraft(spool.spool, demoted, { draftId: draft.id, revision: 1, text: 'Bye' }),
      refusal('forbidden', /viewer/),
    )
  })

  test(`${database}: no control character gets into a draft`, async () => {
    const { spool, desk, bot, carla } = await open()
    for (const text of ['a\u0000b', 'a\u001bb', 'a\u0085b', 'a\u202eb', 'a\ud800b', '   '])
      await assert.rejects(
        proposeDraft(spool.spool, bot, { threadId: carla, text }),
        refusal('bad_parameter', /./),
      )
    const hidden = [
      'a\u200bb',
      'a\u200cb\u200dc',
      'a\u2060b',
      'a\ufe01b',
      'a\u{e0141}b',
      'a\u3164b',
      'a\u200fb',
    ]
    for (const text of hidden)
      await assert.rejects(
        proposeDraft(spool.spool, bot, { threadId: carla, text }),
        refusal('bad_parameter', /invisible characters/),
      )
    const seen = 'نمی\u200cخواهم 👩\u200d💻 ❤\ufe0f'
    const proposed = await proposeDraft(spool.spool, bot, { threadId: carla, text: `${seen} long\u00adword` })
    assert.equal(proposed.text, `${seen} longword`, 'what writing needs stays')
    const blank = { threadId: carla, text: 'a\u00a0b\u2003c \t \n\u2800d \n-- \nBot\t' }
    assert.equal((await proposeDraft(spool.spool, bot, blank)).text, 'a b c\n d\n-- \nBot')
    await assert.rejects(
      reviseDraft(spool.spool, bot, { draftId: proposed.id, revision: 1, text: 'a\u200bb' }),
      refusal('bad_parameter', /invisible characters/),
    )
    const words = { threadId: carla, text: 'one\r\ntwo' }
    for (const subject of ['a\r\nBcc: x@y.example', 'a\nb', 'a\u2028b'])
      await assert.rejects(
        proposeDraft(spool.spool, desk.actor, { ...words, subject }),
        refusal('bad_parameter', /one line/),
      )
    for (const address of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example>'])
      await assert.rejects(
        proposeDraft(spool.spool, desk.actor, { ...words, to: [address] }),
        refusal('bad_parameter', /not an e-mail address/),
      )
    const name = 'Eve\r\nBcc: c@d.example'
    await assert.rejects(
      proposeDraft(spool.spool, desk.actor, { ...words, to: [{ name, address: 'eve@b.example' }] }),
      refusal('bad_parameter', /one line/),
    )
    assert.equal((await proposeDraft(spool.spool, desk.actor, words)).text, 'one\ntwo')
  })
}
