import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { scopes } from '../../src/model/access.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { describeTimes, timeWhile } from '../support/latencies.ts'
import { mustHold } from '../support/must-hold.ts'
import { startNode, type Node } from '../support/nodes.ts'
import { checkWhole } from '../support/wholeness.ts'

const kills = process.env['SPOOL_TEST_LONG'] === '1' ? 100 : 5
/** So many that no import gets through before it is killed. */
const mailbox = kills * 50

async function prepare(database: FreshDatabase): Promise<void> {
  await using spool = await openSpool(readConfig(database.env), 'inline')
  await addInbox(spool, 'support@shop.example', null)
  await addUser(spool, { email: 'ada@shop.example', name: 'Ada', role: 'admin', inboxes: [], password: null })
}

async function makeToken({ app }: Node): Promise<string> {
  const wanted = { email: 'ada@shop.example', name: 'Reader', scopes, inboxes: [], lifetime: null }
  return (await createToken(app.spool, wanted)).token
}

function start(database: FreshDatabase, mode: string): Child {
  return new Child('test/faults/child/write.ts', [mode, String(mailbox)], database.env)
}

for (const kind of databases) {
  test(`${kind}: a store whose writer was killed ${kills} times holds whole threads, and each message once`, async (t) => {
    await using database = await freshDatabase(kind)
    await prepare(database)
    await using server = await startNode(database)
    const token = await makeToken(server)
    let killing = true
    const reading = timeWhile(
      () => killing,
      async () => {
        for (const path of [
          '/api/v1/threads?limit=5',
          '/api/v1/threads?q=mailbox&limit=5',
          '/api/v1/events?limit=5',
        ])
          assert.equal(await server.ask(path, token), 200, 'a server beside it reads on')
        await sleep(40)
      },
    )
    // What fails first is told, and not that the server is gone after it.
    reading.catch(() => undefined)
    const found: number[] = []
    // The next one starts while the store of the last is looked at.
    let next = start(database, 'import')
    for (let n = 0; n < kills; n++) {
      await using child = next
      await child.says(/wrote|\}/)
      await sleep(Math.random() * 100)
      await child.kill()
      found.push(await checkWhole(database))
      next = start(database, n % 2 ? 'import' : 'serve')
    }
    await next.kill()
    killing = false
    t.diagnostic(`three reads of a server beside it: ${describeTimes(await reading)}`)
    t.diagnostic(`messages found after each kill: ${found.join(', ')}`)
    assert.ok(found.at(-1)! > found[0]!, 'each went on where the last was stopped')

    const whole = async (): Promise<Record<string, number>> => {
      await using child = start(database, 'import')
      assert.equal((await child.ended).code, 0, child.stderr)
      return JSON.parse(child.stdout.split('\n').at(-2)!) as Record<string, number>
    }
    const rest = await whole()
    mustHold.deepEqual([rest['messages']! + rest['duplicates']!, rest['failed']], [mailbox, 0])
    const again = await whole()
    mustHold.deepEqual([again['messages'], again['duplicates'], again['threads']], [0, mailbox, 0])
    await checkWhole(database)
  })
}
