import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { claimRenewing, countToRenew, renewSome } from '../../src/core/forms/forms.ts'
import type { Received } from '../../src/core/receiving/receive.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { readLastSeq } from '../../src/store/log/events.ts'
import { agentOf } from '../support/agents.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { callTool } from '../support/mcp.ts'
import { ageMessages } from '../support/old-form.ts'
import { until } from '../support/until.ts'

const iban = 'DE02120300000000202051'
const picture = Buffer.from('iVBORw0KGgo=', 'base64')

for (const database of databases) {
  const shared = shareSpool(database)

  // As if another node were at it: here mail is renewed when a test says so.
  const claim = async () => claimRenewing((await shared()).spool, 'test')
  const claims = setInterval(() => void claim().catch(() => undefined), 1_000)
  after(() => clearInterval(claims))

  const openOld = async () => {
    const spool = await shared()
    assert.ok(await claimRenewing(spool.spool, 'test'))
    const desk = await openDesk(spool)
    const { threadId, messageId } = await desk.receive({
      html: `<p>Please pay <a href="https://pay.example/">the invoice</a>.</p><p style="display:none">${iban}</p><img src="cid:logo" alt="Logo">`,
      attachments: [{ filename: 'logo.png', type: 'image/png', content: picture, contentId: 'logo' }],
    })
    const path = `/api/v1/threads/${threadId}`
    const before = await desk.thread(threadId)
    await ageMessages(spool.spool.db, [messageId], iban)
    return { spool, desk, threadId, messageId, path, before }
  }

  test(`${database}: the thread, and other mail of the sender, count for a message that is read anew`, async () => {
    const spool = await shared()
    assert.ok(await claimRenewing(spool.spool, 'test'))
    const desk = await openDesk(spool)
    const question =
      'Where is the parcel that you sent to me on Monday?\nI would also like to change my address.'
    const footer =
      'This message is confidential and meant for its recipient only.\nBrandt Ltd, registered in England.'
    const write = (number: number, text: string) => ({
      date: Date.UTC(2026, 10, 3, 9, number),
      messageId: `<${number}@x.example>`,
      ...(number > 1 ? { inReplyTo: '<1@x.example>' } : {}),
      text,
    })
    await desk.receive({ text: `Before.\n\n${footer}` })
    const closing = await desk.receive({ text: `The last word.\n\n${footer}` })
    // Far more mail follows than is asked whether it is quoted.
    const [{ threadId }, quoting] = (await desk.receiveAll([
      write(1, question),
      { ...write(2, `It is on its way.\n\n${question}`), from: 'Bob Miller <bob@miller.example>' },
      ...Array.from({ length: 25 }, (_, n) => write(n + 3, `Number ${n} of what else there is to say.`)),
    ])) as [Received, Received]
    const read = async () => {
      const histories = [await desk.thread(closing.threadId), await desk.thread(threadId)]
      const [alone, inThread] = histories.map(({ history }) => history as MessageEntry[])
      return [alone![0]!.newText, inThread![1]!.newText]
    }
    assert.deepEqual(await read(), ['The last word.', 'It is on its way.'])
    await ageMessages(spool.spool.db, [quoting.messageId, closing.messageId], iban)
    assert.deepEqual(await read(), ['The last word.', 'It is on its way.'])
    await renewSome(spool.spool)
    assert.equal(await countToRenew(spool.spool), 0)
    assert.deepEqual(await read(), ['The last word.', 'It is on its way.'])
  })

  test(`${database}: a message of an earlier form is read in the current one`, async () => {
    const { spool, desk, threadId, path, before } = await openOld()
    const { preview: _, ...thread } = await desk.thread(threadId)
    const { preview, ...same } = before
    assert.deepEqual(thread, same)
    assert.equal(preview, 'Please pay the invoice. [picture: Logo]')
    const [message] = before.history as MessageEntry[]
    assert.match(message!.html!, new RegExp(`src="/api/v1/attachments/${message!.attachments[0]!.id}"`))
    const told = await callTool(spool.url, desk.token, 'get_thread', { threadId })
    assert.match(told.text, /Please pay/)
    const [entry] = (told.structured as { history: { text: string }[] }).history
    assert.doesNotMatch(JSON.stringify(entry), new RegExp(iban))

    // Once stored in the new form, the answer is the same but for the preview, and so is its tag.
    await renewSome(spool.spool)
    const stored = await desk.get(path)
    assert.deepEqual(stored.json(), before)
    const again = await desk.get(path, { headers: { 'if-none-match': stored.headers.get('etag')! } })
    assert.equal(again.status, 304)
  })

  test(`${database}: what an earlier form showed and the current one does not cannot be quoted`, async () => {
    const { spool, desk, threadId, messageId } = await openOld()
    const bot = await agentOf(spool.spool, desk.token)
    const citing = (quote: string) =>
      proposeDraft(spool.spool, bot, { threadId, text: 'Paid.', citations: [{ messageId, quote }] })
    await assert.rejects(citing(iban), /is not in message/)
    assert.equal((await citing('Please pay the invoice')).citations.length, 1)
  })

  test(`${database}: renewing is no change of a thread, and search and lists follow`, async () => {
    const { spool, desk, threadId, path, before } = await openOld()
    const db = spool.spool.db
    const found = async (word: string) => (await desk.threads(`?q=${word}`)).map(({ id }) => id)
    assert.deepEqual([await found(iban), await found('invoice')], [[threadId], []])
    assert.match((await desk.threads())[0]!.preview, /^Old\. /)
    const tag = (await desk.get(path)).headers.get('etag')!
    const doctor = await runCommand(spool.database.env, ['doctor'])
    assert.match(doctor.stdout, /stored mail: \d+ messages are still in the form of an earlier version/)

    const metrics = async () => (await spool.get('/metrics')).text
    await until(
      'the metrics say so',
      async () => /^spool_mail_to_renew [1-9]/m.test(await metrics()),
      120_000,
    )

    const seq = await readLastSeq(db)
    while ((await renewSome(spool.spool)) > 0);
    assert.equal(await countToRenew(spool.spool), 0)
    assert.equal(await readLastSeq(db), seq)
    assert.deepEqual([await found(iban), await found('invoice')], [[], [threadId]])
    const [listed] = await desk.threads()
    await until('the metrics say so', async () => /^spool_mail_to_renew 0/m.test(await metrics()), 120_000)
    const { history: _, historyNextCursor: __, ...summary } = before
    assert.deepEqual(listed, summary)
    const after = await desk.get(path, { headers: { 'if-none-match': tag } })
    assert.equal(after.status, 200, 'its preview is new')
    assert.deepEqual(after.json(), before)
  })
}
