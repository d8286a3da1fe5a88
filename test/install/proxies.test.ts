import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openLive } from '../support/live-page.ts'
import { callTool, connectClient, revisions } from '../support/mcp.ts'
import { freePort } from '../support/parts/daemon.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startCaddy, startNginx, type ProxyPorts, type WebProxy } from '../support/parts/web-proxy.ts'
import { startSpool } from '../support/spool.ts'
import { openWeb, password } from '../support/web-client.ts'
import { changeUser } from '../../src/core/people/people.ts'

const trusted = getCACertificates()
after(() => setDefaultCACertificates(trusted))

const proxies: Record<'nginx' | 'caddy', (ports: ProxyPorts) => Promise<WebProxy>> = {
  nginx: startNginx,
  caddy: startCaddy,
}

for (const name of ['nginx', 'caddy'] as const)
  describe(name, { skip: skipWithout(name) }, () => {
    test('with the example file serves sign-in, streams and agents over TLS', async () => {
      const ports = { spool: await freePort(), https: await freePort(), http: await freePort() }
      const url = `https://localhost:${ports.https}`
      await using spool = await startSpool('sqlite', {
        SPOOL_PORT: String(ports.spool),
        SPOOL_URL: url,
        SPOOL_TRUST_PROXY: '127.0.0.1,::1',
      })
      await using proxy = await proxies[name](ports)
      setDefaultCACertificates([...trusted, proxy.certificate])

      const plain = await fetch(`http://localhost:${ports.http}/mine`, { redirect: 'manual' })
      assert.match(plain.headers.get('location')!, /^https:\/\/localhost[:/]/, 'plain HTTP leads to TLS')
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      assert.equal((await fetch(`${url}/metrics`)).status, 404, 'metrics are not for the world')
      assert.match(await (await fetch(url)).text(), /<title>Spool<\/title>/)

      await changeUser(spool.spool, spool.ada.email, { password, keepAccess: true })
      const page = await openWeb(url, spool.ada.email, password)
      assert.match(page.cookie, /^__Host-/)
      await using live = await openLive({ url }, page.cookie)

      const authorization = { authorization: `Bearer ${spool.token}`, accept: 'text/event-stream' }
      const gone = new AbortController()
      const stream = await fetch(`${url}/api/v1/events`, { headers: authorization, signal: gone.signal })
      const { threadId } = await spool.receive({})
      let told = ''
      // A proxy that held the answer back would leave this waiting.
      for await (const piece of stream.body!.pipeThrough(new TextDecoderStream()))
        if ((told += piece).includes(threadId)) break
      gone.abort()
      assert.ok(await live.next(), 'the page is told too')

      for (const revision of revisions) {
        const client = await connectClient(url, spool.token, revision)
        assert.ok((await client.listTools()).tools.length > 0)
        await client.close()
      }
      assert.match((await callTool(url, spool.token, 'list_threads', {})).raw, new RegExp(threadId))

      const large = new Uint8Array(20_000_000)
      const draft = await page.do('POST', '/drafts', { kind: 'reply', threadId, text: 'See the file.' })
      const file = `/drafts/${draft.id}/attachments?revision=${draft.revision}&filename=large.bin`
      const kept = await page.ask('POST', file, large)
      assert.equal(kept.status, 200, kept.text)
    })
  })
