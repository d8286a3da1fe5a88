import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { examine } from '../support/page-check.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { callMcp, discover, serveDocument, TestClient } from '../support/oauth.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

/** What the official client keeps, as an application would; a person's browser goes where it says. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly known: { client_id: string } | null
  sentTo: URL | null = null
  saved: Record<string, unknown> = {}

  constructor(redirectUrl: string, known: { client_id: string } | null) {
    this.redirectUrl = redirectUrl
    this.known = known
  }

  get clientMetadata() {
    return {
      client_name: 'Official client',
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation() {
    return (this.known ?? this.saved['client']) as never
  }
  saveClientInformation(client: unknown) {
    this.saved['client'] = client
  }
  tokens() {
    return this.saved['tokens'] as never
  }
  saveTokens(tokens: unknown) {
    this.saved['tokens'] = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string) {
    this.saved['verifier'] = verifier
  }
  codeVerifier() {
    return this.saved['verifier'] as string
  }
}

/** Where the application on the person's computer waits for the browser. */
async function waitForBrowser() {
  const came: URL[] = []
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/callback')) came.push(new URL(request.url!, 'http://127.0.0.1'))
    response.end('You can close this page.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return {
    url,
    /** Once the browser has arrived there. */
    async next(page: Page) {
      await page.waitForURL(`${url}**`)
      return until('the browser comes back', async () => came.shift())
    },
    came,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function openTransport(spool: TestSpool, authProvider: Provider): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${spool.url}/mcp`), { authProvider })
}

async function tick(page: Page, ...labels: string[]): Promise<void> {
  for (const label of labels) await page.getByLabel(label).check()
}

test(
  'the official client gets from the address to its first call through the page: by document, by registration, entered; more scopes on request, refused, refreshed',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite', { SPOOL_FETCH_ALLOW: '127.0.0.0/8' })
    await spool.receive({})
    await using back = await waitForBrowser()
    await using document = await serveDocument(() => ({ redirect_uris: [back.url] }))
    await using ada = await visit(spool, { browser, height: 1100 })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/settings/agents')

    // An admin enters a client on the page.
    await page.getByLabel('Client name').fill('Entered client')
    await page.getByLabel('Redirect addresses').fill(back.url)
    await page.getByRole('button', { name: 'Add client' }).click()
    const entered = await page.getByLabel('Client ID of Entered client').inputValue()
    const ways: [name: string, known: { client_id: string } | null][] = [
      ['By document', { client_id: document.url }],
      ['By registration', null],
      ['Entered', { client_id: entered }],
    ]
    for (const [name, known] of ways) {
      const provider = new Provider(back.url, known)
      const first = openTransport(spool, provider)
      await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError)
      await page.goto(provider.sentTo!.href)
      await page.getByRole('heading', { name: 'Give this agent access?' }).waitFor()
      if (name === 'By document') {
        assert.equal(await page.locator('.consent-host').innerText(), new URL(document.url).host)
        await page.getByText('It calls itself “Test client”. This has not been verified.').waitFor()
        const boxes = await page.getByRole('checkbox').all()
        const ticked = await Promise.all(boxes.map((box) => box.isChecked()))
        assert.deepEqual(
          ticked,
          [true, false, false, false, false],
          'only reading threads is ticked beforehand',
        )
        assert.equal(await page.getByLabel('Agent name').inputValue(), new URL(document.url).host)
        assert.deepEqual(await examine(page, 'consent'), [])
      }
      await page.getByLabel('Agent name').fill(name)
      await tick(page, 'Support')
      await page.getByRole('button', { name: 'Allow' }).click()
      await first.finishAuth((await back.next(page)).searchParams)
      const client = new Client({ name: 'test', version: '1' })
      await page.goto('/settings/agents')
      await page.getByRole('row', { name }).getByText('waiting for the first call').waitFor()
      await client.connect(openTransport(spool, provider))
      const { content } = await client.callTool({ name: 'list_threads', arguments: {} })
      assert.match(JSON.stringify(content), /Where is my order/)
      await client.close()
      await until('the page tells of its last call', async () => {
        await page.goto('/settings/agents')
        await page.getByRole('row', { name }).waitFor()
        return (await page.getByRole('row', { name }).getByText('last call').count()) > 0
      })

      // An access token that has ended is renewed without anybody noticing.
      const before = provider.saved['tokens'] as { access_token: string }
      provider.saved['tokens'] = { ...before, access_token: 'spool_mcp_ended' }
      await client.connect(openTransport(spool, provider))
      await client.callTool({ name: 'list_threads', arguments: {} })
      assert.notEqual(
        (provider.saved['tokens'] as { access_token: string }).access_token,
        before.access_token,
      )

      // What it lacks, it asks for; the same agent gets it.
      const stepping = openTransport(spool, provider)
      await client.close()
      await client.connect(stepping)
      await assert.rejects(client.callTool({ name: 'list_notes', arguments: { threadId: 'thr_x' } }))
      await page.goto(provider.sentTo!.href)
      await page.getByText('Requested by the agent.').first().waitFor()
      assert.equal(await page.getByLabel('Agent name').inputValue(), name)
      await tick(page, "Read the team's notes")
      await page.getByRole('button', { name: 'Allow' }).click()
      await stepping.finishAuth((await back.next(page)).searchParams)
      const more = new Client({ name: 'test', version: '1' })
      await more.connect(openTransport(spool, provider))
      const [thread] = await spool.threads()
      await more.callTool({ name: 'list_notes', arguments: { threadId: thread!.id } })

      // Disconnected on the page, it is out at once.
      await page.goto('/settings/agents')
      await page.getByRole('button', { name: `Disconnect ${name}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('row', { name }).waitFor({ state: 'detached' })
      await assert.rejects(more.callTool({ name: 'list_threads', arguments: {} }), /connect again/)
      await more.close()
      await client.close()

      // And refused, it gets nothing.
      await page.goto(provider.sentTo!.href)
      await page.getByRole('button', { name: 'Deny' }).click()
      const { searchParams } = await back.next(page)
      assert.deepEqual([searchParams.get('error'), searchParams.get('code')], ['access_denied', null])
    }
    assert.deepEqual(
      ada.problems.filter((problem) => !problem.startsWith(`asked ${new URL(back.url).origin}`)),
      [],
    )
  },
)

test(
  'the page cannot be framed, clicked by a script or written on by a client, and asks anew after signing in again',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite', { SPOOL_FETCH_ALLOW: '127.0.0.0/8' })
    await using back = await waitForBrowser()
    await using described = await serveDocument(() => ({
      client_name: '<img src=x onerror="document.title=1"><h1>Allow it</h1>',
      redirect_uris: [back.url],
    }))
    const client = new TestClient(await discover(`${spool.url}/mcp`), described.url, back.url)
    await using ada = await visit(spool, { browser, height: 1100 })
    const { page, context } = ada
    const address = `/consent?${client.query()}`
    // Signed out, the person signs in first and is then asked.
    await page.goto(`${client.at.authorize}?${client.query()}`)
    await page.getByLabel('E-mail').waitFor()
    await signInAt(spool, ada, spool.ada)
    await page.goto(address)
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()

    const { headers } = await spool.get(address, { token: null })
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    const outside = await context.newPage()
    await outside.route('https://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${spool.url}${address.replaceAll('&', '&amp;')}"></iframe>`,
      }),
    )
    await outside.goto('https://evil.example/')
    const framed = outside.frames()[1]
    assert.equal(await framed?.getByRole('button').count(), 0)
    await outside.close()

    assert.equal(await page.locator('.gate-card h1').count(), 1, 'what a client is called is text')
    assert.equal(await page.locator('.gate-card img').count(), 0)
    await page.getByText('‹h1›Allow it‹/h1›').waitFor()
    await tick(page, 'Support')
    await until('the button is ready', () => allow.isEnabled())
    await page.evaluate(`for (const button of document.querySelectorAll('button'))
      if (button.textContent === 'Allow') button.click()`)
    const grants = async (): Promise<number> => {
      const query = spool.spool.db.build.selectFrom('tokens').select('id').where('client_id', 'is not', null)
      return (await spool.spool.db.all(query)).length
    }
    await page.getByLabel('Agent name').fill('Mine')
    assert.deepEqual([await grants(), back.came.length], [0, 0], 'a script cannot click it')

    // The session ends while the page is open: nothing is granted until the person has signed in and decided again.
    await spool.spool.db.transaction((db) => db.run(db.build.deleteFrom('sessions')))
    // The page may have noticed by itself; then its dialog is in the way.
    const asked = page.getByRole('dialog').getByLabel('Password')
    await until('the password is asked for', async () => {
      if (!(await asked.isVisible())) await allow.click({ timeout: 2_000 }).catch(() => undefined)
      return asked.isVisible()
    })
    assert.equal(await grants(), 0)
    await page.getByRole('dialog').getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await until('it is asked anew', async () => !(await page.getByLabel('Support').isChecked()))
    await tick(page, 'Support')
    await allow.click()
    const code = (await back.next(page)).searchParams.get('code')!
    const { body } = await client.redeem(code)
    assert.equal((await callMcp(client.at.resource, body.access_token!)).status, 200)
    assert.equal(await grants(), 1)
  },
)
