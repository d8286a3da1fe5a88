import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryView, WebhookSettings } from '../../src/model/settings.ts'
import { eventTypes } from '../../src/model/events.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { Receiver, waitFor } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

type Made = WebhookSettings & { secret: string }
interface Deliveries {
  data: DeliveryView[]
  nextCursor: string | null
}

async function make(page: WebClient, receiver: Receiver, wanted: object = {}): Promise<Made> {
  const made = await page.do<Made>('POST', '/webhooks', { url: receiver.url, ...wanted })
  receiver.secrets.push(made.secret)
  return made
}

for (const database of databases) {
  const shared = shareSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })

  test(`${database}: a webhook made here is verified by the public library; what a disabled one missed is replayed`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    await using receiver = await Receiver.start()
    const webhook = await make(page, receiver, { kinds: ['message.received'] })
    const at = `/webhooks/${webhook.id}`
    assert.deepEqual(
      [webhook.state, webhook.kinds, webhook.inboxes, webhook.user.id],
      ['enabled', ['message.received'], null, desk.user.id],
    )
    const first = await desk.receive()
    await waitFor(() => receiver.arrivals.length === 1, 'the first delivery')
    assert.equal(receiver.arrivals[0]!.body.data.messageId, first.messageId)

    const disabled = await page.do<WebhookSettings>('POST', `${at}/disable`, {})
    assert.deepEqual([disabled.state, disabled.disabledReason], ['disabled', 'disabled by a person'])
    const since = new Date().toISOString()
    const missed = [await desk.receive(), await desk.receive()]
    for (const path of ['/test', '/replay'])
      assert.equal(
        (await page.ask('POST', at + path, path === '/replay' ? { after: since } : {})).status,
        409,
      )
    assert.equal((await page.do<WebhookSettings>('POST', `${at}/enable`, {})).state, 'enabled')
    const last = await desk.receive()
    await waitFor(() => receiver.arrivals.length === 2, 'what happens after it')
    assert.equal(receiver.arrivals[1]!.body.data.messageId, last.messageId, 'not what it missed')
    const { count } = await page.do<{ count: number }>('POST', `${at}/replay`, { after: since, until: null })
    assert.equal(count, 3, 'the two that it missed, and the one since')
    await waitFor(() => receiver.arrivals.length === 5, 'the replay')
    assert.deepEqual(
      receiver.arrivals.slice(2).map(({ body }) => body.data.messageId),
      [...missed, last].map(({ messageId }) => messageId),
    )
    assert.deepEqual(receiver.refused, [], 'every delivery was signed with the secret that was shown')
  })

  test(`${database}: test, rotation, kinds, deliveries and another attempt`, async (t) => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    await using receiver = await Receiver.start()
    const webhook = await make(page, receiver)
    const at = `/webhooks/${webhook.id}`
    const tested = await page.do<{ delivery: DeliveryView | null }>('POST', `${at}/test`, {})
    assert.deepEqual([tested.delivery!.status, tested.delivery!.lastAnswer!.status], ['delivered', 204])

    const { secret } = await page.do<{ secret: string }>('POST', `${at}/rotate`, {})
    assert.notEqual(secret, webhook.secret)
    receiver.secrets = [secret]
    await page.do('POST', `${at}/test`, {})
    const changed = await page.do<WebhookSettings>('PATCH', at, { kinds: ['note.created'] })
    assert.deepEqual(changed.kinds, ['note.created'])
    for (const kinds of [[], ['nonsense']]) assert.equal((await page.ask('PATCH', at, { kinds })).status, 400)

    // It is not tried again by itself, however long this takes.
    const { now } = spool.spool
    const time = now()
    spool.spool.now = () => time
    t.after(() => (spool.spool.now = now))
    receiver.answer = (_, response) => void response.writeHead(500).end('no room')
    const { threadId } = await desk.receive()
    await page.do('POST', `/threads/${threadId}/notes`, { text: 'Hello' })
    const failed = await until('it failed', async () =>
      (await page.do<Deliveries>('GET', `${at}/deliveries?status=waiting`)).data.at(0),
    )
    assert.deepEqual([failed.kind, failed.attempts], ['note.created', 1])
    assert.deepEqual([failed.lastAnswer!.status, failed.lastAnswer!.body], [500, 'no room'])
    assert.ok(Date.parse(failed.nextAttemptAt!) > Date.now() - 60_000)
    receiver.answer = (_, response) => void response.writeHead(204).end()
    await page.do('POST', `${at}/deliveries/${failed.id}/retry`, {})
    await until('it arrived', async () => {
      const { data } = await page.do<Deliveries>('GET', `${at}/deliveries`)
      return data.find(({ id }) => id === failed.id)?.status === 'delivered'
    })
    const pages: DeliveryView[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: Deliveries = await page.do(
        'GET',
        `${at}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`,
      )
      pages.push(...next.data)
      cursor = next.nextCursor
    }
    const kinds = pages.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['note.created', 'webhook.test', 'webhook.test'], 'newest first, each once')
    await page.do('DELETE', at)
    assert.equal((await page.ask('GET', at)).status, 404)
  })

  test(`${database}: everybody has their own webhooks, an admin all, and a viewer none`, async () => {
    const spool = await shared()
    const [one, other] = [await openDesk(spool), await openDesk(spool)]
    const [mine, theirs] = [await signInAs(spool, one.user), await signInAs(spool, other.user)]
    await using receiver = await Receiver.start()
    const { id } = await make(mine, receiver, { inboxes: [one.inbox.id] })
    const ids = async (page: WebClient): Promise<string[]> =>
      (await page.do<{ data: WebhookSettings[] }>('GET', '/webhooks')).data.map((each) => each.id)
    assert.deepEqual(await ids(mine), [id])
    assert.ok(!(await ids(theirs)).includes(id))
    assert.equal((await theirs.ask('GET', `/webhooks/${id}`)).status, 404)
    assert.ok((await ids(await signInAs(spool, spool.ada))).includes(id))
    const foreign = { url: receiver.url, inboxes: [one.inbox.id] }
    assert.equal((await theirs.ask('POST', '/webhooks', foreign)).status, 404)
    const refused = await mine.ask('POST', '/webhooks', { url: 'http://10.0.0.1/hook' })
    assert.equal(refused.status, 400, refused.text)
    const { data } = await mine.do<{ data: { kind: string; meaning: string }[] }>('GET', '/webhook-kinds')
    assert.deepEqual(
      data.map(({ kind }) => kind),
      eventTypes.filter((kind) => kind !== 'webhook.test'),
    )
    assert.ok(data.every(({ meaning }) => meaning.endsWith('.')))
  })
}
