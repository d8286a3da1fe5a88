import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { installTools } from '../support/tools.ts'
import { until } from '../support/until.ts'

interface Said {
  text: string
}

interface Remote {
  program: string
  url: string
  /** What it keeps between two starts. */
  folder: string
}

/** As a host starts it that knows nothing but the address; `said` is what it would show a person. */
function startRemote({ program, url, folder }: Remote, flags: string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, `${url}/mcp`, '--auth-timeout', '300', ...flags],
    // Where it would open a browser of the machine, nothing happens: the test goes there itself.
    env: { PATH: process.env['PATH']!, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
    stderr: 'pipe',
  })
  const said: Said = { text: '' }
  transport.stderr!.on('data', (piece: Buffer) => (said.text += piece.toString()))
  const client = new Client({ name: 'host', version: '1' })
  const connected = client.connect(transport, { timeout: 120_000 })
  return { client, said, connected, [Symbol.asyncDispose]: () => transport.close() }
}

test(
  'mcp-remote gets from the address through the page to its first call, keeps its access, gets more on request, and asks again once it is disconnected',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({})
    await using ada = await visit(spool)
    const { page } = ada
    await signInAt(spool, ada, spool.ada)
    const { path } = await installTools(join(import.meta.dirname, 'tools/mcp-remote'))
    const folder = scratchFolder('mcp-remote')
    const remote = { program: path('mcp-remote/dist/proxy.js'), url: spool.url, folder }
    /** A person goes where it says, ticks, allows, and is sent back to it. */
    const decide = async (said: Said, ...boxes: string[]): Promise<void> => {
      const address = await until('it says where to go', async () => findAddress(said), 60_000)
      said.text = ''
      await page.goto(address)
      for (const box of boxes) await page.getByLabel(box).check()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL('http://localhost:*/oauth/callback**')
    }

    await using first = startRemote(remote)
    await decide(first.said, 'Support')
    await first.connected
    assert.match(await callTool(first.client, 'list_threads'), /Where is my order/)
    const notes = callTool(first.client, 'list_notes', { threadId })
    await decide(first.said, "Read the team's notes")
    assert.match(await notes, /"data":\[\]/)
    await first.client.close()

    // The next start needs nobody: its access token has ended, and it renews it. This one speaks the newest revision.
    spoilAccessToken(folder)
    await using second = startRemote(remote, ['--protocol', 'auto'])
    await second.connected
    assert.match(await callTool(second.client, 'list_threads'), /Where is my order/)
    assert.match(second.said.text, /Remote server speaks MCP 2026-07-28/)
    assert.equal(findAddress(second.said), undefined, second.said.text)
    await second.client.close()

    for (const { id, clientId } of await listTokens(spool.spool, spool.ada.email))
      if (clientId !== null) await revokeToken(spool.spool, id)
    await using third = startRemote(remote)
    await decide(third.said, 'Support')
    await third.connected
    assert.match(await callTool(third.client, 'list_threads'), /Where is my order/)
  },
)

function findAddress({ text }: Said): string | undefined {
  return /(http\S+\/oauth\/authorize\?\S+)\s/.exec(text)?.[1]
}

async function callTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<string> {
  return JSON.stringify(await client.callTool({ name, arguments: given }, { timeout: 120_000 }))
}

/** In its folder, as if it had ended. */
function spoilAccessToken(folder: string): void {
  const file = readdirSync(folder, { recursive: true, withFileTypes: true }).find(({ name }) =>
    name.endsWith('_tokens.json'),
  )
  const path = join(file!.parentPath, file!.name)
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  writeFileSync(path, JSON.stringify({ ...kept, access_token: 'spool_mcp_ended' }))
}
