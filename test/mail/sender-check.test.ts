import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSenderCheck, type Checked } from '../../src/mail/sender/check.ts'
import { NameServer } from '../support/name-server.ts'
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

test('mail that is made to take long is not checked, and delays no check of other mail', async () => {
  await using names = await NameServer.start({})
  await using checks = openSenderCheck({ nameServers: [names.address] })
  const header = 'From: carla@brandt.example\r\nSubject: Lamp\r\n'
  const signature = (more: string): string =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=brandt.example; s=s; h=from; bh=AAAA; b=AAAA; ${more}\r\n`
  const line = `${'a line of a letter '.repeat(3)}\r\n`
  const signatures = Array.from({ length: 300 }, (_, n) => signature(`l=${n}`)).join('')
  const ordinary = mail(`${signature('')}${header}\r\nWhere is my lamp?\r\n`)
  await until('the thread checks', async () => (await checks.check(ordinary)).author)
  const slow = [
    `${signature('')}${header}\r\n${'x'.repeat(30_000_000)}`,
    `${signatures}${header}\r\n${line.repeat(300_000)}`,
  ].map((text) => checks.check(mail(text)))
  const other = checks.check(ordinary)
  for (const verdict of await Promise.all(slow))
    assert.deepEqual(verdict.authentication, { spf: null, dkim: 'policy', dmarc: null })
  assert.equal((await other).author, 'brandt.example')
})
