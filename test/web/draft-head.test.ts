import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { agentOf } from '../support/agents.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { startSpool } from '../support/spool.ts'

test("a draft's header shows that it is not sent, at any width", { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ text: 'Where is my order?' })
  await proposeDraft(spool.spool, await agentOf(spool.spool, spool.token), { threadId, text: 'On its way.' })
  await using ada = await visit(spool)
  const { page } = ada
  await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
  const words = page.locator('.draft > header').getByText('not sent', { exact: true })
  for (const width of [1440, 1100, 900, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await words.scrollIntoViewIfNeeded()
    const isWhole = await words.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)
    const { x, width: size } = (await words.boundingBox())!
    assert.ok(isWhole && x >= 0 && x + size <= width, `at ${width} pixels`)
    if (width === 390 || width === 1440) await takePicture(page, `draft-head-${width}`)
  }
})
