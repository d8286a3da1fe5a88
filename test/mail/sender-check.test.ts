import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAuthenticationResults } from '../../src/mail/sender/authentication-results.ts'
import { openSenderCheck, type Checked } from '../../src/mail/sender/check.ts'
import { judgeSender, unchecked } from '../../src/mail/sender/verdict.ts'
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
    assert.deepEqual(verdict, {
      authentication: { spf: 'none', dkim: 'policy', dmarc: 'none' },
      author: 'brandt.example',
      isCut: true,
    })
  assert.equal((await other).author, 'brandt.example')
})

test('no way of making a mail ends the check of its sender unnoticed', async () => {
  const zone = new Map([
    ['_dmarc.bank.example', 'v=DMARC1; p=reject'],
    ['_dmarc.open.example', 'v=DMARC1; p=reject'],
    ['open.example', 'v=spf1 ip4:192.0.2.1 -all'],
    ['evil.example', 'v=spf1 ip4:192.0.2.1 -all'],
    ['_dmarc.evil.example', 'v=DMARC1; p=none'],
  ])
  await using names = await NameServer.start({ texts: (name) => [zone.get(name) ?? []].flat() })
  await using checks = openSenderCheck({ nameServers: [names.address] })
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=evil.example; s=s; h=from; bh=AAAA; b=AAAA\r\n'
  const switches: Record<string, (from: string) => string> = {
    'many signatures': (from) => `${signature.repeat(21)}${from}`,
    'many blanks': (from) => `X: a${' '.repeat(501)}b\r\n${from}`,
    'many blanks in the sender': (from) => from.replace(': ', `:${' '.repeat(501)}`),
    'many lines': (from) => `${'A: b\r\n'.repeat(4_001)}${from}`,
    'many lines of one field': (from) => `A: b\r\n${' c\r\n'.repeat(20_000)}${from}`,
    'many names': (from) =>
      `${signature.replace('h=from', `h=from${':q'.repeat(100_000)}`)}${'a:b\r\n'.repeat(3_000)}${from}`,
    'a long header': (from) => `X: ${'x'.repeat(300_000)}\r\n${from}`,
    'a long line': (from) => `${signature}${from}\r\n${'x'.repeat(1_100_000)}`,
    'two subjects': (from) => `Subject: one\r\nSubject: two\r\n${from}`,
  }
  const judge = async (text: string, sender: string, address: string) => {
    const checked = { ...mail(`${text}\r\nHi\r\n`), sender, helo: 'evil.example' }
    return judgeSender(await checks.check(checked), { name: null, address })
  }
  await until(
    'the thread checks',
    async () => (await checks.check(mail('From: a@bank.example\r\n\r\n'))).author,
  )
  for (const [name, write] of Object.entries(switches)) {
    const forged = await judge(write('From: ceo@bank.example\r\n'), 'x@evil.example', 'ceo@bank.example')
    assert.deepEqual([forged.spf, forged.dmarc], ['pass', 'fail'], name)
    const genuine = await judge(write('From: me@open.example\r\n'), 'me@open.example', 'me@open.example')
    assert.deepEqual([genuine.spf, genuine.dmarc, genuine.unchecked], ['pass', 'pass', undefined], name)
  }
  const costly = `${signature.repeat(21)}From: a@nobody.example\r\n`
  const unknown = await judge(costly, '', 'a@nobody.example')
  assert.deepEqual([unknown.dmarc, unknown.unchecked], ['none', true], 'a domain without a policy')
  // What is shown is not what was checked.
  for (const from of [
    'From: <x@evil.example> <ceo@bank.example>\r\n',
    'From: "x" <ceo@bank.example,>\r\n',
    'From: x@evil.example\r\nFrom: ceo@bank.example\r\n',
    `${'A: b\r\n'.repeat(4_001)}From: <x@evil.example> <ceo@bank.example>\r\n`,
    `X: ${'x'.repeat(1_100_000)}\r\nFrom: ceo@bank.example\r\n`,
    `From: ${'"a" '.repeat(4_000)}<ceo@bank.example>\r\n`,
  ]) {
    const { dmarc, ...rest } = await judge(from, 'x@evil.example', 'ceo@bank.example')
    assert.ok(dmarc === 'fail' || rest.unchecked, `${from.slice(0, 80)}: ${dmarc}`)
    assert.notEqual(dmarc, 'pass')
  }
  const claims = (address: string): boolean | undefined =>
    judgeSender(unchecked, { name: null, address }).unchecked
  assert.deepEqual(['ceo@bank.example', 'ceo@bank.example,', 'root'].map(claims), [true, true, undefined])
  const ordinary = await judge('From: a@nobody.example\r\n', 'x@evil.example', 'a@nobody.example')
  assert.deepEqual(ordinary, { spf: 'pass', dkim: 'none', dmarc: 'none' }, 'no doubt without a reason')
})

test('an address counts as shown in whichever way it is written, and in place of an address', () => {
  const claims = [
    { name: null, address: 'ceo@bank\u3002example' },
    { name: null, address: 'ceo@bank\uff0eexample' },
    { name: 'ceo@bank.example', address: '' },
    { name: 'ceo\uff20bank.example', address: '' },
    { name: 'ceo@bank.example', address: 'root' },
    { name: 'ceo bank.example', address: '@' },
  ]
  for (const from of claims) assert.ok(judgeSender(unchecked, from).unchecked, JSON.stringify(from))
  const local = { name: 'Cron Daemon', address: 'root@localhost' }
  assert.equal(judgeSender(unchecked, local).unchecked, undefined)
})

test("a check that the team's own server could not finish is told", () => {
  const read = (results: string) => {
    const raw = `Authentication-Results: mx.example; ${results}\r\nFrom: ceo@bank.example\r\n\r\nHello`
    const verdict = readAuthenticationResults(Buffer.from(raw), 'mx.example')!
    return judgeSender(verdict, { name: null, address: 'ceo@bank.example' }).unchecked
  }
  assert.equal(read('spf=none; dmarc=temperror header.from=bank.example'), true)
  assert.equal(read('spf=none; dmarc=none header.from=bank.example'), undefined)
})
