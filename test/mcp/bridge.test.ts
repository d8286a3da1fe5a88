import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { runCommand } from '../support/command.ts'
import { writeMessage } from '../support/mcp.ts'
import { startSpool } from '../support/spool.ts'

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
