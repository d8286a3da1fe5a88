import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { startFixture } from '../support/mcp-fixture.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'

const suite = resolve(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)

interface Ran {
  code: number
  output: string
}

function runSuite(...words: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...words], { timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })
}

const judge = (url: string, ...words: string[]): Promise<Ran> =>
  runSuite('server', '--url', url, '-o', scratchFolder('conformance'), ...words)

/** Which scenarios passed, and how many checks each has. */
function readSummary(output: string): Map<string, { passed: number; failed: number }> {
  const lines = output.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed/gm)
  return new Map(
    [...lines].map(([, name, passed, failed]) => [name!, { passed: Number(passed), failed: Number(failed) }]),
  )
}

const list = (revision: string): Promise<Ran> => runSuite('list', '--server', '--spec-version', revision)

test('every scenario of the official suite for 2025-11-25 passes on the transport', async () => {
  const known = await list('2025-11-25')
  const scenarios = [...known.output.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map(([, name]) => name!)
  assert.ok(scenarios.length >= 30, `only ${scenarios.length} scenarios are known`)
  await using fixture = await startFixture()
  const { code, output } = await judge(fixture.url, '--suite', 'all', '--spec-version', '2025-11-25')
  assert.equal(code, 0, output)
  const summary = readSummary(output)
  assert.deepEqual([...summary.keys()].sort(), scenarios.sort(), 'all of them were run')
  for (const [name, { failed }] of summary) assert.equal(failed, 0, name)
})

/** It has no scenarios for that revision; until then protocol.test.ts and clients.test.ts stand in. */
test('the installed suite does not know 2026-07-28 yet: once it does, its scenarios belong here', async () => {
  const { code, output } = await list('2026-07-28')
  assert.notEqual(code, 0)
  assert.match(output, /Unknown spec version: 2026-07-28/)
})

/** Adds the header that the suite cannot send, and changes nothing else. */
async function startProxy(target: string, token: string): Promise<{ url: string } & Disposable> {
  const { hostname, port } = new URL(target)
  const proxy = createServer((incoming, response) => {
    const { method, url, headers } = incoming
    const options = {
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${token}` },
    }
    const passed = ask(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    [Symbol.dispose]() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

test('what needs no tools of the suite passes on Spool itself', async () => {
  await using spool = await startSpool('sqlite')
  using proxy = await startProxy(spool.url, spool.token)
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    const { code, output } = await judge(proxy.url, '--scenario', scenario)
    assert.equal(code, 0, output)
    assert.match(output, /Passed: [1-9]/, output)
  }
})
