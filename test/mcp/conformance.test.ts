import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { revisions, type Revision } from '../support/mcp.ts'
import { allow } from '../support/oauth.ts'
import { startFixture } from '../support/mcp-fixture.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { installTools } from '../support/tools.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

async function findSuite(): Promise<string> {
  const tools = await installTools(join(import.meta.dirname, 'tools'))
  return tools.path('@modelcontextprotocol/conformance/dist/index.js')
}

async function runSuite(...words: string[]): Promise<{ code: number; output: string }> {
  const suite = await findSuite()
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...words], { timeout: 600_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })
}

/** What a server of that revision must pass, as the suite itself has it. */
async function listRequired(revision: Revision): Promise<string[]> {
  const { output } = await runSuite('list', '--requirements', revision)
  const [servers = ''] = output.split('\nClient scenarios')
  return [...servers.matchAll(/^ {2}- ([a-z0-9-]+)$/gm)].map(([, name]) => name!)
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
  details?: { untestable?: boolean }
}

interface Verdict {
  code: number
  output: string
  /** By scenario. */
  checks: Map<string, Check[]>
}

async function judge(url: string, revision: Revision): Promise<Verdict> {
  const folder = scratchFolder('conformance')
  const { code, output } = await runSuite('server', '--url', url, '--requirements', revision, '-o', folder)
  const checks = new Map<string, Check[]>()
  for (const run of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(run)!
    checks.set(scenario!, JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8')) as Check[])
  }
  return { code, output, checks }
}

function find(
  checks: Verdict['checks'],
  scenarios: readonly string[],
  ...status: Check['status'][]
): string[] {
  return scenarios.flatMap((scenario) =>
    checks
      .get(scenario)!
      .filter((check) => status.includes(check.status))
      .map(({ id }) => `${scenario}: ${id}`),
  )
}

/** Not required, and passed all the same. */
const besides: Record<Revision, string[]> = {
  '2026-07-28': ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation'],
  '2025-11-25': ['json-schema-2020-12'],
}

/** Recommended, or about what is optional: sessions, which Spool does not keep. */
const warnings: Record<Revision, string[]> = {
  '2026-07-28': [],
  '2025-11-25': ['server-sse-multiple-streams: server-sse-multiple-streams-session'],
}

for (const revision of revisions)
  test(`${revision}: every scenario that the official suite requires passes on the transport`, async () => {
    const required = await listRequired(revision)
    assert.equal(required.length, { '2026-07-28': 37, '2025-11-25': 30 }[revision], 'the set is frozen')
    await using fixture = await startFixture()
    const wanted = [...required, ...besides[revision]]
    let verdict = await judge(fixture.url, revision)
    // It waits only moments for notifications, so what failed on a busy machine is judged again.
    const present = wanted.filter((scenario) => verdict.checks.has(scenario))
    const troubles = find(verdict.checks, present, 'FAILURE', 'WARNING', 'SKIPPED')
    if (troubles.length > warnings[revision].length) verdict = await judge(fixture.url, revision)
    const { code, output, checks } = verdict
    assert.equal(code, 0, output)
    assert.deepEqual(
      wanted.filter((scenario) => !checks.has(scenario)),
      [],
      'all of them were run',
    )
    assert.deepEqual(find(checks, wanted, 'FAILURE'), [])
    assert.deepEqual(find(checks, wanted, 'WARNING', 'SKIPPED'), warnings[revision])
    assert.ok(find(checks, wanted, 'SUCCESS').length >= 2 * wanted.length - 2, output)
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
    response.on('close', () => passed.destroy())
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

/** Scenarios that need nothing but a server; named are the checks that call what Spool has not. */
const onSpool: Record<Revision, Record<string, string[]>> = {
  '2026-07-28': {
    'server-stateless': [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-sends-prompts-list-changed-on-subscription',
      'sep-2575-server-sends-tools-list-changed-on-subscription',
    ],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'dns-rebinding-protection': [],
    caching: ['sep-2549-prompts-list-caching-hints', 'sep-2549-resources-read-caching-hints'],
    'input-required-result-unsupported-methods': [],
    'http-header-validation': [],
  },
  '2025-11-25': {
    'server-initialize': [],
    ping: [],
    'tools-list': [],
    'dns-rebinding-protection': [],
  },
}

for (const revision of revisions)
  test(`${revision}: what needs no tools of the suite's own passes on Spool itself`, async () => {
    await using spool = await startSpool('sqlite')
    using proxy = await startProxy(spool.url, spool.token)
    const { checks, output } = await judge(proxy.url, revision)
    for (const [scenario, foreign] of Object.entries(onSpool[revision])) {
      const missed = checks.get(scenario)!.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
      assert.deepEqual(
        missed.map(({ id }) => id),
        foreign,
        scenario,
      )
      assert.ok(find(checks, [scenario], 'SUCCESS').length > 0, scenario)
      for (const { status, errorMessage = '', details } of missed)
        assert.ok(
          status === 'SKIPPED' || details?.untestable || /Method not found/.test(errorMessage),
          output,
        )
    }
    // Whatever was asked in any scenario, every message of the answer is one by the revision's own schema.
    const judged = [...checks].filter(([, all]) => all.some(({ id }) => id === 'wire-schema-valid'))
    assert.ok(judged.length >= 20)
    for (const [scenario, all] of judged)
      assert.ok(
        all.every(({ id, status }) => id !== 'wire-schema-valid' || status === 'SUCCESS'),
        scenario,
      )
    assert.doesNotMatch(spool.log.join(), /"level":50/, 'none is a fault of ours')
  })

/** The suite prints where a person should go, and waits for the browser at a port of its own. */
test('the authorization scenarios of the official suite pass', async () => {
  await using spool = await startSpool('sqlite')
  const page = await signInAs(spool, spool.ada)
  const redirectUris = ['http://127.0.0.1/callback']
  const { id } = await page.do<{ id: string }>('POST', '/clients', { name: 'Suite', redirectUris })
  const folder = scratchFolder('conformance')
  const port = await findFreePort()
  const words = ['authorization', '--url', spool.url, '--client-id', id, '--resource', `${spool.url}/mcp`]
  const child = spawn(process.execPath, [await findSuite(), ...words, '-p', String(port), '-o', folder])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => void (output += piece.toString()))
  const ended = once(child, 'exit')
  const address = await until(
    'it says where to go',
    async () => /http\S+\/oauth\/authorize\?(\S+)/.exec(output),
    120_000,
  )
  const back = await allow(page, address[1]!, { inboxes: [spool.inbox.id] })
  await (await fetch(back)).text()
  const [code] = (await ended) as [number]
  assert.equal(code, 0, output)
  const checks = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'checks.json')
    .flatMap(({ parentPath, name }) => JSON.parse(readFileSync(join(parentPath, name), 'utf8')) as Check[])
  assert.deepEqual(
    checks.map(({ id, status }) => [id, status]).sort(),
    [
      ['authorization-code-grant', 'SUCCESS'],
      ['authorization-server-metadata', 'SUCCESS'],
      ['authorization-server-metadata-cimd', 'SUCCESS'],
    ],
    output,
  )
})

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
