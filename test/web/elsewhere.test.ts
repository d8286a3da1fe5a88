import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { startSpool } from '../support/spool.ts'

test('an empty list says what its status leaves out, and leads there', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ subject: 'It waits' })
  await assignThread(spool.spool, spool.actor, threadId, spool.ada)
  await changeStatus(spool.spool, spool.actor, threadId, 'waiting')
  await spool.receive({ subject: 'Of nobody' })
  await using ada = await visit(spool)
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/mine')
  await page.getByText('No open threads are assigned to you.').waitFor()
  await page.getByText('Also here:').waitFor()
  await takePicture(page, 'mine-empty')
  await page.getByRole('link', { name: '1 waiting' }).click()
  await page.locator('.row', { hasText: 'It waits' }).waitFor()
  assert.equal(await page.locator('.row', { hasText: 'Of nobody' }).count(), 0)
  await page.goto('/snoozed')
  await page.getByText('No snoozed threads.').waitFor()
  assert.equal(await page.getByText('Also here:').count(), 0, 'no status is hidden there')
  assert.deepEqual(ada.problems, [])
})

test(
  'the guide says where old mail is, and turns on notices of new mail',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const imap = {
      kind: 'imap',
      host: '127.0.0.1',
      port: 1,
      security: 'none',
      user: 'a',
      options: {},
    } as const
    const inbox = await addInbox(spool.spool, 'old@shop.example', 'Old', [{ ...imap, password: 'secret' }])
    for (const subject of ['one', 'two']) {
      const { threadId } = await spool.receive({ subject }, { inbox })
      await changeStatus(spool.spool, spool.actor, threadId, 'closed')
    }
    await using ada = await visit(spool)
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/settings/guide/mailbox')
    const card = page.locator('.connected', { hasText: 'old@shop.example' })
    await card.getByText('2 older threads start closed').waitFor()
    await takePicture(page, 'guide-old-mail')
    await card.getByRole('button', { name: 'Notify me of new mail here' }).click()
    await card.getByText('You are notified of new mail in Old.').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await takePicture(page, 'guide-old-mail-phone')
    await card.getByRole('link', { name: 'Show closed threads' }).click()
    await page.locator('.row', { hasText: 'two' }).waitFor()
    assert.equal(await page.locator('.row').count(), 2)
    assert.deepEqual(ada.problems, [])
  },
)
