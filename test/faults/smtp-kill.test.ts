import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { writeMail } from '../support/letter.ts'
import { Serving } from '../support/serving.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const kills = isLong ? 100 : 10
const messages = isLong ? 5000 : 500
const clients = 5

for (const kind of databases)
  test(`${kind}: ${kills} kills while ${clients} clients hand over ${messages} messages: nothing acknowledged is missing, nothing doubled`, async (t) => {
    await using database = await freshDatabase(kind)
    await using store = await openStore(database)
    const raws = Array.from({ length: messages }, (_, n) =>
      writeMail({ subject: `box${n}`, messageId: `<${n}@smtp.example>`, text: `Message ${n}` }),
    )
    const waiting = raws.map((raw, index) => ({ raw, index }))
    const acknowledged = new Set<number>()
    let server: Serving | null = null
    let isOver = false
    let tries = 0

    /** Hands over one after the other; what was not acknowledged is handed over again, as mail servers do. */
    const work = async (): Promise<void> => {
      for (;;) {
        const port = Number(server?.smtp?.split(':').at(-1) ?? 0)
        if (isOver && waiting.length === 0) return
        if (port === 0 || waiting.length === 0) {
          await sleep(10)
          continue
        }
        using client = await SmtpClient.connect(port).catch(() => null)
        if (client === null || !(await client.hello()).startsWith('250')) {
          await sleep(10)
          continue
        }
        for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
          tries++
          const answer = (await client.deliver(mail.raw, ['support@shop.example'])).at(-1)!
          if (answer.startsWith('250')) acknowledged.add(mail.index)
          else waiting.push(mail)
          if (client.isClosed) break
        }
      }
    }
    const environment = {
      ...database.env,
      SPOOL_SMTP_LISTEN: '127.0.0.1:0',
      SPOOL_NAME_SERVERS: '127.0.0.1:9',
      SPOOL_LOG_LEVEL: 'info',
    }
    const working = Promise.all(Array.from({ length: clients }, work))
    const found: number[] = []
    for (let n = 0; n < kills; n++) {
      await using running = await Serving.start(environment)
      server = running
      const enough = acknowledged.size + 1 + Math.random() * 0.7 * (messages / kills)
      await until('mail comes in', async () => acknowledged.size >= enough, 60_000)
      await sleep(Math.random() * 20)
      server = null
      await running.kill()
      found.push(acknowledged.size)
      const stored = new Set(await storedSources(store.spool, store.inbox.number))
      for (const index of acknowledged) assert.ok(stored.has(sum(raws[index]!)), `${index} was acknowledged`)
    }
    await using last = await Serving.start(environment)
    server = last
    isOver = true
    await working
    await last.kill()
    t.diagnostic(`acknowledged before each kill: ${found.join(', ')}; ${tries} tries`)
    assert.equal(acknowledged.size, messages)
    assert.deepEqual(await storedSources(store.spool, store.inbox.number), raws.map(sum).sort())
    assert.equal(await checkWhole(database), messages)
    assert.ok(new Set(found).size > kills / 2, 'it was killed at work')
  })
