import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSenderCheck, type Checked } from '../../src/mail/sender/check.ts'
import { until } from '../support/until.ts'

const mail = (text: string): Checked => ({
  raw: Buffer.from(text),
  sender: '',
  clientAddress: '192.0.2.1',
  helo: 'client.example',
})

test('a check that is slow is not waited for, one that is stuck is given up with its thread', async () => {
  const worker = new URL('../support/stuck-checker.ts', import.meta.url)
  await using checks = openSenderCheck({ nameServers: null }, worker)
  const read = async (text: string): Promise<string | null> => (await checks.check(mail(text))).author
  assert.equal(await read('first'), 'first')

  const slow = checks.check(mail('slow'))
  await sleep(100)
  const stuck = checks.check(mail('stuck'))
  const behind = checks.check(mail('behind'))
  assert.equal((await slow).authentication.dkim, 'temperror')
  for (const one of [stuck, behind]) assert.equal((await one).authentication.dmarc, 'temperror')
  // The stuck one is told apart from the slow one a second later.
  await until('another thread checks', async () => (await read('after')) === 'after')
})
