import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'

for (const database of databases) {
  test(`${database}: a mail becomes a thread with its message`, async () => {
    await using spool = await startSpool(database)
    const { threadId } = await spool.receive({
      subject: 'Größe der Rahmen',
      text: 'Hallo,\n\nwie groß ist er?\n',
    })
    const [summary] = await spool.threads()
    assert.equal(summary!.id, threadId)
    assert.equal(summary!.subject, 'Größe der Rahmen')
    assert.deepEqual(summary!.sender, { name: 'Carla Brandt', address: 'carla@brandt.example' })
    assert.equal(summary!.status, 'open')
    assert.equal(summary!.unread, true)
    assert.equal(summary!.preview, 'Hallo, wie groß ist er?')
    const thread = await spool.thread(threadId)
    assert.equal(thread.history.length, 1)
    assert.equal(thread.history[0]!.type, 'message')
  })

  test(`${database}: a reply joins its thread by In-Reply-To`, async () => {
    await using spool = await startSpool(database)
    const first = await spool.receive({ messageId: '<1@x.example>' })
    const second = await spool.receive({
      messageId: '<2@x.example>',
      inReplyTo: '<1@x.example>',
      subject: 'Re: other',
    })
    assert.equal(second.threadId, first.threadId)
    assert.equal((await spool.threads())[0]!.messageCount, 2)
  })
}
