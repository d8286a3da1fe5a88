import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { runCommands } from '../support/command.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

const password = 'hunter2-very-secret'

test('doctor says why Redis cannot be used', async () => {
  const refusing = createServer((socket) => {
    socket.on('error', () => undefined)
    createInterface(socket)
      .on('error', () => undefined)
      .on('line', (line) => line.startsWith('*') && socket.write('-WRONGPASS invalid password\r\n'))
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const { port } = refusing.address() as AddressInfo
  const env = { SPOOL_DATA: scratchFolder('data') }
  const [refused, away] = await runCommands(
    [port, 1].map((at) => ({
      words: ['doctor'],
      env: { ...env, SPOOL_REDIS_URL: `redis://:${password}@127.0.0.1:${at}` },
    })),
  )
  refusing.close()
  assert.match(
    refused!.stdout,
    /^MEND {2}Redis: Redis cannot be used \(WRONGPASS invalid password\); check /m,
  )
  assert.match(away!.stdout, /^MEND {2}Redis: Redis cannot be used \(connect ECONNREFUSED \S+\); check /m)
  assert.equal((refused!.stdout + away!.stdout).includes(password), false)
})
