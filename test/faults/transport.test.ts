import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Exchange } from '../../src/http/exchange.ts'
import { securityHeaders } from '../../src/http/headers.ts'
import { Observer } from '../../src/http/observer.ts'
import { databases } from '../support/databases.ts'
import { openSocket, sendRaw, type Piece, type RawAnswer } from '../support/raw-http.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

/** Words that must never reach the log. */
const canaries = { subject: 'Kanarienvogel', address: 'vera@canary.example', q: 'zitronenfalter' }

// What happens below the routes does not depend on the database, but how long an answer takes does.
for (const database of databases) {
  let spool: TestSpool
  before(async () => {
    spool = await startSpool(database)
    await spool.receive({ subject: canaries.subject, from: `Vera <${canaries.address}>` })
  })
  after(() => spool[Symbol.asyncDispose]())

  /** In the error shape, with every security header, and in the log under the same id. */
  const checkRefusal = async ({ status, headers, body }: RawAnswer, expected: number): Promise<void> => {
    assert.equal(status, expected, body)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    for (const [name, value] of Object.entries(securityHeaders))
      if (name !== 'Content-Security-Policy') assert.equal(headers[name.toLowerCase()], value, name)
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/)
    const { statusCode, message, requestId } = JSON.parse(body) as Record<string, unknown>
    assert.equal(statusCode, expected)
    assert.match(String(message), /^.+ .+[.]$/)
    assert.equal(headers['x-request-id'], requestId)
    const entry = await until('the log has the same id', async () =>
      spool.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find((line) => line['requestId'] === requestId && line['msg'] === 'request'),
    )
    assert.equal(entry['status'], expected, 'and the same status')
  }
  const stillServes = async (): Promise<void> => {
    assert.equal((await spool.get('/api/v1/threads')).status, 200)
    assert.equal((await spool.get('/healthz')).status, 200)
  }
  const good = (path = '/api/v1/me', more = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: spool.example\r\nAuthorization: Bearer ${spool.token}\r\n${more}\r\n`
  const start = 'GET /api/v1/me HTTP/1.1\r\nHost: spool.example\r\n'
  const post = 'POST /api/v1/me HTTP/1.1\r\nHost: spool.example\r\n'
  const longest = 'x'.repeat(100_000)

  const refused: [what: string, status: number, request: () => Piece | Piece[]][] = [
    ['garbage', 400, () => '\u0000\u0001\u0002 what is this\r\n\r\n'],
    ['a line of nothing but blanks', 400, () => '     \r\n\r\n'],
    ['TLS', 400, () => Buffer.from('16030100c8010000c40303', 'hex')],
    ['a method nobody knows', 400, () => 'BREW /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 400, () => 'get /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/3.7', 400, () => 'GET /api/v1/me HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header of 100 kB', 431, () => `${start}X-Long: ${longest}\r\n\r\n`],
    ['headers of 100 kB together', 431, () => start + 'X-Many: abcdefgh\r\n'.repeat(6000)],
    ['an address of 100 kB', 431, () => `GET /api/v1/threads?q=${longest} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['no Host', 400, () => 'GET /api/v1/me HTTP/1.1\r\n\r\n'],
    ['two Hosts', 400, () => `${start}host: other.example\r\n\r\n`],
    ['two equal Hosts', 400, () => `${start}Host: spool.example\r\n\r\n`],
    ['a Content-Length of words', 400, () => `${post}Content-Length: many\r\n\r\n`],
    ['a negative Content-Length', 400, () => `${post}Content-Length: -5\r\n\r\nhello`],
    ['two Content-Lengths', 400, () => `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    [
      'Content-Length beside chunks',
      400,
      () => `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks beside Content-Length',
      400,
      () => `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    ['chunks that are not last', 400, () => `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a header that goes on in the next line', 400, () => `${start}X-Folded: one\r\n two\r\n\r\n`],
    ['a NUL in a header', 400, () => `${start}X-Nul: a\u0000b\r\n\r\n`],
    ['a header name with a blank', 400, () => `${start}X Blank: a\r\n\r\n`],
    ['a header without a name', 400, () => `${start}: a\r\n\r\n`],
    ['a bare line feed in a header', 400, () => `${start}X-Feed: a\nX-Other: b\r\n\r\n`],
    ['a bare carriage return', 400, () => `${start}X-Return: a\rb\r\n\r\n`],
    ['CONNECT', 405, () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['an expectation other than 100-continue', 417, () => `${start}Expect: a-miracle\r\n\r\n`],
    ['a path with bytes that are no UTF-8', 400, () => good('/api/v1/threads/\u00ff\u00fe')],
    ['a blank in the address', 400, () => 'GET /api/v1/me please HTTP/1.1\r\nHost: x\r\n\r\n'],
  ]
  for (const [what, status, request] of refused) {
    test(`${database}: ${what} is answered with ${status} and the connection closed`, async () => {
      const { answers, closed, rest } = await sendRaw(spool.url, request())
      assert.equal(answers.length, 1, rest)
      assert.ok(closed)
      assert.equal(rest, '')
      await checkRefusal(answers[0]!, status)
      await stillServes()
    })
  }

  const answered: [what: string, status: number, request: () => string][] = [
    ['OPTIONS *', 404, () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an address with scheme and host',
      401,
      () => 'GET http://x.example/api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    ['HTTP/1.0 without Host', 401, () => 'GET /api/v1/me HTTP/1.0\r\n\r\n'],
    ['a wish to upgrade', 401, () => `${start}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    [
      'a wish for HTTP/2',
      401,
      () =>
        `${start}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ],
    ['HTTP/0.9', 401, () => 'GET /api/v1/me\r\n\r\n'],
    ['a percent sign without digits', 404, () => good('/api/v1/threads/%')],
    ['%00 in a path', 404, () => good('/api/v1/threads/%00')],
    ['%00 in a query', 400, () => good('/api/v1/threads?q=%00')],
    ['a query that is no UTF-8', 400, () => good('/api/v1/threads?q=%ff%fe')],
    ['a query of 10 kB', 400, () => good(`/api/v1/threads?q=${'x'.repeat(10_000)}`)],
    ['an unknown parameter of 10 kB', 400, () => good(`/api/v1/threads?${'x'.repeat(10_000)}=1`)],
    ['an id of 10 kB', 404, () => good(`/api/v1/threads/${'x'.repeat(10_000)}`)],
    ['dots in the path', 404, () => good('/api/v1/threads/../me')],
    ['dots that lead out of the API', 404, () => good('/api/v1/../../etc/passwd')],
    ['percent signs outside the API', 400, () => good('/%zz')],
    [
      'a body nobody asked for',
      405,
      () => `${post}Authorization: Bearer ${spool.token}\r\nContent-Length: 9\r\n\r\n{"a":nope`,
    ],
    [
      'bad JSON outside the API',
      400,
      () =>
        'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{"a":',
    ],
    [
      'a content type nobody knows',
      404,
      () => 'PUT /healthz HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Length: 1\r\n\r\nx',
    ],
  ]
  for (const [what, status, request] of answered) {
    test(`${database}: ${what} is answered with ${status}`, async () => {
      const { answers } = await sendRaw(spool.url, request(), { answers: 1 })
      assert.equal(answers.length, 1)
      await checkRefusal(answers[0]!, status)
      await stillServes()
    })
  }

  test(`${database}: several requests in one packet are answered in their order`, async () => {
    const paths = ['/api/v1/me', '/api/v1/threads', '/healthz', '/api/v1/nothing', '/api/v1/events']
    const { answers, rest } = await sendRaw(spool.url, paths.map((path) => good(path)).join(''), {
      answers: paths.length,
    })
    assert.deepEqual([answers.map(({ status }) => status), rest], [[200, 200, 200, 404, 200], ''])
    assert.ok('canSend' in (JSON.parse(answers[0]!.body) as object))
    assert.ok('nextCursor' in (JSON.parse(answers[4]!.body) as object))
  })

  test(`${database}: an invalid request in the middle of a packet is refused in its turn, and nothing after it is answered`, async () => {
    const packet = good('/api/v1/threads') + good('/api/v1/me') + 'NONSENSE\r\n\r\n' + good('/api/v1/me')
    const { answers, closed, rest } = await sendRaw(spool.url, packet)
    assert.deepEqual([answers.map(({ status }) => status), closed, rest], [[200, 200, 400], true, ''])
    assert.ok('nextCursor' in (JSON.parse(answers[0]!.body) as object))
    assert.ok('canSend' in (JSON.parse(answers[1]!.body) as object))
    await checkRefusal(answers[2]!, 400)
  })

  test(`${database}: a request hidden in the body of another is not answered`, async () => {
    const hidden = good('/api/v1/threads')
    for (const method of ['GET', 'HEAD', 'POST']) {
      const request = good('/api/v1/me', `Content-Length: ${hidden.length}\r\n`).replace('GET', method)
      const { answers, closed } = await sendRaw(spool.url, request + hidden, {
        bodiless: method === 'HEAD',
        timeout: 30_000,
      })
      assert.equal(answers.length, 1, method)
      assert.ok(closed, method)
    }
  })

  test(`${database}: clients that break off, at any byte, leave nothing behind`, async () => {
    const request = good('/api/v1/threads')
    for (let length = 0; length < request.length; length += 7) {
      const socket = await openSocket(spool.url)
      socket.on('error', () => undefined)
      socket.write(request.slice(0, length))
      if (length % 2) socket.resetAndDestroy()
      else socket.destroy()
    }
    for (const line of ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'NONSENSE\r\n\r\n', request]) {
      for (const pause of [0, 3, 10]) {
        const socket = await openSocket(spool.url)
        socket.on('error', () => undefined)
        socket.write(line)
        await sleep(pause)
        socket.resetAndDestroy()
      }
    }
    await sleep(50)
    await stillServes()
  })

  test(`${database}: a client that has said all and keeps listening is answered or let go of at once`, async () => {
    const socket = await openSocket(spool.url)
    socket.end(good('/api/v1/threads'))
    const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString()
    assert.match(text, /^$|^HTTP\/1\.1 200 [^]*"nextCursor":null}$/)
    await stillServes()
  })

  const tellSlow = async (): Promise<void> => {
    const slowHeaders = sendRaw(spool.url, [start, 3000, 'X-Slow: ', 3000, 'a'], { timeout: 30_000 })
    const nothing = sendRaw(spool.url, [], { timeout: 30_000 })
    const afterFirst = sendRaw(spool.url, [good(), 50, 'GET /api/v1/'], { timeout: 30_000 })
    // The first is still being answered when the second runs out of time.
    const behindWait = sendRaw(spool.url, [good('/api/v1/events?wait=14&type=draft.sent'), 20, 'GET /api'], {
      timeout: 34_000,
    })
    const slowBody = sendRaw(spool.url, [`${post}Content-Length: 100\r\n\r\n`, 1000, 'a', 1000, 'b'], {
      timeout: 30_000,
    })
    await stillServes()
    for (const slow of [await slowHeaders, await nothing]) {
      assert.equal(slow.answers.length, 1)
      assert.ok(slow.closed)
      await checkRefusal(slow.answers[0]!, 408)
    }
    assert.deepEqual(
      (await afterFirst).answers.map(({ status }) => status),
      [200, 408],
    )
    assert.deepEqual(
      (await behindWait).answers.map(({ status }) => status),
      [200, 408],
    )
    // A body that nobody reads is not waited for.
    assert.deepEqual(
      (await slowBody).answers.map(({ status }) => status),
      [401],
    )
  }
  // It takes its time, and the database has no part in it.
  if (database === databases[0])
    test('slow clients are told 408 after 10 seconds, and hold up nobody meanwhile', tellSlow)

  test(`${database}: the log and the metrics hold no token, no address, no subject and no word that was searched for`, async () => {
    const paths = [
      `/api/v1/threads?q=${canaries.q}`,
      `/api/v1/threads?inbox=${canaries.address}`,
      `/api/v1/threads?assignee=${canaries.q}`,
      `/api/v1/threads?${canaries.q}=1`,
      `/api/v1/threads/${canaries.q}`,
      `/api/v1/${canaries.q}`,
      `/${canaries.q}?${canaries.q}`,
      `/api/v1/threads?token=${spool.token}`,
    ]
    for (const path of paths) await spool.get(path)
    await spool.get('/api/v1/me', {
      token: canaries.q,
      headers: { 'user-agent': canaries.q, referer: canaries.q },
    })
    await sendRaw(spool.url, `${canaries.q} / HTTP/1.1\r\nHost: ${canaries.q}\r\n\r\n`)
    const metrics = (await spool.get('/metrics')).text
    assert.match(metrics, /route="\/api\/v1\/threads\/\{id\}"/)
    const log = spool.log.join('') + metrics
    for (const canary of [
      ...Object.values(canaries),
      spool.token,
      spool.token.slice(10, 30),
      'carla@',
      '127.0.0.1:',
    ])
      assert.ok(!log.replace(/"url":"[^"]*"/g, '').includes(canary), canary)
    assert.ok(log.includes('"msg":"request"'))
  })
}

test('a connection opened ahead of its request, as browsers do, does not hold up the end', async () => {
  const spool = await startSpool('sqlite', { SPOOL_DRAIN_SECONDS: '60' })
  const { hostname, port } = new URL(spool.url)
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  await spool.get('/healthz')
  const start = performance.now()
  await spool[Symbol.asyncDispose]()
  assert.ok(performance.now() - start < 30_000, 'long before it would have given up')
  silent.destroy()
})

test('metrics are for this machine alone: not for what a proxy passes on, nor for a page whose name leads here', async () => {
  await using spool = await startSpool('sqlite')
  const ask = async (...headers: string[]): Promise<number> =>
    (await sendRaw(spool.url, `GET /metrics HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, { answers: 1 }))
      .answers[0]!.status
  const { port } = new URL(spool.url)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', `[::1]:${port}`])
    assert.equal(await ask(`Host: ${host}`), 200, host)
  for (const host of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '1270001'])
    assert.equal(await ask(`Host: ${host}`), 403, host)
  for (const mark of ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'])
    assert.equal(await ask('Host: 127.0.0.1', `${mark}: 127.0.0.1`), 403, mark)
})

test('SPOOL_METRICS_TOKEN opens the metrics from elsewhere, and no other token does', async () => {
  const secret = 'a-token-for-metrics-alone'
  await using spool = await startSpool('sqlite', { SPOOL_METRICS_TOKEN: secret })
  const ask = async (token: string): Promise<number> =>
    (await spool.get('/metrics', { token, headers: { 'x-forwarded-for': '203.0.113.9' } })).status
  assert.equal(await ask(secret), 200)
  assert.equal(await ask(spool.token), 403)
})

test('a failure whose answer cannot be written ends its connection, and not the process', async () => {
  const lines: string[] = []
  const observer = new Observer(pino({}, { write: (line) => void lines.push(line) }))
  const server = createServer((request, response) => {
    const exchange = new Exchange(observer, request, response, '/broken')
    exchange.headers.push('X-Broken', 'two\r\nlines')
    exchange.fail(new Error('the one to be told'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { answers, closed } = await sendRaw(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.deepEqual([answers.length, closed], [0, true])
  } finally {
    server.closeAllConnections()
    server.close()
  }
  assert.equal(lines.length, 2, 'both failures are in the log')
  assert.match(lines[1]!, /ERR_INVALID_CHAR/)
})

test('every answer of a Spool with an https address tells browsers to stay with it for a year, of others none', async () => {
  for (const [url, expected] of [
    ['https://spool.example', 'max-age=31536000'],
    ['http://spool.example', undefined],
  ] as const) {
    await using spool = await startSpool('sqlite', { SPOOL_URL: url })
    const at = (line: string, more = ''): string =>
      `${line} HTTP/1.1\r\nHost: spool.example\r\nAuthorization: Bearer ${spool.token}\r\nConnection: close\r\n${more}\r\n`
    const requests = [
      at('GET /'),
      at('GET /docs'),
      at('GET /nothing', 'Accept: text/html\r\n'),
      at('GET /healthz'),
      at('GET /api/v1/me'),
      at('GET /api/v1/threads', 'Accept-Encoding: gzip\r\n'),
      at('GET /api/v1/nothing'),
      at('POST /mcp'),
      at('POST /api/app/session'),
      at('GET /.well-known/oauth-authorization-server'),
      at('BREW /api/v1/me'),
      at('GET /').replace('Host: spool.example\r\n', ''),
    ]
    for (const request of requests) {
      const { answers } = await sendRaw(spool.url, request, { answers: 1 })
      assert.equal(answers[0]!.headers['strict-transport-security'], expected, request)
    }
  }
})
