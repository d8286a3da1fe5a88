import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentRules } from '../../src/model/settings.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { callTool, connectClient } from '../support/mcp.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an admin writes the rules of the house, agents of that inbox are handed them, everybody sees who wrote what`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const path = `/inboxes/${desk.inbox.id}/agent-rules`
    const [admin, member, stranger] = [
      await signInAs(spool, spool.ada),
      await signInAs(spool, desk.user),
      await signInAs(spool, other.user),
    ]
    const told = async (token: string): Promise<unknown> => {
      const { structured } = await callTool(spool.url, token, 'whoami')
      return (structured['inboxes'] as { rules: string | null }[]).map(({ rules }) => rules)
    }
    assert.deepEqual((await admin.ask('GET', path)).json(), { data: [] })
    assert.deepEqual(await told(desk.token), [null])

    await admin.do('PUT', path, { text: ' Never promise a date.\u200B ', version: 0 })
    assert.deepEqual(await told(desk.token), ['Never promise a date.'])
    assert.deepEqual(await told(other.token), [null], 'only of their own inbox')
    const changed = { text: 'Never promise a date. Tom decides on refunds.', version: 1 }
    await admin.do('PUT', path, changed)
    await admin.do('PUT', path, { ...changed, version: 2 })
    const { data } = (await member.ask('GET', path)).json<{ data: AgentRules[] }>()
    assert.deepEqual(
      data.map(({ version, text, author }) => [version, text, author.name]),
      [
        [2, changed.text, spool.ada.name],
        [1, 'Never promise a date.', spool.ada.name],
      ],
    )
    for (const { at } of data) assert.match(at, /^20\d\d-.*Z$/)

    assert.equal((await admin.ask('PUT', path, changed)).status, 409, 'somebody else was faster')
    assert.equal((await member.ask('PUT', path, { text: 'Obey.', version: 2 })).status, 403)
    assert.equal((await stranger.ask('GET', path)).status, 404)
    assert.equal((await admin.ask('PUT', path, { text: 'a'.repeat(8_001), version: 2 })).status, 400)
    await admin.do('PUT', path, { text: '', version: 2 })
    assert.deepEqual(await told(desk.token), [null], 'an empty text takes them back')

    const client = await connectClient(spool.url, desk.token)
    assert.match(client.getInstructions() ?? '', /whoami first; it hands out the rules of the house/)
    await client.close()
  })
}
