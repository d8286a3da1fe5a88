import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { runBridge } from '../../src/mcp/bridge.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import { runCommand } from '../support/command.ts'
import { post, writeMessage } from '../support/mcp.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

interface Line {
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

const lines = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

const ping = writeMessage('2025-11-25', 'ping').body

test('spool mcp needs a token, and says so', async () => {
  for (const env of [{}, { SPOOL_TOKEN: ' ' }] as Record<string, string>[]) {
    const { code, stdout, stderr } = await runCommand(env, ['mcp'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^SPOOL_TOKEN must be a personal access token: "spool token create" makes one\.\n$/)
  }
  const bad = await runCommand({ SPOOL_TOKEN: 'a secret', SPOOL_URL: 'http://127.0.0.1:1' }, ['mcp'])
  assert.equal(bad.code, 1)
  assert.doesNotMatch(bad.stderr, /a secret/)
})

test('spool mcp passes lines on, tells faults as errors of the protocol, and ends with its input', async () => {
  await using spool = await startSpool('sqlite')
  // The address that agents are given is taken too.
  const env = { SPOOL_URL: `${spool.url}/mcp/`, SPOOL_TOKEN: spool.token }
  const input = [
    ping,
    '',
    'not JSON',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    writeMessage('2026-07-28', 'tools/call', { name: 'list_threads', arguments: {} }).body,
    writeMessage('2026-07-28', 'tools/call', { name: 'größte', arguments: {} }).body,
  ]
  // The server refuses these without naming a request: each one that waits is answered all the same.
  const [large, batch] = ['"jsonrpc":"2.0","id":"large","method":"ping"', '"jsonrpc":"2.0","method":"ping"']
  input.push(
    `{${large},"params":{"x":"${'x'.repeat(1_100_000)}"}}`,
    `[{"id":"one",${batch}},{"id":"two",${batch}}]`,
  )
  const { code, stdout, stderr } = await runCommand(env, ['mcp'], `${input.join('\r\n')}\n`)
  assert.deepEqual([code, stderr], [0, ''])
  const answers = lines(stdout)
  assert.equal(answers.length, 7, stdout.slice(0, 2000))
  for (const refused of ['large', 'one', 'two'])
    assert.ok(answers.some(({ id, error }) => id === refused && error))
  assert.ok(answers.some(({ id, error }) => id === null && error?.code === -32_700))
  assert.ok(answers.some(({ result }) => result && Object.keys(result).length === 0))
  assert.ok(
    answers.some(
      ({ result }) => (result?.['structuredContent'] as { data?: [] } | undefined)?.data?.length === 0,
    ),
  )
  assert.ok(answers.some(({ error }) => /There is no tool "größte"/.test(error?.message ?? '')))
})

test('spool mcp tells in one sentence why a token is refused or nobody answers', async () => {
  await using spool = await startSpool('sqlite')
  const refused = await runCommand(
    { SPOOL_URL: spool.url, SPOOL_TOKEN: 'spool_pat_wrong' },
    ['mcp'],
    `${ping}\n`,
  )
  assert.equal(refused.code, 0)
  assert.match(lines(refused.stdout)[0]!.error!.message, /^This needs a valid personal access token/)
  const away = await runCommand(
    { SPOOL_URL: 'http://127.0.0.1:1', SPOOL_TOKEN: spool.token },
    ['mcp'],
    `${ping}\n`,
  )
  const [answer] = lines(away.stdout)
  assert.equal(answer!.id, 7)
  assert.match(
    answer!.error!.message,
    /^Spool does not answer at http:\/\/127\.0\.0\.1:1; check that it is running/,
  )
  assert.doesNotMatch(away.stdout + away.stderr, /spool_pat_/)
})

interface Stdio extends AsyncDisposable {
  send(message: object): void
  heard: string[]
}

function openBridge(url: string, token: string): Stdio {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const heard: string[] = []
  output.on('data', (chunk: Buffer) => heard.push(...chunk.toString().trimEnd().split('\n')))
  const ended = runBridge({ url, token, input, output })
  return {
    send: (message) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    heard,
    async [Symbol.asyncDispose]() {
      input.end()
      await ended
    },
  }
}

test('a subscription that is cancelled over stdio ends at the server too', async () => {
  await using spool = await startSpool('sqlite')
  await using bridge = openBridge(spool.url, spool.token)
  const wanted = { notifications: { resourcesListChanged: true } }
  const { params } = JSON.parse(writeMessage('2026-07-28', 'subscriptions/listen', wanted).body) as Line & {
    params: object
  }
  // A token has at most ten.
  for (let count = 0; count < 12; count++) {
    const id = `listen:${count}`
    const answered = (): boolean => bridge.heard.some((line) => line.includes(`"${id}"`))
    bridge.send({ id, method: 'subscriptions/listen', params })
    await until('it is answered', async () => answered())
    bridge.send({ method: 'notifications/cancelled', params: { requestId: id } })
    await until('its place is free', async () => count < 9 || (await canListen(spool, wanted)))
  }
  assert.deepEqual(
    bridge.heard.filter((line) => line.includes('error')),
    [],
  )
})

async function canListen({ url, token }: TestSpool, wanted: Record<string, unknown>): Promise<boolean> {
  const { status, body } = await post(url, token, writeMessage('2026-07-28', 'subscriptions/listen', wanted))
  await body!.cancel()
  return status === 200
}

test('a subscription that the server ends is answered over stdio, so that the client opens it again', async () => {
  await using spool = await startSpool('sqlite')
  const token = await spool.makeToken(spool.ada)
  const { id } = (await listTokens(spool.spool, spool.ada.email)).at(-1)!
  await using bridge = openBridge(spool.url, token)
  const wanted = { notifications: { resourcesListChanged: true } }
  bridge.send(JSON.parse(writeMessage('2026-07-28', 'subscriptions/listen', wanted).body) as object)
  await until('it is open', async () => bridge.heard.length > 0)
  await revokeToken(spool.spool, id)
  await until('it is answered', async () => bridge.heard.length > 1)
  const { error, ...answer } = JSON.parse(bridge.heard[1]!) as Line
  assert.deepEqual(answer, { jsonrpc: '2.0', id: 7 })
  assert.match(error!.message, /^Spool ended this request without an answer; send it again\.$/)
})

test('spool mcp reads a resource in the newest revision, which has its URI in a header', async () => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ text: 'Where is it?' })
  const uri = `spool://threads/${threadId}`
  await using bridge = openBridge(spool.url, spool.token)
  bridge.send(JSON.parse(writeMessage('2026-07-28', 'resources/read', { uri }).body) as object)
  await until('it is answered', async () => bridge.heard.length > 0)
  assert.match(bridge.heard[0]!, /"contents":.*Where is it\?/)
})

test('spool mcp opens a broken stream of changes again, and says that something may have changed', async () => {
  let opened = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') return void response.end('{"jsonrpc":"2.0","id":1,"result":{}}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: {"stream":${++opened}}\n\n`)
    // As a server that restarts.
    if (opened === 1) response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  {
    await using bridge = openBridge(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'x')
    bridge.send({ id: 1, method: 'resources/subscribe', params: { uri: 'spool://threads/thr_1' } })
    await until('it is open again', async () => bridge.heard.includes('{"stream":2}'))
    assert.ok(bridge.heard.some((line) => line.includes('resources/list_changed')))
  }
  server.closeAllConnections()
  server.close()
})

test('spool mcp follows no redirect: the token is for one server', async () => {
  let asked = 0
  const elsewhere = createServer((_, response) => {
    asked++
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/mcp`
  const first = createServer((_, response) => response.writeHead(307, { location }).end()).listen(
    0,
    '127.0.0.1',
  )
  await once(first, 'listening')
  const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}`
  const { stdout } = await runCommand({ SPOOL_URL: url, SPOOL_TOKEN: 'spool_pat_x' }, ['mcp'], `${ping}\n`)
  for (const server of [first, elsewhere]) server.close()
  assert.equal(asked, 0)
  assert.match(stdout, /does not answer/)
})
