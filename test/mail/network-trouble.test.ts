import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { explainNoAnswer } from '../../src/mail/connection-trouble.ts'
import { handOverByGraph } from '../../src/mail/graph/client.ts'
import { handOver } from '../../src/mail/smtp/client.ts'
import { probeMailServer } from '../../src/mail/try-connection.ts'
import type { MailServer } from '../../src/model/mail/server.ts'

/** How Node, OpenSSL and the libraries write. */
const raw = /\bE[A-Z]{4,}\b|SSL routines|:error:|getaddrinfo|\bconnect |fetch failed|socket/
const never = new AbortController().signal
const end = { stop: never, cut: never }
const parcel = { from: 'a@a.example', to: ['b@b.example'], source: Buffer.from('Subject: x\r\n\r\nx\r\n') }

/** A server that answers every connection alike; null: nobody listens. */
async function withPort(serve: ((socket: Socket) => void) | null, use: (port: number) => Promise<void>) {
  const server = createServer((socket) => serve?.(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  if (serve === null) server.close()
  try {
    await use(port)
  } finally {
    server.close()
  }
}

/** An alert instead of a handshake, as from a server that speaks older TLS only. */
const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 70])

const ways: Record<string, ((socket: Socket) => void) | null> = {
  'nobody listens': null,
  'it hangs up': (socket) => socket.destroy(),
  'it speaks older TLS': (socket) => socket.once('data', () => socket.end(alert)),
  'it speaks no TLS': (socket) => socket.end('220 hello\r\n'),
}

for (const [name, serve] of Object.entries(ways))
  test(`what to check is said in a sentence: ${name}`, async () => {
    await withPort(serve, async (port) => {
      const said: string[] = []
      for (const kind of ['imap', 'smtp'] as const) {
        const address = { kind, host: '127.0.0.1', port, security: 'tls', user: 'ada', options: {} } as const
        const server: MailServer = { ...address, password: 'secret' }
        const trial = await probeMailServer(server, 5_000)
        assert.ok(!trial.ok)
        said.push(trial.message)
        if (kind === 'imap') continue
        said.push((await handOver(server, parcel, async () => undefined, end)).answer)
        const graph = { ...server, token: 'token' }
        said.push((await handOverByGraph(graph, { ...parcel, bcc: [] }, async () => undefined, end)).answer)
        const error: unknown = await fetch(`https://127.0.0.1:${port}/`).catch((caught: unknown) => caught)
        said.push(explainNoAnswer('127.0.0.1', error) ?? String(error))
      }
      for (const sentence of said) {
        assert.doesNotMatch(sentence, raw)
        assert.match(sentence, /; [a-z].*\.$/s)
      }
    })
  })

test('a server that signs in only after STARTTLS is named with it', async () => {
  const serve = (socket: Socket): void => {
    socket.write('220 here\r\n')
    socket.on('data', (chunk) =>
      socket.write(`${chunk}`.startsWith('EHLO') ? '250-here\r\n250 STARTTLS\r\n' : '530 encrypt first\r\n'),
    )
  }
  await withPort(serve, async (port) => {
    const address = {
      kind: 'smtp',
      host: '127.0.0.1',
      port,
      security: 'none',
      user: 'ada',
      options: {},
    } as const
    const trial = await probeMailServer({ ...address, password: 'secret' }, 5_000)
    assert.ok(!trial.ok)
    assert.match(trial.message, /offers no sign-in without encryption: choose STARTTLS/)
  })
})
