import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeDraft, reviseDraft } from '../../src/core/drafts/drafts.ts'
import { person, type Actor } from '../../src/model/access.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { agentOf } from '../support/agents.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import { seal, signInAs } from '../support/web-client.ts'

const theirs = 'Hello Carla, the carrier has not answered us yet. I will try again before noon today.'
const mine = 'We found it: it was at the wrong depot, leaves there tonight and reaches you by Friday.'

for (const database of databases) {
  const share = shareSpool(database, { SPOOL_UNDO_SECONDS: '600' })

  test(`${database}: text that is mostly a colleague's is sent only when that is confirmed`, async () => {
    const spool = await share()
    const desk = await openDesk(spool)
    await sendBy(spool.spool, desk.inbox, 9)
    const colleague = await spool.makeUser(`tom-${desk.inbox.id}@shop.example`, 'member', [desk.inbox])
    const tom = person({ ...colleague, name: 'Tom' })
    const bot = await agentOf(spool.spool, desk.token)
    const page = await signInAs(spool, desk.user)

    /** Whose text it is said to be when the desk's user sends what these people wrote one after the other. */
    const writerOf = async (...texts: (readonly [Actor, string])[]): Promise<string | null> => {
      const { threadId } = await desk.receive()
      const [first, ...edits] = texts
      let draft = await proposeDraft(spool.spool, first![0], { threadId, text: first![1] })
      for (const [actor, text] of edits)
        draft = await reviseDraft(spool.spool, actor, { draftId: draft.id, revision: draft.revision, text })
      const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
      const wanted = { revision: draft.revision, seal: seal(letter) }
      const refused = await page.ask('POST', `/drafts/${draft.id}/send`, wanted)
      if (refused.status === 200) return null
      assert.equal(refused.status, 409)
      const { message, details } = refused.json<{ message: string; details: { writer: string } }>()
      assert.match(message, /^Most of this text was written by Tom, so nothing was sent/)
      await page.do('POST', `/drafts/${draft.id}/send`, { ...wanted, confirmed: true })
      return details.writer
    }

    const me = desk.actor
    assert.equal(await writerOf([tom, theirs]), 'Tom', 'unchanged')
    assert.equal(await writerOf([tom, theirs], [me, `${theirs}\n\nHi!`]), 'Tom', 'somewhat longer')
    assert.equal(
      await writerOf([tom, theirs], [me, mine], [me, theirs]),
      'Tom',
      'an earlier version restored',
    )
    assert.equal(await writerOf([me, mine], [tom, theirs]), 'Tom', 'whoever began it')
    assert.equal(await writerOf([bot, mine], [tom, theirs]), 'Tom', 'a proposal that Tom rewrote')
    assert.equal(await writerOf([tom, '你好，货运公司还没有答复，明天再打电话。']), 'Tom', 'without spaces')
    assert.equal(await writerOf([me, mine]), null)
    assert.equal(await writerOf([tom, theirs], [me, mine]), null, 'rewritten')
    assert.equal(await writerOf([tom, 'Hello'], [me, `Hello Carla,\n\n${mine}`]), null, 'mostly mine')
    assert.equal(await writerOf([bot, theirs]), null, 'a proposal')
    assert.equal(
      await writerOf([bot, theirs], [tom, theirs.replace('noon', 'four')]),
      null,
      'a small edit of it',
    )
  })
}
