import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import { browserMissing, signInAt, takePicture, visit } from '../support/browser.ts'
import { Receiver } from '../support/receiver.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

test(
  'a webhook created on the page is verified with the public library; missed events are replayed',
  { skip: browserMissing },
  async () => {
    await using receiver = await Receiver.start()
    await using spool = await startSpool('sqlite', { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    await using ada = await visit(spool, { height: 1300 })
    const { page } = ada
    await signInAt(spool, ada, spool.ada, '/settings/webhooks')
    await page.getByLabel('Endpoint URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
    const snippet = await page.getByRole('region', { name: 'Code that verifies a delivery' }).innerText()
    await takePicture(page, 'webhook-made')
    receiver.secrets = [secret]

    await page.getByRole('link', { name: 'Test it' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const tested = await until('the test', async () => receiver.arrivals[0])
    assert.equal(tested.body.type, 'webhook.test')
    await page.getByText('Delivered · 204').waitFor()
    // The code shown with the secret, verbatim, with the library it names.
    const readDelivery = runSnippet(snippet, secret)
    assert.deepEqual(readDelivery(tested.headers, tested.text), tested.body)
    assert.throws(() => readDelivery(tested.headers, `${tested.text} `))

    receiver.answer = (_, response) => void response.writeHead(500).end('upstream is down')
    await spool.receive({ subject: 'One that fails' })
    await page.getByText('upstream is down').first().waitFor()
    await page.getByRole('button', { name: /^Retry message\.received/ }).waitFor()
    await takePicture(page, 'webhook-failing')
    receiver.answer = (_, response) => void response.writeHead(204).end()
    for (const kind of ['message.received', 'thread.created']) {
      const retry = page.getByRole('button', { name: new RegExp(`^Retry ${kind}`) })
      if (await retry.count()) await retry.first().click()
    }
    await until(
      'the retry',
      async () => receiver.arrivals.filter(({ body }) => body.type === 'message.received').length > 1,
    )

    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText(/^Disabled .*by a person/).waitFor()
    const before = receiver.arrivals.length
    const missed = await spool.receive({ subject: 'Nobody was told of this' })
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Enabled', { exact: true }).waitFor()
    const asked = page.waitForRequest('**/replay')
    await page.getByRole('button', { name: 'Replay' }).click()
    assert.equal(((await asked).postDataJSON() as { until: unknown }).until, null, 'by the server’s clock')
    await page.getByText(/Replaying \d+ events\./).waitFor()
    const arrival = await until('what was missed', async () =>
      receiver.arrivals
        .slice(before)
        .find(({ body }) => body.type === 'message.received' && body.data.messageId === missed.messageId),
    )
    assert.deepEqual(readDelivery(arrival.headers, arrival.text), arrival.body)

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const rotated = await page.getByLabel('Secret', { exact: true }).inputValue()
    assert.notEqual(rotated, secret)
    receiver.secrets = [rotated]
    await page.getByRole('button', { name: 'Send a test' }).click()
    const again = await until('the second test', async () =>
      receiver.arrivals.find(({ body, at }) => body.type === 'webhook.test' && at > tested.at),
    )
    assert.deepEqual(readDelivery(again.headers, again.text), again.body, 'for a day the old one signs too')
    assert.deepEqual(receiver.refused, [])

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    assert.deepEqual(ada.problems, [])
  },
)

test('older deliveries that are shown stay where they are', { skip: browserMissing }, async () => {
  await using receiver = await Receiver.start()
  await using spool = await startSpool('sqlite', { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
  const wanted = { email: spool.ada.email, url: receiver.url, types: [], inboxes: [] }
  const { webhook, secret } = await addWebhook(spool.spool, wanted)
  receiver.secrets = [secret]
  for (let count = 0; count < 30; count++) await spool.receive({ subject: `Question ${count}` })
  await until('all arrived', async () => receiver.arrivals.length >= 60)
  await using ada = await visit(spool)
  const { page } = ada
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().split('/app/api')[1] ?? ''))
  const at = `/webhooks/${webhook.id}`
  const count = (path: string): number => asked.filter((each) => each === path).length
  await signInAt(spool, ada, spool.ada, `/settings${at}`)
  const lines = page.locator('.lines li')
  await until('the first page', async () => (await lines.count()) === 50)
  await page.getByRole('button', { name: 'Show earlier' }).click()
  await until('the second page', async () => (await lines.count()) >= 60)
  const [before, polls] = [count(`${at}/deliveries`), count(at)]
  await until('the page was refreshed', async () => count(at) >= polls + 2)
  assert.equal(count(`${at}/deliveries`), before)
  assert.deepEqual(ada.problems, [])
})

type ReadDelivery = (headers: Record<string, unknown>, body: string) => unknown

function runSnippet(code: string, secret: string): ReadDelivery {
  const body = code.replace(/^import .*$/m, '').replace('export function', 'return function')
  return new Function('Webhook', 'process', body)(Webhook, {
    env: { SPOOL_WEBHOOK_SECRET: secret },
  }) as ReadDelivery
}
