import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewText, readAttachment } from '../../src/core/threads/attachment-text.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { startSpool } from '../support/spool.ts'

test('however many files a person asks for at once, others wait for one of them', async () => {
  await using spool = await startSpool('sqlite')
  const attachments = [{ filename: 'a.txt', type: 'text/plain', content: 'a' }]
  const { threadId } = await spool.receive({ from: 'eve@x.example', text: 'x', attachments })
  const [message] = (await spool.thread(threadId)).history as MessageEntry[]
  const { id } = message!.attachments[0]!
  const bob = await spool.makeUser('bob@shop.example', 'member', [spool.inbox])
  const inboxes = [spool.inbox]
  let under = 0
  let most = 0
  const slow: typeof spool.spool = {
    ...spool.spool,
    async readFile(bytes, contentType, filename) {
      most = Math.max(most, ++under)
      const read = await spool.spool.readFile(bytes, contentType, filename)
      under--
      return read
    },
  }
  const ask = { as: null, cursor: null }
  const texts = await Promise.all([
    ...Array.from({ length: 10 }, async () => readAttachment(slow, { user: spool.ada, inboxes }, id, ask)),
    ...Array.from({ length: 10 }, async () => previewText(slow, { user: spool.ada, inboxes }, id)),
    previewText(slow, { user: bob, inboxes }, id),
  ])
  assert.deepEqual(new Set(texts.map(({ text }) => text)), new Set(['a']))
  assert.ok(most <= 2, `${most} at once`)
  const broken: typeof spool.spool = { ...slow, readFile: async () => Promise.reject(new Error('broken')) }
  await assert.rejects(previewText(broken, { user: bob, inboxes }, id), /broken/)
  assert.equal((await previewText(slow, { user: bob, inboxes }, id)).text, 'a')
})
