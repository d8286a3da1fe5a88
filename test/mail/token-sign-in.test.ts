import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { tryMailServer } from '../../src/mail/try-connection.ts'

const token = 'a-token-that-nobody-may-see'

/** An SMTP server that offers one way to sign in, and either takes the token or explains in JSON why not. */
async function startSmtp(method: string, isRight: boolean) {
  const said: string[] = []
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line)
      if (line.startsWith('EHLO')) socket.write(`250-here\r\n250 AUTH ${method}\r\n`)
      else if (line.startsWith('AUTH') && isRight) socket.write('235 welcome\r\n')
      else if (line.startsWith('AUTH')) socket.write('334 eyJzdGF0dXMiOiI0MDEifQ==\r\n')
      else if (line === '' || line === 'AQ==') socket.write(`535 5.7.8 not with ${token}\r\n`)
      else socket.write('250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    said,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const place = {
  kind: 'smtp',
  host: '127.0.0.1',
  security: 'none',
  password: null,
  options: {},
  token,
} as const
const user = 'a=b,c@shop.example'

for (const [method, words] of [
  ['XOAUTH2', `user=${user}\x01auth=Bearer ${token}\x01\x01`],
  ['OAUTHBEARER', `n,a=a=3Db=2Cc@shop.example,\x01auth=Bearer ${token}\x01\x01`],
] as const) {
  test(`SMTP by ${method}, the way that the server offers`, async () => {
    await using server = await startSmtp(method, true)
    assert.match(await tryMailServer({ ...place, user, port: server.port }), /lets a=b,c@shop\.example in/)
    const command = server.said.find((line) => line.startsWith('AUTH'))!
    assert.equal(command.split(' ')[1], method)
    assert.equal(Buffer.from(command.split(' ')[2]!, 'base64').toString(), words)
  })

  test(`a token refused by ${method} is told without the token`, async () => {
    await using server = await startSmtp(method, false)
    await assert.rejects(tryMailServer({ ...place, user, port: server.port }), (error: Error) => {
      assert.match(error.message, /does not let this sign-in open a=b,c@shop\.example/)
      assert.ok(!error.message.includes(token), error.message)
      return true
    })
  })
}
