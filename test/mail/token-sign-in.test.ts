import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { handOver } from '../../src/mail/smtp/client.ts'
import { tryMailServer } from '../../src/mail/try-connection.ts'
import { writeMail } from '../support/letter.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

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

const never = new AbortController().signal
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

for (const mechanism of ['xoauth2', 'oauthbearer'] as const)
  test(
    `Dovecot and its submission service, offering ${mechanism} alone, take a token of a real provider`,
    { skip: skipWithout('dovecot') },
    async () => {
      await using provider = await startMailProvider('http://127.0.0.1:9/oauth/mailbox')
      const address = 'app@shop.example'
      provider.mailboxes.set('app', address)
      await using sink = await startSmtpSink()
      await using dovecot = await startDovecot({
        users: {},
        introspectionUrl: provider.introspectionUrl,
        tokenMechanisms: [mechanism],
        relayPort: sink.port,
      })
      const right = await provider.obtain()
      const [imap, smtp] = [
        { ...place, kind: 'imap', user: address, port: dovecot.port },
        { ...place, user: address, port: dovecot.submissionPort! },
      ] as const
      for (const server of [imap, smtp]) {
        assert.match(await tryMailServer({ ...server, token: right }), /lets app@shop\.example in/)
        await assert.rejects(tryMailServer(server), /does not let this sign-in open app@shop\.example/)
      }
      const source = Buffer.from(writeMail({ subject: 'By token', to: 'carla@customer.example' }))
      const parcel = { from: address, to: ['carla@customer.example'], source }
      const ending = { stop: never, cut: never }
      const refused = await handOver(smtp, parcel, async () => undefined, ending)
      assert.deepEqual([refused.result, sink.mails.length], ['refused', 0], refused.answer)
      const sent = await handOver({ ...smtp, token: right }, parcel, async () => undefined, ending)
      assert.equal(sent.result, 'accepted', sent.answer)
      assert.deepEqual(
        sink.mails.map(({ from, to }) => [from, ...to]),
        [[address, 'carla@customer.example']],
      )
    },
  )
