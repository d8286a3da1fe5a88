import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { writeMail } from '../support/letter.ts'
import { fillMaildir } from '../support/mailbox-filler.ts'
import { followMailbox } from '../support/mail-user.ts'
import { mustHold } from '../support/must-hold.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startProxy } from '../support/proxy.ts'
import { Serving } from '../support/serving.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { countMessages, storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const kills = isLong ? 100 : 5
const fetched = isLong ? 2000 : 200
const handedOver = isLong ? 5000 : 500
const clients = 5

/** Mail servers that hand over `raws`; what was not acknowledged they hand over again, wherever Spool is then. */
class Clients {
  readonly acknowledged = new Set<number>()
  /** Where Spool takes mail in; null while it is dead. */
  port: number | null = null
  tries = 0
  readonly #raws: readonly string[]
  readonly #waiting: number[]
  readonly #working: Promise<unknown>

  constructor(raws: readonly string[]) {
    this.#raws = raws
    this.#waiting = [...raws.keys()]
    this.#working = Promise.all(Array.from({ length: clients }, () => this.#work()))
  }

  finish(): Promise<unknown> {
    return this.#working
  }

  async #work(): Promise<void> {
    while (this.acknowledged.size < this.#raws.length) {
      using client = this.port === null ? null : await SmtpClient.connect(this.port).catch(() => null)
      if (client !== null && (await client.hello()).startsWith('250')) await this.#deliver(client)
      await sleep(10)
    }
  }

  async #deliver(client: SmtpClient): Promise<void> {
    for (let index = this.#waiting.shift(); index !== undefined; index = this.#waiting.shift()) {
      this.tries++
      const replies = await client.deliver(this.#raws[index]!, ['orders@shop.example'])
      if (replies.at(-1)!.startsWith('250')) this.acknowledged.add(index)
      else this.#waiting.push(index)
      if (client.isClosed) return
    }
  }
}

for (const kind of databases)
  test(
    `${kind}: ${kills} kills in the middle of fetching ${fetched} and being handed ${handedOver} messages: each is here once, byte for byte, and none is missing that was acknowledged`,
    { skip: skipWithout('dovecot') },
    async (t) => {
      await using dovecot = await startDovecot({ users: { team: 'secret' } })
      await using proxy = await startProxy(dovecot.port)
      await using database = await freshDatabase(kind)
      await using store = await openStore(database)
      const { spool, inbox } = store
      const orders = await addInbox(spool, 'orders@shop.example', null)
      const wanted = fillMaildir(dovecot, 'team', fetched, { size: 1500 })
      const raws = Array.from({ length: handedOver }, (_, n) =>
        writeMail({ subject: `smtp${n}`, messageId: `<${n}@smtp.example>`, text: `Message ${n}` }),
      )
      await followMailbox(spool, inbox, proxy)
      const environment = {
        ...database.env,
        SPOOL_SMTP_LISTEN: '127.0.0.1:0',
        SPOOL_NAME_SERVERS: '127.0.0.1:9',
        SPOOL_LOG_LEVEL: 'info',
      }
      const outside = new Clients(raws)
      const found: { fetched: number; acknowledged: number }[] = []
      for (let n = 0; n < kills; n++) {
        // In most lives a little is fetched, and none is long enough for all of it.
        const isFetching = n % 3 !== 0
        proxy.stallAfter(isFetching ? 60_000 + Math.random() * 30_000 : Math.random() * 30_000)
        await using server = await Serving.start(environment)
        outside.port = server.smtpPort
        const before = await countMessages(spool, inbox.number)
        const enough = outside.acknowledged.size + 1 + Math.random() * 0.7 * (handedOver / kills)
        await until('mail is handed over', async () => outside.acknowledged.size >= enough, 60_000)
        if (isFetching && before < fetched)
          await until(
            'mail is fetched',
            async () => (await countMessages(spool, inbox.number)) > before,
            60_000,
          )
        await sleep(Math.random() * 50)
        outside.port = null
        await server.kill()
        const stored = new Set(await storedSources(spool, orders.number))
        const missing = [...outside.acknowledged].filter((index) => !stored.has(sum(raws[index]!)))
        mustHold.deepEqual(missing, [], 'acknowledged, and not here')
        found.push({
          fetched: await countMessages(spool, inbox.number),
          acknowledged: outside.acknowledged.size,
        })
        // A lease that nobody can renew any more would keep the next life waiting.
        await spool.db.transaction((db) => db.run(db.build.deleteFrom('leases')))
      }
      proxy.stallAfter(null)
      await using last = await Serving.start(environment)
      outside.port = last.smtpPort
      await outside.finish()
      await last.says(/a mailbox is up to date/, 300_000)
      await last.kill()

      t.diagnostic(`fetched before each kill: ${found.map((one) => one.fetched).join(', ')}`)
      t.diagnostic(
        `acknowledged before each kill: ${found.map((one) => one.acknowledged).join(', ')}; ${outside.tries} tries`,
      )
      assert.ok(new Set(found.map((one) => one.fetched)).size > kills / 3, 'it was killed at work')
      mustHold.deepEqual(await storedSources(spool, inbox.number), wanted.sort())
      mustHold.deepEqual(await storedSources(spool, orders.number), raws.map(sum).sort())
      mustHold.equal(await checkWhole(database), fetched + handedOver)
    },
  )
