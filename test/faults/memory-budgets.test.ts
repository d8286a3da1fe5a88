import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../../src/model/draft.ts'
import { openDesk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { openSession } from '../support/web-client.ts'

const budget = 256_000_000

test('files that people attach and mail that arrives share one budget; beyond it both are put off', async () => {
  await using spool = await startSpool('sqlite', { SPOOL_SMTP_LISTEN: '127.0.0.1:0' })
  const { arriving } = spool.spool.memory
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({ from: 'carla@brandt.example' })
  const page = await openSession(spool.spool, spool.url, desk.user)
  const draft = await page.do<Draft>('POST', '/drafts', { kind: 'reply', threadId, text: 'Here it is' })
  const path = (file: string): string => `/drafts/${draft.id}/attachments?revision=1&filename=${file}`
  using client = await SmtpClient.connect(Number(spool.app.smtp!.split(':').at(-1)))
  await client.hello()
  const deliver = async (): Promise<string> =>
    (await client.deliver(writeMail({}), [desk.inbox.address])).at(-1)!

  const full = arriving.open()
  assert.ok(full.take(budget - 100))
  const refused = await page.ask('POST', path('large.bin'), new Uint8Array(5_000_000))
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.deepEqual(
    { ...refused.json<object>(), requestId: null },
    {
      statusCode: 503,
      code: 'not_ready',
      message: 'Too much mail and too many files are arriving right now; try again in a moment.',
      requestId: null,
    },
  )
  assert.match(await deliver(), /^452 /)
  assert.equal(
    (await page.ask('POST', path('small.txt'), new Uint8Array(50))).status,
    200,
    'what fits is taken',
  )
  full[Symbol.dispose]()
  assert.match(await deliver(), /^250 /)
  const again = path('large.bin').replace('revision=1', 'revision=2')
  assert.equal((await page.ask('POST', again, new Uint8Array(5_000_000))).status, 200)
  await until('everything has been given back', async () => {
    using whole = arriving.open()
    return whole.take(budget)
  })
  const tooLarge = await page.ask('POST', path('huge.bin'), new Uint8Array(spool.spool.maxMessageBytes + 1))
  assert.equal(tooLarge.status, 413)
})

test('exports hold a bounded memory while clients read; beyond it they are put off', async () => {
  await using spool = await startSpool('sqlite')
  const { exports } = spool.spool.memory
  const desk = await openDesk(spool)
  await desk.receive({ text: 'Where is my order? '.repeat(10_000) })
  const ask = () => desk.get('/api/v1/export')
  const full = exports.open()
  assert.ok(full.take(budget - 100_000))
  const refused = await ask()
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.match(refused.text, /Too many exports are running right now/)
  full[Symbol.dispose]()
  const whole = await ask()
  assert.equal(whole.status, 200)
  assert.match(whole.text, /"type":"end"/)
  using rest = exports.open()
  assert.ok(rest.take(budget), 'nothing is held any more')
})
