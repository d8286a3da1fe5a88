import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startListener } from '../../src/mail/smtp/listener.ts'
import { ByteBudget } from '../../src/model/byte-budget.ts'
import { limitKey } from '../../src/model/client-limit.ts'
import { SmtpClient } from '../support/smtp-client.ts'

test('a session that asks for nothing without end is hung up on', async () => {
  const troubles: Error[] = []
  await using listener = await startListener({
    protocol: 'smtp',
    host: '127.0.0.1',
    port: 0,
    budget: new ByteBudget(256_000_000),
    largestMessage: 1000,
    tls: null,
    longestSession: 5_000,
    knows: async () => true,
    take: async () => 'msg_1',
    onRefusal: () => undefined,
    onTrouble: (error) => troubles.push(error),
  })
  const socket = connect(listener.port, '127.0.0.1')
  let answers = ''
  socket.on('data', (bytes) => (answers += bytes.toString()))
  socket.on('error', () => undefined)
  // It may end in a reset, as more was asked meanwhile; `once` would take that for a failure.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([once(socket, 'data'), closed])
  const began = performance.now()
  const asking = setInterval(() => socket.write('NOOP\r\n'), 20)
  const giveUp = setTimeout(() => socket.destroy(), 50_000)
  await closed
  clearInterval(asking)
  clearTimeout(giveUp)
  assert.ok(performance.now() - began < 50_000, 'before it would have been idle')
  assert.match(answers, /^220 .*\r\n250 /, 'it was answered until then')
  assert.deepEqual(troubles, [])
})

test('who has a /64 of IPv6 counts as one, an address of IPv4 for itself', () => {
  assert.equal(limitKey('2001:db8::1'), limitKey('2001:db8:0:0:ffff::2'))
  assert.notEqual(limitKey('2001:db8::1'), limitKey('2001:db8:0:1::1'))
  for (const inside of ['', '::ffff:'])
    assert.notEqual(limitKey(`${inside}192.0.2.1`), limitKey(`${inside}192.0.2.2`))
  assert.equal(limitKey('::ffff:192.0.2.1'), limitKey('192.0.2.1'))
})

test('a mail of lines with nothing but a dot takes little more memory than its size', async () => {
  let size = 0
  await using listener = await startListener({
    protocol: 'smtp',
    host: '127.0.0.1',
    port: 0,
    budget: new ByteBudget(256_000_000),
    largestMessage: 1_000_000,
    tls: null,
    knows: async () => true,
    take: async ({ raw }) => `msg_${(size = raw.length)}`,
    onRefusal: () => undefined,
    onTrouble: () => undefined,
  })
  using client = await SmtpClient.connect(listener.port)
  await client.hello()
  for (const line of ['MAIL FROM:<a@b.example>', 'RCPT TO:<c@d.example>', 'DATA']) await client.say(line)
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  const before = process.memoryUsage().heapUsed
  client.write('..\r\n'.repeat(100_000))
  const grown: number[] = []
  const look = (): void => {
    const began = performance.now()
    gc()
    grown.push(process.memoryUsage().heapUsed - before)
    // In a large heap this takes long, and the mail has to arrive in between.
    timer = setTimeout(look, 100 + 4 * (performance.now() - began))
  }
  let timer = setTimeout(look, 100)
  client.write('.\r\n')
  try {
    assert.match(await client.reply(), /^250 /)
  } finally {
    clearTimeout(timer)
  }
  assert.equal(size, 300_000)
  assert.ok(Math.max(...grown) < 5_000_000, `${Math.max(...grown)} bytes`)
})
