import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { agentOf } from '../support/agents.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { startSpool } from '../support/spool.ts'

const html = `<style>p{margin:0}</style><table><tr><td><b>Total</b></td><td>49,90 €</td></tr></table>
<p>Please refund it<br>to my account.</p><hr><p>Thanks, Carla</p>
<p>On 2 November, Shop wrote:</p><blockquote>Your order is on its way.</blockquote>`

for (const database of oneDatabase(5))
  test(
    `${database}: what a draft quotes is underlined in the mail, and what cannot be is not vouched for`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const desk = await openDesk(spool)
      const { threadId, messageId } = await desk.receive({
        from: 'Ada <ada@elsewhere.example>',
        inReplyTo: '<m0@shop.example>',
        html,
        headers: { 'Reply-To': 'desk@third.example' },
      })
      const quotes = ['Total 49,90 €', 'refund it to my account', 'Your order is on its way.']
      const unshown = 'account. --- Thanks'
      const bot = await agentOf(spool.spool, desk.token)
      await proposeDraft(spool.spool, bot, {
        threadId,
        text: 'We refund the Total 49,90 € (account. --- Thanks).',
        citations: [...quotes, unshown].map((quote) => ({ messageId, quote })),
      })
      await using ada = await visit(spool)
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/review/${threadId}`)
      const found = page.locator('.why > div', { hasText: 'Quoted from this thread:' })
      for (const quote of quotes) await found.getByText(`“${quote}”`).waitFor()
      assert.equal(await found.getByText(unshown).count(), 0)
      const doubtful = page.locator('.why > .warn-text', { hasText: 'not visible in the message' })
      assert.match((await doubtful.textContent())!, /“account\. --- Thanks”$/)
      assert.deepEqual(await page.locator('.text-copy mark.cite').allTextContents(), ['Total 49,90 €'])
      // The folded part was opened for the quote in it.
      const marks = page.frameLocator('iframe').locator('mark.spool-cited')
      const words = async () => (await marks.allTextContents()).join('|')
      await marks.getByText('on its way').waitFor({ state: 'visible' })
      assert.equal(await words(), 'Total|49,90 €|refund it|to my account|Your order is on its way.')

      await page.getByRole('button', { name: 'Hide quoted text' }).click()
      await doubtful.getByText('Your order is on its way.').waitFor()
      assert.equal(await found.getByText('on its way').count(), 0)

      const who = page.getByRole('article').locator('.who')
      await who.getByText("Not from Ada's address").waitFor()
      await who.getByText('Replies go to desk@third.example').waitFor()
      assert.equal(await who.getByText('not checked').isVisible(), false)
      await who.locator('summary').click()
      await who.getByText('not checked').waitFor({ state: 'visible' })
      assert.deepEqual(ada.problems, [])
    },
  )
