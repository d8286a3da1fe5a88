import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../support/databases.ts'
import { openClient, readAnswers, restore, serve, type Asked } from '../support/old-store/store.ts'

/** Fields that answers have since. */
const added = /\\*"links\\*":\[[^\]]*\],|"inboxId":(?:"[^"]*"|null),/g

/** What an error says in words may change, its code may not; and answers may grow. */
function withoutWords({ door, ask, status, body: whole }: Asked): Asked {
  const body = whole.replaceAll(added, '')
  const wording = /("message":|"text":)"(?:[^"\\]|\\.)*"/g
  const failed = status >= 400 || body.includes('"isError":true')
  return { door, ask, status, body: failed ? body.replaceAll(wording, '$1') : body }
}

for (const database of databases)
  test(`${database}: a store of the version before is opened and answers every request as it did`, async () => {
    const { asked: recorded, ...who } = readAnswers(database)
    // How the tools are described is no answer out of the store: a golden file has it.
    const asked = recorded.filter(({ ask }) => !ask.includes('tools/list'))
    assert.ok(asked.length > 200)
    await using store = await restore(database)
    await using app = await serve(store)
    const ask = await openClient(app, who)
    // Twice: the second time out of the cache.
    for (const time of ['first', 'second'])
      for (const before of asked)
        assert.deepEqual(
          withoutWords(await ask(before.door, before.ask)),
          withoutWords(before),
          `${time} time: ${before.door} ${before.ask}`,
        )
  })
