import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { configureAgents } from '../../src/core/tokens/agent-configurations.ts'
import type { AgentConfigurations, AgentView, FirstCall } from '../../src/model/settings.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { ReadingTally } from '../../src/core/tokens/reading-tally.ts'
import type { Draft } from '../../src/model/draft.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startNode } from '../support/nodes.ts'
import { sendBy, untilStatus } from '../support/outgoing.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

interface Made {
  tokenId: string
  token: string
  configurations: AgentConfigurations
}

const connect = async (transport: Transport): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

interface Remote {
  url: string
  headers: Record<string, string>
}

const overHttp = ({ url, headers }: Remote): Promise<Client> =>
  connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))

async function agentOf(page: WebClient, tokenId: string): Promise<AgentView['last30Days']> {
  const { data } = await page.do<{ data: AgentView[] }>('GET', '/agents')
  return data.find((agent) => agent.tokenId === tokenId)!.last30Days
}

async function sit(spool: TestSpool): Promise<{ desk: Desk; page: WebClient; made: Made }> {
  const desk = await openDesk(spool)
  const page = await signInAs(spool, desk.user)
  const made = await page.do<Made>('POST', '/agents', { name: 'Triage', expires: '30d' })
  return { desk, page, made }
}

test('the guide shows the configurations that the page gives', () => {
  const guide = readFileSync('docs/mcp.md', 'utf8')
  const bridge = { command: 'node', script: '/path/to/spool/bin/spool.js' }
  const given = configureAgents('http://127.0.0.1:4100', 'spool_pat_…', bridge)
  const block = (name: string): unknown =>
    JSON.parse(new RegExp(`^\`\`\`json ${name}\n(.*?)^\`\`\``, 'ms').exec(guide)![1]!)
  assert.deepEqual(block('claude-desktop'), JSON.parse(given.claudeDesktop))
  assert.deepEqual(block('cursor'), JSON.parse(given.cursor))
  assert.deepEqual(block('vscode'), JSON.parse(given.vscode))
  assert.ok(guide.includes(given.claudeCode))
  assert.ok(guide.includes(given.curl))
  const remote = configureAgents('https://mail.shop.example', 'spool_pat_…', bridge)
  assert.deepEqual(block('claude-desktop-remote'), JSON.parse(remote.claudeDesktop))
})

for (const database of databases) {
  const shared = shareSpool(database, { SPOOL_UNDO_SECONDS: '0' })

  test(`${database}: every configuration connects as it is pasted, and the page hears of the first call`, async () => {
    const spool = await shared()
    const { desk, page } = await sit(spool)
    await desk.receive()
    const ways: Record<Exclude<keyof AgentConfigurations, 'curl'>, (text: string) => Promise<Client>> = {
      claudeDesktop(text) {
        const { command, args, env } = JSON.parse(text).mcpServers.spool
        return connect(new StdioClientTransport({ command, args, env }))
      },
      claudeCode(text) {
        const [, url, name, value] = /--transport http spool (\S+) --header "(\w+): (.+)"$/.exec(text)!
        return overHttp({ url: url!, headers: { [name!]: value! } })
      },
      cursor: (text) => overHttp(JSON.parse(text).mcpServers.spool as Remote),
      vscode: (text) => overHttp(JSON.parse(text).servers.spool as Remote),
    }
    for (const [name, open] of Object.entries(ways)) {
      const began = Date.now() - 1
      const made = await page.do<Made>('POST', '/agents', { name, expires: '7d' })
      const at = `/agents/${made.tokenId}/first-call`
      assert.deepEqual(await page.do<FirstCall>('GET', at), { calledAt: null, tool: null })
      // A busy machine may take longer to start a client than one request waits.
      const waiting = until('the first call is heard of', async () => {
        const heard = await page.do<FirstCall>('GET', `${at}?wait=25`)
        return heard.calledAt !== null && heard
      })
      const client = await open(made.configurations[name as keyof AgentConfigurations])
      await client.callTool({ name: 'list_threads', arguments: {} })
      const heard = await waiting
      assert.ok(Date.parse(heard.calledAt!) > began, name)
      const told = await until('its first tool is told', async () => {
        const now = await page.do<FirstCall>('GET', at)
        return now.tool !== null && now
      })
      assert.equal(told.tool, 'list_threads')
      await client.close()
    }
    const made = await page.do<Made>('POST', '/agents', { name: 'curl', expires: '7d' })
    const [, header, url] = /^curl -H "Authorization: (.+)" "(.+)"$/.exec(made.configurations.curl)!
    assert.equal((await fetch(url!, { headers: { authorization: header! } })).status, 200)
    const heard = await page.do<FirstCall>('GET', `/agents/${made.tokenId}/first-call?wait=25`)
    assert.equal(heard.tool, '/api/v1/threads')
  })

  test(`${database}: the tally says how much each agent has read, over both doors and from memory`, async () => {
    const spool = await shared()
    const { desk, page, made } = await sit(spool)
    const { threadId, messageId } = await desk.receive({ messageId: '<one@brandt.example>' })
    assert.ok(messageId)
    await desk.receive({ inReplyTo: '<one@brandt.example>', text: 'And?' })
    await addNote(spool.spool, desk.actor, threadId, 'One')
    await addNote(spool.spool, desk.actor, threadId, 'Two')
    const get = async (path: string, headers = {}): Promise<Headers> => {
      const answer = await desk.get(path, { token: made.token, headers })
      assert.ok([200, 304].includes(answer.status), answer.text)
      return answer.headers
    }
    // The later ones come from memory.
    const thread = `/api/v1/threads/${threadId}`
    for (let count = 0; count < 4; count++) await get(thread)
    const etag = (await get(thread)).get('etag')!
    await get(thread, { 'if-none-match': etag })
    await get('/api/v1/threads')
    await get(`${thread}/notes`)
    const client = await overHttp(JSON.parse(made.configurations.cursor).mcpServers.spool as Remote)
    for (let count = 0; count < 4; count++)
      await client.callTool({ name: 'get_thread', arguments: { threadId } })
    await client.callTool({ name: 'list_notes', arguments: { threadId } })
    await client.callTool({ name: 'list_threads', arguments: {} })
    await client.close()
    const wanted = { threadsRead: 9, messagesRead: 18, notesRead: 4 }
    const found = await until('all of it is written down', async () => {
      const { threadsRead, messagesRead, notesRead, calls } = await agentOf(page, made.tokenId)
      return notesRead >= 4 && calls >= 14 && { threadsRead, messagesRead, notesRead }
    })
    assert.deepEqual(found, wanted, 'what was not sent again was not read again, and a list is not reading')

    const other = await sit(spool)
    const { data } = await other.page.do<{ data: AgentView[] }>('GET', '/agents')
    assert.ok(!data.some(({ tokenId }) => tokenId === made.tokenId), "others' agents are not one's own")
    assert.equal((await other.page.ask('GET', `/agents/${made.tokenId}/first-call`)).status, 404)
    const admin = await signInAs(spool, spool.ada)
    assert.deepEqual((await agentOf(admin, made.tokenId)).threadsRead, 9)
  })

  test(`${database}: several nodes add up, and what was counted before the end is kept`, async () => {
    const spool = await shared()
    const { desk, page, made } = await sit(spool)
    const { threadId } = await desk.receive()
    const read = { headers: { authorization: `Bearer ${made.token}` } }
    {
      await using beside = await startNode(spool.database)
      for (const url of [beside.app.url, spool.url])
        for (let count = 0; count < 3; count++)
          await (await fetch(`${url}/api/v1/threads/${threadId}`, read)).text()
    }
    const tally = new ReadingTally(spool.spool.db)
    tally.noteReads(made.tokenId, { threads: 100, messages: 0, notes: 0 }, Date.now())
    tally.noteReads(made.tokenId, { threads: 1000, messages: 0, notes: 0 }, Date.now() - 31 * 86_400_000)
    await tally[Symbol.asyncDispose]()
    await until('both are written down', async () => (await agentOf(page, made.tokenId)).calls === 6)
    assert.equal((await agentOf(page, made.tokenId)).threadsRead, 106, 'what is older than 30 days is not')
  })

  test(`${database}: what became of proposals: sent as they were, edited, discarded, withdrawn, open`, async () => {
    const spool = await shared()
    await using sink = await startSmtpSink()
    const { desk, page, made } = await sit(spool)
    await sendBy(spool.spool, desk.inbox, sink.port)
    const client = await overHttp(JSON.parse(made.configurations.cursor).mcpServers.spool as Remote)
    const propose = async (): Promise<string> => {
      const { threadId } = await desk.receive()
      const { structuredContent } = await client.callTool({
        name: 'propose_draft',
        arguments: { threadId, text: 'We look into it.' },
      })
      return (structuredContent as { id: string }).id
    }
    const draft = (id: string): Promise<Draft> => page.do<Draft>('GET', `/drafts/${id}`)
    const [asIs, edited, discarded, withdrawn] = [
      await propose(),
      await propose(),
      await propose(),
      await propose(),
    ]
    await propose()
    await page.do('PUT', `/drafts/${edited}`, { revision: 1, text: 'We have found it.' })
    for (const id of [asIs, edited]) {
      await page.send(await draft(id))
      await untilStatus(() => draft(id), ['sent'])
    }
    await page.do('POST', `/drafts/${discarded}/discard`, { revision: 1 })
    await client.callTool({ name: 'withdraw_draft', arguments: { draftId: withdrawn } })
    await client.close()
    const { proposed, sentUnchanged, sentEdited, ...rest } = await agentOf(page, made.tokenId)
    const { discarded: thrown, withdrawn: taken, open } = rest
    assert.deepEqual(
      { proposed, sentUnchanged, sentEdited, discarded: thrown, withdrawn: taken, open },
      { proposed: 5, sentUnchanged: 1, sentEdited: 1, discarded: 1, withdrawn: 1, open: 1 },
    )
    const { proposals } = await page.do<{ proposals: object }>('GET', '/numbers')
    assert.deepEqual(
      proposals,
      { proposed: 5, sentUnchanged: 1, sentEdited: 1, discarded: 1, withdrawn: 1, open: 1 },
      'the numbers say the same',
    )
  })
}
