import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageEntry } from '../../src/model/history.ts'
import { isLongRun } from '../support/corpora.ts'
import { databases } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { hiddenWords, hostileHtml } from '../support/hostile-mail.ts'
import { writeMail } from '../support/letter.ts'
import { callTool } from '../support/mcp.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSpool } from '../support/spool.ts'

/** Of as many kinds as there are mails, and more than ten kinds in all. */
const hostileMails = isLongRun ? 50 : 5
const portOf = (address: string | null): number => Number(address!.split(':').at(-1))

async function deliver(port: number, word: 'EHLO' | 'LHLO', raw: string, to: string): Promise<string> {
  using client = await SmtpClient.connect(port)
  await client.hello(word)
  return (await client.deliver(raw, [to])).at(-1)!
}

for (const database of databases)
  test(`${database}: hostile mail beside ordinary mail shows its header and a notice, never its source`, async () => {
    await using spool = await startSpool(database, {
      SPOOL_SMTP_LISTEN: '127.0.0.1:0',
      SPOOL_LMTP_LISTEN: '127.0.0.1:0',
    })
    const desk = await openDesk(spool)
    const kinds = Object.entries(hostileHtml)
    const doors = [
      [portOf(spool.app.smtp), 'EHLO'],
      [portOf(spool.app.lmtp), 'LHLO'],
    ] as const
    const sending = Array.from({ length: hostileMails }, (_, at) => {
      const [kind, html] = kinds[(at * 7) % kinds.length]!
      const [port, word] = doors[at % 2]!
      const hostile = writeMail({ subject: `Hostile ${at}: ${kind}`, html, text: hiddenWords })
      const ordinary = writeMail({ subject: `Ordinary ${at}`, text: `Ordinary words ${at}.` })
      return [
        deliver(port, word, hostile, desk.inbox.address),
        deliver(port, word, ordinary, desk.inbox.address),
      ]
    })
    for (const reply of await Promise.all(sending.flat())) assert.match(reply, /^250/)

    const threads = await desk.threads('?limit=100')
    assert.equal(threads.length, 2 * hostileMails)
    for (const { id, subject, preview } of threads) {
      const answer = await desk.get(`/api/v1/threads/${id}`)
      const tool = await callTool(spool.url, desk.token, 'get_thread', { threadId: id, full: true })
      assert.ok(!answer.text.includes(hiddenWords) && !tool.raw.includes(hiddenWords), subject)
      const [message] = answer.json<{ history: MessageEntry[] }>().history
      if (subject.startsWith('Ordinary')) {
        assert.match(message!.text, /^Ordinary words \d+\.$/)
        assert.deepEqual(message!.warnings, [])
        continue
      }
      assert.match(message!.text, /^This message could not be read safely/)
      assert.deepEqual([message!.newText, preview], [message!.text, message!.text])
      assert.deepEqual([message!.html, message!.warnings], [null, ['unparsable']])
      assert.equal(message!.from.address, 'carla@brandt.example')
      assert.ok(tool.raw.includes('This message could not be read safely'), subject)
    }
    const found = await desk.threads(`?q=instructions&limit=100`)
    assert.deepEqual(found, [], 'nobody finds it by what it does not show')
  })
