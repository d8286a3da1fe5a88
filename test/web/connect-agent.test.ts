import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

interface HttpConfiguration {
  url: string
  headers: Record<string, string>
}

function overHttp({ url, headers }: HttpConfiguration): Transport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

/** Each client's configuration, parsed as that client does. */
const clients: { tab: string; read: (text: string) => Transport }[] = [
  {
    tab: 'Cursor',
    read: (text) =>
      overHttp((JSON.parse(text) as { mcpServers: { spool: HttpConfiguration } }).mcpServers.spool),
  },
  {
    tab: 'VS Code',
    read: (text) => overHttp((JSON.parse(text) as { servers: { spool: HttpConfiguration } }).servers.spool),
  },
  {
    tab: 'Claude Desktop',
    read(text) {
      const { spool } = (
        JSON.parse(text) as {
          mcpServers: { spool: { command: string; args: string[]; env: Record<string, string> } }
        }
      ).mcpServers
      return new StdioClientTransport(spool)
    },
  },
  {
    tab: 'Claude Code',
    read(text) {
      const [, url, name, value] = /--transport http \S+ (\S+) --header "([^:]+): ([^"]+)"/.exec(text)!
      return overHttp({ url: url!, headers: { [name!]: value! } })
    },
  },
]

test(
  'an agent with the pasted configuration makes its first call, and the page reports it',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const desk = await fillDesk(spool)
    await using ada = await visit(spool, { browser, height: 1200 })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/settings/agents')
    let pasted = ''
    for (const { tab, read } of clients) {
      const name = `Reader in ${tab}`
      await page.getByLabel('Agent name').fill(name)
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('3. Waiting for its first call…').waitFor()
      await page.getByRole('tab', { name: tab, exact: true }).click()
      const text = await page.getByRole('region', { name: `Configuration for ${tab}` }).innerText()
      if (tab === 'Cursor') {
        pasted = text
        await takePicture(page, 'agent-waiting')
      }
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(read(text))
      await client.callTool({ name: 'get_thread', arguments: { threadId: desk.order.threadId } })
      await page.getByRole('heading', { name: `${name} is connected` }).waitFor()
      await page.getByText('It made its first call just now').waitFor()
      if (tab === 'Cursor') await takePicture(page, 'agent-connected')
      await client.close()
      await page.getByRole('button', { name: 'Connect another' }).click()
    }
    const row = page.getByRole('row', { name: /Reader in Cursor/ })
    const [threads, messages] = await until('what it has read is counted', async () => {
      await page.goto('/settings/agents')
      await row.waitFor()
      const figures = (await row.getByRole('cell').allInnerTexts()).map(Number)
      return figures[0]! > 0 && figures
    })
    assert.deepEqual([threads, messages], [1, 2])
    // The token belongs to the person who created it, and stops working once revoked.
    await page.goto('/settings/tokens')
    await page.getByRole('button', { name: 'Revoke Reader in Cursor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke Reader in Cursor' }).waitFor({ state: 'detached' })
    const again = new Client({ name: 'test', version: '1' })
    await assert.rejects(async () => {
      await again.connect(clients[0]!.read(pasted))
      await again.callTool({ name: 'list_threads', arguments: {} })
    }, /401|token/i)
    assert.deepEqual(ada.problems, [])
  },
)

test('the curl line on the page works as shown', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  await spool.receive({})
  await using ada = await visit(spool, { browser })
  const { page } = ada
  await signInAt(spool, ada, spool.ada, '/settings/agents')
  await page.getByLabel('Agent name').fill('Terminal')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('tab', { name: 'curl' }).click()
  const text = await page.getByRole('region', { name: 'Configuration for curl' }).innerText()
  const [, header, url] = /-H "([^"]+)" "([^"]+)"/.exec(text)!
  const [name, value] = header!.split(': ')
  const answer = await fetch(url!, { headers: { [name!]: value! } })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { data: unknown[] }).data.length, 1)
  await page.getByRole('heading', { name: 'Terminal is connected' }).waitFor()
})
