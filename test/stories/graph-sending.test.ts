import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Draft } from '../../src/model/draft.ts'
import type { InboxSettings } from '../../src/model/settings.ts'
import { databases } from '../support/databases.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { openMailUser } from '../support/mail-user.ts'
import { passTime, untilStatus } from '../support/outgoing.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

const skip = skipWithout('dovecot')

type Way = 'takes it' | 'takes it and says nothing' | 'is busy' | 'forbids it'

/** Graph's one call. */
async function startGraph(mailboxOf: (token: string) => Promise<string | null>) {
  const graph = { port: 0, way: 'takes it' as Way, mails: [] as string[], calls: 0 }
  const server = createServer((request, response) => {
    void (async () => {
      graph.calls++
      const source = Buffer.from((await buffer(request)).toString(), 'base64').toString()
      const mailbox = await mailboxOf(request.headers.authorization?.replace('Bearer ', '') ?? '')
      const isRight =
        request.method === 'POST' &&
        request.headers['content-type'] === 'text/plain' &&
        request.url === `/v1.0/users/${encodeURIComponent(mailbox ?? '')}/sendMail`
      const say = (status: number, code: string): void => {
        response.writeHead(status).end(JSON.stringify({ error: { code, message: 'As the tests want it.' } }))
      }
      if (!isRight) return say(401, 'InvalidAuthenticationToken')
      if (graph.way === 'is busy') return say(503, 'ServiceUnavailable')
      if (graph.way === 'forbids it') return say(403, 'ErrorAccessDenied')
      graph.mails.push(source)
      if (graph.way === 'takes it') response.writeHead(202).end()
      else request.socket.destroy()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  graph.port = (server.address() as AddressInfo).port
  return Object.assign(graph, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

for (const database of databases)
  test(
    `${database}: mail goes out through Graph once, and a lost answer is unknown until Sent shows it`,
    {
      skip,
    },
    async () => {
      await using spool = await startSpool(database, {
        SPOOL_FETCH_ALLOW: '127.0.0.1',
        SPOOL_UNDO_SECONDS: '0',
        SPOOL_SEND_RETRIES: '1',
      })
      await using provider = await startMailProvider(`${spool.url}/oauth/mailbox`)
      await using dovecot = await startDovecot({
        users: { 'mail@shop.example': 'secret' },
        introspectionUrl: provider.introspectionUrl,
      })
      await using graph = await startGraph(provider.mailboxOf)
      await using carla = await openMailUser(dovecot, 'mail@shop.example')
      provider.mailboxes.set('app', 'mail@shop.example')
      const page = await signInAs(spool, spool.ada)
      const at = (port: number) => ({ host: '127.0.0.1', port, security: 'none' })
      const { inbox } = await page.do<{ inbox: InboxSettings }>('POST', '/settings/mailbox-sign-in', {
        provider: 'other',
        way: 'app',
        address: 'mail@shop.example',
        graph: true,
        client: provider.app,
        imap: at(dovecot.port),
        smtp: at(graph.port),
      })
      assert.equal(inbox.sendsByGraph, true)
      const write = async (text: string): Promise<Draft> => {
        const draft = await page.do('POST', '/drafts', {
          kind: 'new',
          inboxId: inbox.id,
          to: [{ name: null, address: 'carla@brandt.example' }],
          bcc: [{ name: null, address: 'hidden@x.example' }],
          subject: text,
          text,
        })
        return page.send(draft)
      }
      const becomes = (draft: Draft, status: Draft['status']): Promise<Draft> =>
        untilStatus(() => page.do('GET', `/drafts/${draft.id}`), [status])

      await becomes(await write('Plainly'), 'sent')
      assert.match(graph.mails[0]!, /^Bcc: hidden@x\.example\r\n/)
      assert.match(graph.mails[0]!, /^To: carla@brandt\.example\r$/m)
      await until('the copy is in Sent', async () => (await carla.read('Sent')).length === 1)
      assert.doesNotMatch((await carla.read('Sent'))[0]!, /hidden@x\.example/)

      graph.way = 'takes it and says nothing'
      const lost = await write('Lost')
      const unknown = await becomes(lost, 'unknown')
      assert.match(unknown.problem!, /No answer came after the mail was handed over/)
      assert.equal(graph.mails.length, 2, 'it is not sent again')
      await carla.append('Sent', graph.mails[1]!.replace(/^Bcc: .*\r\n/, ''))
      await passTime(spool.spool)
      await becomes(lost, 'sent')
      assert.equal(graph.mails.length, 2)

      graph.way = 'is busy'
      const late = await write('Late')
      await until('it was tried', async () => (await page.do('GET', `/drafts/${late.id}`)).problem !== null)
      graph.way = 'takes it'
      await becomes(late, 'sent')
      assert.equal(graph.mails.length, 3)
      graph.way = 'forbids it'
      const failed = await becomes(await write('Forbidden'), 'failed')
      assert.match(failed.problem!, /answers 403: ErrorAccessDenied .* needs the permission Mail\.Send/)
    },
  )
