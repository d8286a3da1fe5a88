import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { probeMailServer } from '../../src/mail/try-connection.ts'
import { mailServerKinds } from '../../src/model/mail-server.ts'
import { until } from '../support/until.ts'

/** Never silent, and never done. */
const talks = { imap: '* OK one moment please\r\n', smtp: '220-one moment please\r\n' }

for (const kind of mailServerKinds)
  test(`${kind}: a server that only ever talks is hung up on when the time is over`, async () => {
    const callers = new Set<Socket>()
    const server = createServer((socket) => {
      callers.add(socket)
      const talking = setInterval(() => socket.write(talks[kind]), 50)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(talking)
        callers.delete(socket)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const address = { kind, host: '127.0.0.1', port, security: 'none', user: 'ada', options: {} } as const
      const trial = await probeMailServer({ ...address, password: 'secret' }, 500)
      assert.equal(trial.ok, false)
      assert.equal(!trial.ok && trial.problem, 'timeout')
      await until('the connection ends', async () => callers.size === 0, 10_000)
    } finally {
      for (const socket of callers) socket.destroy()
      server.close()
    }
  })
