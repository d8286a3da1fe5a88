import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { signDelivery } from '../../src/webhook/sign.ts'
import { installClient } from '../support/client-package.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { skipWithout } from '../support/parts/install.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const home = resolve(import.meta.dirname, '../..')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"type":"webhook.test","data":{"name":"Zoë ☂"}}'

let folder: string
before(async () => {
  folder = scratchFolder('client')
  await installClient(folder)
})

/** The same in Node and in a browser: something of everything that needs its runtime. */
const program = `
import { Spool, isEntry } from '@spool-inbox/client'
import { verifyWebhook } from '@spool-inbox/client/webhooks'

export async function use({ url, token, secret, headers, body }) {
  const spool = new Spool({ url, token })
  const subjects = []
  for await (const thread of spool.threads({ limit: 1 })) subjects.push(thread.subject)
  const stop = new AbortController()
  const events = []
  for await (const event of spool.follow({ type: ['message.received'], signal: stop.signal })) {
    events.push(event.type)
    if (events.length === 2) stop.abort()
  }
  const exported = []
  for await (const { history } of spool.export()) exported.push(history.filter((entry) => isEntry(entry, 'message')).length)
  const delivery = await verifyWebhook(secret, headers, body)
  const forged = await verifyWebhook(secret, headers, body + ' ').catch((error) => error.name)
  const garbled = { ...headers, 'webhook-signature': 'v1,A v1,AAAA=' }
  const odd = await verifyWebhook(secret, garbled, body).catch((error) => error.name)
  return { subjects, events, exported, delivery: delivery.data.name, forged, odd }
}
`

async function prepare(
  environment: Record<string, string> = {},
): Promise<{ spool: TestSpool; input: object }> {
  const spool = await startSpool('sqlite', environment)
  for (const subject of ['Where is my order?', 'Grüße']) await spool.receive({ subject })
  const headers = signDelivery([secret], { id: 'evt_1', at: Date.now(), body })
  return { spool, input: { url: spool.url, token: spool.token, secret, headers, body } }
}

const expected = {
  subjects: ['Grüße', 'Where is my order?'],
  events: ['message.received', 'message.received'],
  exported: [1, 1],
  delivery: 'Zoë ☂',
  forged: 'WebhookVerificationError',
  odd: 'WebhookVerificationError',
}

/** The machine's own, older than the one that Spool brings along. */
function findPlainNode(): string {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
}

test('the package runs on a plain Node 20', async (t) => {
  const { spool, input } = await prepare()
  await using _ = spool
  writeFileSync(join(folder, 'program.mjs'), program)
  const start = `import { use } from './program.mjs'\nconsole.log(JSON.stringify(await use(${JSON.stringify(input)})))`
  writeFileSync(join(folder, 'start.mjs'), start)
  const node = findPlainNode()
  t.diagnostic((await promisify(execFile)(node, ['--version'])).stdout.trim())
  const { stdout } = await promisify(execFile)(node, ['start.mjs'], { cwd: folder })
  assert.deepEqual(JSON.parse(stdout), expected)
})

test('the package runs in a page of another origin', { skip: skipWithout('chromium') }, async () => {
  const files: Record<string, string> = {
    '/': `<script type="importmap">{"imports":{"@spool-inbox/client":"/client/client.js","@spool-inbox/client/webhooks":"/client/webhooks.js","openapi-fetch":"/openapi-fetch.js"}}</script>`,
    '/program.js': program,
    '/openapi-fetch.js': readFileSync(join(home, 'node_modules/openapi-fetch/dist/index.mjs'), 'utf8'),
  }
  const server = createServer(({ url = '' }, response) => {
    const [, name] = /^\/client\/([\w-]+\.js)$/.exec(url) ?? []
    const dist = join(folder, 'node_modules/@spool-inbox/client/dist')
    const text = name === undefined ? files[url] : readFileSync(join(dist, name), 'utf8')
    response.setHeader('Content-Type', url === '/' ? 'text/html' : 'text/javascript')
    response.end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { spool, input } = await prepare({ SPOOL_CORS_ORIGINS: origin })
  await using _ = spool
  await using browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(origin)
  const found = await page.evaluate(`import('/program.js').then(({ use }) => use(${JSON.stringify(input)}))`)
  assert.deepEqual(found, expected)
  server.close()
})

test('a strict program compiles against the package, in Node and for a browser', async () => {
  const { dependencies, exports } = JSON.parse(
    readFileSync(join(home, 'clients/typescript/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string>; exports: Record<string, Record<string, string>> }
  const place = join(folder, 'node_modules/@spool-inbox/client')
  for (const entry of Object.values(exports))
    for (const file of Object.values(entry)) assert.ok(existsSync(join(place, file)), file)
  const { devDependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  assert.deepEqual(
    dependencies,
    { 'openapi-fetch': devDependencies['openapi-fetch'] },
    'what is tested is what is used',
  )
  writeFileSync(
    join(folder, 'strict.mts'),
    `import { isEntry, Spool, type Event } from '@spool-inbox/client'
import { verifyWebhook } from '@spool-inbox/client/webhooks'

export async function read(spool: Spool): Promise<string[]> {
  const subjects: string[] = []
  for await (const thread of spool.threads({ status: ['open'], assignee: 'me' })) subjects.push(thread.subject)
  for await (const entry of spool.history('thr_1'))
    if (isEntry(entry, 'status_changed')) subjects.push(entry.to)
  // @ts-expect-error A misspelt filter is no filter.
  spool.threads({ colour: 'red' })
  const later = (event: Event): Event => ({ ...event, type: 'not.yet.known' })
  for await (const event of spool.events()) subjects.push(later(event).type)
  const delivery = await verifyWebhook('whsec_', {}, '')
  return [...subjects, delivery.type === 'draft.sent' ? delivery.data.messageId : '']
}
`,
  )
  const flags = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  for (const resolution of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const words = [
      ...flags,
      ...resolution,
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--types',
      '',
      'strict.mts',
    ]
    const tsc = join(home, 'node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...words], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(stdout, '')
  }
})
