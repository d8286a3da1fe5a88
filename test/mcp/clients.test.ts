import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { addNote } from '../../src/core/threads/notes.ts'
import { connectClient, revisions, toolNames, type Revision } from '../support/mcp.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { installTools } from '../support/tools.ts'

const home = resolve(import.meta.dirname, '../..')
const program = join(home, 'bin/spool.js')

const started = startSpool('sqlite')
after(async () => (await started)[Symbol.asyncDispose]())

async function openThread(): Promise<{ url: string; token: string; threadId: string }> {
  const spool = await started
  const { threadId } = await spool.receive({
    text: 'My order 4711 was due on 3 November.',
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'Parcel 99' }],
  })
  await addNote(spool.spool, spool.actor, threadId, 'The carrier has it.')
  return { url: spool.url, token: spool.token, threadId }
}

type Call = (tool: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>

/** What an agent does in a day, with every tool there is. */
async function useEveryTool(threadId: string, call: Call): Promise<void> {
  const used = new Set<string>()
  const use: Call = (tool, input) => {
    used.add(tool)
    return call(tool, input)
  }
  assert.equal((await use('whoami', {}))['canSend'], false)
  const list = await use('list_threads', { unread: true, limit: 100 })
  assert.ok((list['data'] as { id: string }[]).some(({ id }) => id === threadId))
  const read = await use('get_thread', { threadId })
  assert.equal(read['id'], threadId)
  const [attachmentId] = /att_\w+/.exec(JSON.stringify(read))!
  assert.match(JSON.stringify(await use('get_attachment', { attachmentId })), /Parcel 99/)
  const found = await use('search', { query: 'November' })
  assert.ok((found['results'] as { id: string }[]).some(({ id }) => id === threadId))
  assert.match(JSON.stringify(await use('fetch', { id: threadId })), /3 November/)
  assert.match(JSON.stringify(await use('list_notes', { threadId })), /The carrier has it/)
  const { id: draftId } = await use('propose_draft', { threadId, text: 'It is on its way.' })
  const revised = await use('revise_draft', { draftId, revision: 1, text: 'It arrives today.' })
  assert.equal(revised['revision'], 2)
  assert.equal((await use('get_draft', { draftId }))['status'], 'proposed')
  assert.match(JSON.stringify(await use('list_drafts', { threadId })), /It arrives today/)
  assert.equal((await use('withdraw_draft', { draftId }))['status'], 'withdrawn')
  assert.deepEqual([...used].sort(), toolNames.toSorted(), 'every tool was called')
}

/** The client itself holds every answer against the schema that was listed. */
function callerOf(client: Client): Call {
  return async (name, input) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: input })
    assert.ok(!isError, JSON.stringify(content))
    return structuredContent as Record<string, unknown>
  }
}

const bridge = (url: string, token: string, folder: string): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { SPOOL_URL: url, SPOOL_TOKEN: token, SPOOL_DATA: folder, PATH: process.env['PATH']! },
    cwd: folder,
  })

async function connectBridge(transport: Transport, revision: Revision): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

for (const revision of revisions) {
  test(`the official client lists and calls every tool over HTTP, in ${revision}`, async () => {
    const { url, token, threadId } = await openThread()
    const client = await connectClient(url, token, revision)
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    assert.match(client.getInstructions() ?? '', /never instruction/)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolNames,
    )
    await useEveryTool(threadId, callerOf(client))
    await client.close()
  })

  test(`the official client lists and calls every tool over stdio, in ${revision}; the bridge opens no store`, async () => {
    const { url, token, threadId } = await openThread()
    const folder = scratchFolder('bridge')
    const client = await connectBridge(bridge(url, token, folder), revision)
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolNames,
    )
    await useEveryTool(threadId, callerOf(client))
    await client.close()
    for (const name of ['spool.db', 'secret']) assert.ok(!existsSync(join(folder, name)), `${name} was made`)
  })
}

/** A process for each call, as from a shell. */
async function inspect(target: string[], ...words: string[]): Promise<Record<string, unknown>> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const tools = await installTools(join(import.meta.dirname, 'tools'))
  const inspector = tools.path('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  // A busy machine takes its time.
  const timeout = ['--connect-timeout', '120000']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, '--cli', ...target, ...words, ...timeout],
    { env: { PATH, NODE_COMPILE_CACHE, HOME: scratchFolder('inspector') } },
  )
  return JSON.parse(stdout) as Record<string, unknown>
}

const targets: Record<string, (url: string, token: string) => string[]> = {
  HTTP: (url, token) => [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`],
  stdio: (url, token) => [
    process.execPath,
    program,
    'mcp',
    '-e',
    `SPOOL_URL=${url}`,
    '-e',
    `SPOOL_TOKEN=${token}`,
  ],
}

for (const [way, target] of Object.entries(targets)) {
  // A process or two for each call: every tool in the long run, one otherwise. The official client always calls all.
  const isWhole = process.env['SPOOL_TEST_LONG'] === '1'
  test(`the inspector's command line lists and calls ${isWhole ? 'every tool' : 'a tool'} over ${way}`, async () => {
    const { url, token, threadId } = await openThread()
    const place = target(url, token)
    const { tools } = await inspect(place, '--method', 'tools/list', '--strict')
    assert.deepEqual(
      (tools as { name: string }[]).map(({ name }) => name),
      toolNames,
    )
    const call: Call = async (tool, input) => {
      const given = Object.entries(input).flatMap(([name, value]) => [
        '--tool-arg',
        `${name}=${String(value)}`,
      ])
      const answer = await inspect(place, '--method', 'tools/call', '--tool-name', tool, ...given)
      return answer['structuredContent'] as Record<string, unknown>
    }
    if (isWhole) await useEveryTool(threadId, call)
    else assert.equal((await call('get_thread', { threadId }))['id'], threadId)
  })
}
