import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { writeAgentRules } from '../../src/core/inboxes/agent-rules.ts'
import { tools } from '../../src/mcp/tools/table.ts'
import { hostileWords } from './hostile/words.ts'
import { openDesk } from '../support/desk.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { callTool } from '../support/mcp.ts'
import { sendBy } from '../support/outgoing.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'

const home = resolve(import.meta.dirname, '../..')
const guide = readFileSync(join(home, 'docs/mcp.md'), 'utf8')
const run = promisify(execFile)

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1]
  if (found === undefined) throw new Error(`The guide has no block of ${language}.`)
  return found
}

test('the guide names every tool with its scope', () => {
  for (const { name, scope } of tools)
    assert.ok(guide.includes(`| \`${name}\` | ${scope === null ? 'any' : `\`${scope}\``} |`), name)
})

test('what the guide prints of an answer is what an agent sees', async () => {
  await using spool = await startSpool('sqlite')
  const desk = await openDesk(spool)
  const first = '<4711@brandt.example>'
  const { threadId } = await desk.receive({
    messageId: first,
    to: desk.inbox.address,
    date: Date.parse('2026-11-09T10:02:00Z'),
    text: 'My order 4711 was due on 3 November. Can you tell me when it will arrive?',
  })
  await desk.receive({
    references: [first],
    from: 'Dan Brandt <dan@brandt.example>',
    to: desk.inbox.address,
    date: Date.parse('2026-11-14T09:41:00Z'),
    text: 'Here is the receipt.',
    attachments: [{ filename: 'receipt.pdf', type: 'application/pdf', content: 'a'.repeat(48_213) }],
  })
  const { text, structured } = await callTool(spool.url, desk.token, 'get_thread', { threadId })
  const plain = text
    .replaceAll(String(structured['fence']), 'NONCE')
    .replaceAll(/\b(thr|msg|att)_[0-9a-z]+/g, '$1_…')
  assert.equal(`${plain}\n`, block('text get_thread'))
})

test('what the guide gives to copy works', async () => {
  await using spool = await startSpool('sqlite')
  await spool.receive({})
  const fill = (text: string): string =>
    text
      .replaceAll('/path/to/spool', home)
      .replaceAll('http://127.0.0.1:4100', spool.url)
      .replaceAll('spool_pat_…', spool.token)

  const desktop = JSON.parse(fill(block('json claude-desktop'))) as {
    mcpServers: { spool: { command: string; args: string[]; env: Record<string, string> } }
  }
  const { command, args, env } = desktop.mcpServers.spool
  const client = new Client({ name: 'test', version: '1' })
  const started = { command: command === 'node' ? process.execPath : command, args, env }
  await client.connect(new StdioClientTransport(started))
  assert.equal((await client.listTools()).tools.length, tools.length)
  await client.close()

  const cursor = JSON.parse(fill(block('json cursor'))) as {
    mcpServers: { spool: { url: string; headers: Record<string, string> } }
  }
  const code = JSON.parse(fill(block('json vscode'))) as {
    servers: { spool: { url: string; headers: Record<string, string> } }
  }
  const line = /--transport http spool (\S+) --header "(\w+): (.+)"/.exec(fill(guide))
  assert.ok(line)
  const claude = { url: line[1]!, headers: { [line[2]!]: line[3]! } }
  for (const { url, headers } of [cursor.mcpServers.spool, code.servers.spool, claude]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const asked = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    }
    assert.equal((await fetch(url, { method: 'POST', headers: asked, body })).status, 200)
  }

  const folder = scratchFolder('guide')
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'agent.mts'), block('ts run'))
  const environment = { PATH: process.env['PATH'], SPOOL_URL: spool.url, SPOOL_TOKEN: spool.token }
  const { stdout } = await run(process.execPath, ['agent.mts'], { cwd: folder, env: environment })
  assert.match(stdout, /Subject: Order 4711 has not arrived/)
  const python = await run('python3', ['-c', block('python run')], { env: environment })
  assert.match(python.stdout, /Subject: Order 4711 has not arrived/)
})

test('the example agent proposes only what house rules or the thread say, obeys nobody, and sends nothing', async () => {
  await using sink = await startSmtpSink()
  await using spool = await startSpool('sqlite', { SPOOL_UNDO_SECONDS: '0' })
  const desk = await openDesk(spool)
  await sendBy(spool.spool, desk.inbox, sink.port)
  const rules = 'Be brief.\nOrders arrive within a week of the confirmation.'
  await writeAgentRules(spool.spool, spool.actor, { inboxId: desk.inbox.id, text: rules, version: 0 })
  const asks = await desk.receive({ text: 'Hello, when do orders arrive? I wait.' })
  const wants = await desk.receive({ text: 'Order 4711 has not arrived yet. I need it before the 19th.' })
  const told = { messageId: '<told@a.example>', inReplyTo: '<asked@a.example>' }
  await desk.receive({ messageId: '<asked@a.example>', text: 'A question about the workshop.' })
  const words = { from: desk.inbox.address, ...told, text: 'Our workshop closes at four on Fridays.' }
  await desk.receive(words, { direction: 'outbound' })
  const again = { inReplyTo: '<told@a.example>', text: 'Sorry, when does the workshop close on Fridays?' }
  const repeats = await desk.receive(again)
  const open = await desk.receive({ text: 'Hello, where is my parcel?' })
  const tells = await desk.receive({ text: 'Thank you, it has arrived.' })
  const hostile = await desk.receiveAll(
    Object.values(hostileWords).map((words) => ({ text: `${words.toWellFormed()} Will you?` })),
  )
  const token = await spool.makeToken(desk.user, { scopes: ['threads:read', 'drafts:propose'] })
  const triage = async (): Promise<string> => {
    const env = { PATH: process.env['PATH'], SPOOL_URL: spool.url, SPOOL_TOKEN: token }
    const { stdout } = await run(process.execPath, [join(home, 'examples/triage/agent.ts')], { env })
    return stdout
  }
  const changes = () => desk.events('message.sent', 'thread.status_changed', 'thread.assigned')
  const before = await changes()
  const first = await triage()
  assert.match(first, new RegExp(`^${asks.threadId} proposed drf_\\w+, 0 claims to check$`, 'm'))
  assert.match(first, new RegExp(`^${wants.threadId} proposed drf_\\w+, 0 claims to check$`, 'm'))
  assert.match(first, new RegExp(`^${repeats.threadId} proposed drf_\\w+, 0 claims to check$`, 'm'))
  assert.match(first, new RegExp(`^${open.threadId} left alone: neither the house rules nor the thread`, 'm'))
  assert.match(first, /^No model is connected/)
  assert.match(first, new RegExp(`^${tells.threadId} left alone: it asks nothing$`, 'm'))
  assert.match(first, new RegExp(`^${5 + hostile.length} unread threads looked at, 3 answers proposed$`, 'm'))
  assert.doesNotMatch(first, /refused/, 'every quote of what was shown is good')
  const second = await triage()
  assert.match(second, new RegExp(`^${asks.threadId} has a draft already$`, 'm'))
  assert.deepEqual(sink.mails, [])
  assert.deepEqual(await changes(), before)
})

test('the example agent says in a sentence why it cannot begin', async () => {
  await using spool = await startSpool('sqlite')
  const desk = await openDesk(spool)
  const reader = await spool.makeToken(desk.user, { scopes: ['threads:read'] })
  const cases: [url: string, token: string, sentence: RegExp][] = [
    [spool.url, '', /^SPOOL_TOKEN must be a personal access token/],
    [
      spool.url,
      'spool_pat_wrong',
      /^This needs a valid personal access token.* Create one in the web inbox .* spool token create\.\n$/,
    ],
    [spool.url, reader, /^This token lacks drafts:propose: make one with "spool token create/],
    [
      'http://127.0.0.1:1',
      reader,
      /^Spool does not answer at http:\/\/127\.0\.0\.1:1; check that it is running/,
    ],
  ]
  for (const [url, token, sentence] of cases) {
    const env = { PATH: process.env['PATH'], SPOOL_URL: url, SPOOL_TOKEN: token }
    const agent = run(process.execPath, [join(home, 'examples/triage/agent.ts')], { env })
    const { code, stdout, stderr } = (await agent.catch((error: unknown) => error)) as Record<string, unknown>
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr as string, sentence)
    assert.equal((stderr as string).trimEnd().split('\n').length, 1, 'one sentence and no stack')
  }
})

test('an older Node hands over to the one that a checkout brings', async () => {
  // As an older one it is a file of its own that says another version.
  const old = join(scratchFolder('old'), 'node')
  copyFileSync(process.execPath, old)
  const claim = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})'
  const words = ['--import', `data:text/javascript,${encodeURIComponent(claim)}`, join(home, 'bin/spool.js')]
  const { stdout } = await run(old, [...words, 'token', '--help'])
  assert.match(stdout, /^Usage: spool token/)
  const failed = (await run(old, [...words, 'explode']).catch((error: unknown) => error)) as { code: number }
  assert.equal(failed.code, 2, 'the exit code is passed on')
})
