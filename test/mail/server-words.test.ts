import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as listen, type AddressInfo, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { handOverByGraph } from '../../src/mail/graph/client.ts'
import { makeExchange } from '../../src/mail/oauth/exchange.ts'
import { handOver } from '../../src/mail/smtp/client.ts'
import { probeMailServer } from '../../src/mail/try-connection.ts'
import type { MailServer } from '../../src/model/mail/server.ts'
import { until } from '../support/until.ts'

/** Clears a terminal, reverses what follows it, has a NUL that PostgreSQL refuses and a letter that nobody sees, and is long. */
const words = `no\u001b[2J \u202ee\u{e0041}v\u200bil\u2066\u0000\u0085 ${'x y '.repeat(5000)}`

function checkShown(text: string): void {
  assert.match(text, /no \[2J evil x y/)
  assert.doesNotMatch(text, /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u)
  assert.ok(text.length < 1000, `${text.length} characters`)
}

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

async function portOf(server: Server): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

function serveLines(greeting: string, answer: (line: string) => string): Server {
  return listen((socket) => {
    socket.on('error', () => undefined)
    socket.write(greeting)
    createInterface(socket)
      .on('error', () => undefined)
      .on('line', (line) => socket.write(answer(line)))
  })
}

function place(kind: 'imap' | 'smtp', port: number): MailServer {
  return { kind, host: '127.0.0.1', port, security: 'none', user: null, password: null, options: {} }
}

async function probeImap(server: Server): ReturnType<typeof probeMailServer> {
  const port = await portOf(server)
  return probeMailServer({ ...place('imap', port), user: 'ada', password: 'open sesame' })
}

const parcel = { from: 'a@shop.example', to: ['b@shop.example'], source: Buffer.from('Subject: a\r\n\r\n') }
const end = { stop: new AbortController().signal, cut: new AbortController().signal }
const proceed = async (): Promise<void> => undefined

test('what an IMAP server says about a refused password is one short line', async () => {
  const server = serveLines('* OK [CAPABILITY IMAP4rev1] here\r\n', (line) => {
    const tag = line.split(' ')[0]!
    return / CAPABILITY$/i.test(line)
      ? `* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`
      : `${tag} NO ${words.replaceAll('\0', '')}\r\n`
  })
  const trial = await probeImap(server)
  assert.ok(!trial.ok)
  assert.equal(trial.problem, 'password')
  checkShown(trial.message)
})

test('the folders that an IMAP server has are listed in one short line', async () => {
  const folder = Buffer.from(`INBOX ${words.replaceAll('\0', '')}`)
  const server = serveLines('* OK [CAPABILITY IMAP4rev1] here\r\n', (line) => {
    const tag = line.split(' ')[0]!
    if (/ CAPABILITY$/i.test(line)) return `* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`
    if (/ LIST .*\*/.test(line)) return `* LIST () "/" {${folder.length}}\r\n${folder}\r\n${tag} OK\r\n`
    return `${tag} OK\r\n`
  })
  const trial = await probeImap(server)
  assert.ok(!trial.ok)
  checkShown(trial.message)
})

test('why an SMTP server refuses a mail is one short line', async () => {
  const server = serveLines('220 here\r\n', (line) => {
    if (line.startsWith('EHLO')) return '250 here\r\n'
    return line.startsWith('MAIL') ? `550-${words}\r\n550 ${words}\r\n` : '250 ok\r\n'
  })
  const handover = await handOver(place('smtp', await portOf(server)), parcel, proceed, end)
  assert.equal(handover.result, 'refused')
  checkShown(handover.answer)
})

function serveHttp(answer: (request: IncomingMessage, response: ServerResponse) => void): Server {
  return createServer((request, response) => {
    request.resume()
    answer(request, response)
  })
}

test('why Graph refuses a mail is one short line, and a body without end is not read to it', async () => {
  const answers = serveHttp((_, response) => {
    response.writeHead(400).end(JSON.stringify({ error: { code: 'ErrorInvalid', message: words } }))
  })
  const server = { ...place('smtp', await portOf(answers)), user: 'a@shop.example', token: 'token' }
  const handover = await handOverByGraph(server, { ...parcel, bcc: [] }, proceed, end)
  assert.equal(handover.result, 'refused')
  checkShown(handover.answer)

  let hungUp = false
  const endless = serveHttp((_, response) => {
    response.writeHead(400)
    const write = (): void => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', write).on('close', () => (hungUp = true))
    write()
  })
  const other = { ...server, port: await portOf(endless) }
  assert.equal((await handOverByGraph(other, { ...parcel, bcc: [] }, proceed, end)).result, 'refused')
  await until('the connection ends', async () => hungUp)
})

test('why a sign-in provider refuses is one short line, whatever the type of its description', async () => {
  let body: Record<string, unknown> = {}
  const provider = serveHttp((request, response) => {
    const issuer = `http://${request.headers.host}`
    const isToken = request.url === '/token'
    const answer = isToken ? body : { issuer, token_endpoint: `${issuer}/token` }
    response
      .writeHead(isToken ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer))
  })
  const issuer = `http://127.0.0.1:${await portOf(provider)}`
  const client = {
    provider: 'other',
    issuer,
    clientId: 'spool',
    clientSecret: null,
    scopes: ['mail'],
  } as const
  const exchange = makeExchange(fetch as never)
  const refusal = async (answer: Record<string, unknown>): Promise<string> => {
    body = answer
    return exchange.renew(client as never, 'refresh').then(
      () => 'It was not refused.',
      (error: Error) => error.message,
    )
  }
  checkShown(await refusal({ error: 'invalid_grant', error_description: words }))
  checkShown(await refusal({ error: words }))
  assert.match(await refusal({ error: 'invalid_grant', error_description: { a: 1 } }), /sign in again\.$/)
  assert.match(await refusal({ error: 'constructor' }), /does not answer as a sign-in server should/)
})
