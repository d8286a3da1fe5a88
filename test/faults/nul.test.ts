import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appRoutes } from '../../src/http/routes/app/table.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { callTool } from '../support/mcp.ts'
import { signInAs } from '../support/web-client.ts'

const nul = 'a\0b'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an id with a NUL in it names nothing, at any door`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    // To an admin every route is open.
    const page = await signInAs(spool, spool.ada)
    const reading = appRoutes.filter(({ method, path }) => method === 'GET' && path.includes('{'))
    assert.ok(reading.length >= 8)
    for (const { path } of reading)
      assert.equal((await page.ask('GET', path.replaceAll(/\{\w+\}/g, '%00'))).status, 404, path)
    assert.equal((await page.ask('DELETE', '/sessions/a%00b')).status, 404)
    for (const path of ['/threads/%00', '/threads/%00/notes', '/attachments/%00'])
      assert.equal((await spool.get(`/api/v1${path}`, { token: desk.token })).status, 404, path)
    for (const [tool, input] of [
      ['get_thread', { threadId: nul }],
      ['list_notes', { threadId: nul }],
      ['propose_draft', { threadId: nul, text: 'Hello' }],
      ['revise_draft', { draftId: nul, revision: 1, text: 'Hello' }],
      ['withdraw_draft', { draftId: nul }],
      ['get_draft', { draftId: nul }],
    ] as const) {
      const answer = await callTool(spool.url, desk.token, tool, input)
      assert.match(answer.text, /must be the id of a/, tool)
    }
  })

  test(`${database}: a text with a NUL in it is refused in words, before and after signing in`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { threadId } = await desk.receive({})
    for (const [path, body] of [
      ['/session', { email: nul, password: nul }],
      ['/setup', { token: nul, email: 'a@b.example', name: 'A', password: nul }],
      [`/threads/${threadId}/notes`, { text: nul }],
      [`/threads/${threadId}/join`, { other: nul }],
      ['/presence', { threadId: nul }],
      ['/drafts', { kind: 'reply', threadId: nul, text: 'Hello' }],
      ['/drafts', { kind: 'forward', messageId: nul, text: 'Hello' }],
      ['/threads/bulk', { ids: [nul], action: { type: 'status', status: 'closed' } }],
    ] as const) {
      const { status, text } = await page.ask('POST', path, body)
      assert.equal(status, 400, `${path} ${text}`)
      assert.match(text, /NUL character/, path)
    }
    const request = new URLSearchParams({ request: 'client_id=a%00b' }).toString()
    const asked = await page.ask('GET', `/consents?${request}`)
    assert.equal(asked.status, 400, asked.text)
    for (const line of spool.log) assert.doesNotMatch(line, /failed with an internal error/)
  })
}
