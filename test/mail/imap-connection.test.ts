import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connectImap } from '../../src/mail/imap/connection.ts'

test('a server whose line does not end is hung up on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(`* OK ${'x'.repeat(16_000_000)}\r\n`)
    socket.on('data', (line) => socket.write(`${String(line).split(' ')[0]} OK done\r\n`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const place = { kind: 'imap', host: '127.0.0.1', port, security: 'none', options: {} } as const
  await assert.rejects(connectImap({ ...place, user: 'team', password: 'secret' }), { code: 'LineTooLarge' })
  server.close()
})
