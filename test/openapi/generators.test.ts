import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeStatus, assignThread } from '../../src/core/threads/threads.ts'
import { shareSpool } from '../support/desk.ts'
import { document } from '../support/openapi.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { installTools, type Tools } from '../support/tools.ts'

const home = resolve(import.meta.dirname, '../..')
const golden = join(home, 'test/golden/openapi.json')
const run = promisify(execFile)

/** What every schema library has. */
interface Judge {
  safeParse(value: unknown): { success: boolean; error?: unknown }
}

let folder: string
let tools: Tools

/** Somebody's program on top of the generated clients, with what does not exist yet. */
const program = `
import createFetchClient from 'openapi-fetch'
import { createClient } from './hey/client'
import * as hey from './hey/sdk.gen'
import type { Event as HeyEvent, HistoryEntry as HeyEntry } from './hey/types.gen'
import * as orval from './orval/client'
import type { components, paths } from './schema'

const type = 'thread.celebrated'
const data = { eventId: 'evt_1', seq: 1, inboxId: null, threadId: null, actor: { type: 'robot', id: null, name: 'R' } }
const timestamp = '2026-11-14T09:41:02.118Z'
export const heyEvent: HeyEvent = { type, timestamp, data }
export const orvalEvent: orval.Event = { type, timestamp, data }
export const plainEvent: components['schemas']['Event'] = { type, timestamp, data }
const entry = { type: 'celebrated', id: 'his_1', timestamp, cake: { size: 3 } }
export const heyEntry: HeyEntry = entry
export const orvalEntry: orval.HistoryEntry = entry
export const plainEntry: components['schemas']['HistoryEntry'] = entry

export async function ask(url: string, token: string): Promise<string[]> {
  const headers = { Authorization: 'Bearer ' + token }
  const client = createClient({ baseUrl: url + '/api/v1', headers })
  const first = await hey.listThreads({ client, query: { unread: true, status: ['open', 'waiting'] }, throwOnError: true })
  const plain = createFetchClient<paths>({ baseUrl: url + '/api/v1', headers })
  const second = await plain.GET('/threads/{id}', { params: { path: { id: first.data.data[0]!.id } } })
  const me = await orval.getMe({ headers })
  const third = await orval.listThreads({ unread: 1, limit: 5 }, { headers })
  if (third.status !== 200 || me.status !== 200) throw new Error('refused')
  return [first.data.data[0]!.subject, second.data!.subject, third.data.data[0]!.subject, String(me.data.canSend)]
}
`

const hey = (index: string, output: string) => `
import { createClient } from ${JSON.stringify(index)}
await createClient({
  input: ${JSON.stringify(golden)},
  output: ${JSON.stringify(output)},
  logs: { level: 'silent' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: { response: 'zod' } }],
})`

const orval = (index: string, output: string, baseUrl: string) => `
import { generate } from ${JSON.stringify(index)}
for (const [name, client] of [['client', 'fetch'], ['zod', 'zod']])
  await generate({
    input: ${JSON.stringify(golden)},
    output: { target: ${JSON.stringify(output)} + '/' + name + '.ts', client, mode: 'single', baseUrl: ${JSON.stringify(baseUrl)} },
  })`

const shared = shareSpool('sqlite')

before(async () => {
  tools = await installTools(join(home, 'test/openapi/tools'))
  const { url } = await shared()
  folder = scratchFolder('generators')
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  write('hey.mjs', hey(tools.path('@hey-api/openapi-ts/dist/index.mjs'), join(folder, 'hey')))
  write('orval.mjs', orval(tools.path('orval/dist/index.mjs'), join(folder, 'orval'), `${url}/api/v1`))
  write('package.json', '{}')
  write('program.ts', program)
  const options = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'node10',
  }
  const strict = {
    strict: true,
    noUncheckedIndexedAccess: true,
    types: [],
    skipLibCheck: true,
    outDir: 'out',
    rootDir: '.',
  }
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...options, ...strict }, include: ['*.ts', 'hey', 'orval'] }),
  )
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['zod', 'openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(home, 'node_modules', name), join(folder, 'node_modules', name))
  const start = (...words: string[]) => run(process.execPath, words, { cwd: folder })
  const plain = start(tools.path('.bin/openapi-typescript'), golden, '-o', 'schema.ts')
  await Promise.all([plain, start('hey.mjs'), start('orval.mjs')])
})

test('clients of real generators compile strictly, with an event and an entry that do not exist yet', async () => {
  const { stdout } = await run(process.execPath, [tools.path('.bin/tsc'), '-p', '.'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

const load = <Module>(name: string): Module => createRequire(join(folder, 'out/x.js'))(name) as Module

test('clients of real generators ask a live Spool', async () => {
  const spool = await shared()
  await spool.receive({ subject: 'Hello' })
  const { ask } = load<{ ask(url: string, token: string): Promise<string[]> }>('./program.js')
  assert.deepEqual(await ask(spool.url, spool.token), ['Hello', 'Hello', 'Hello', 'false'])
})

test('500 live answers are valid by both generated sets of schemas, and so is what does not exist yet', async () => {
  const spool = await shared()
  const ids: Record<string, string[]> = { threads: [], messages: [], notes: [] }
  for (let count = 0; count < 12; count++) {
    const { threadId, messageId } = await spool.receive({
      subject: `Order ${count} 🙂`,
      ...(count % 2 === 0 ? { html: `<p>Hello <a href="https://shop.example/${count}">there</a></p>` } : {}),
      ...(count % 3 === 0 ? { attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'x' }] } : {}),
    })
    ids['threads']!.push(threadId)
    ids['messages']!.push(messageId)
    ids['notes']!.push(await addNote(spool.spool, spool.actor, threadId, `Note ${count}`))
    if (count % 4 === 0) await changeStatus(spool.spool, spool.actor, threadId, 'closed')
    if (count % 5 === 0) await assignThread(spool.spool, spool.actor, threadId, spool.ada)
  }
  ids['inboxes'] = [spool.inbox.id]
  ids['users'] = [spool.ada.id]
  const schemas = {
    hey: load<Record<string, Judge>>('./hey/zod.gen.js'),
    orval: load<Record<string, Judge>>('./orval/zod.js'),
  }
  const queries = ['', '?limit=1', '?limit=3', '?limit=7']
  const judged = new Set<string>()
  let answers = 0
  for (let round = 0; answers < 500; round++)
    for (const [path, { get }] of Object.entries(document.paths)) {
      const { operationId, responses } = get as typeof get & { operationId: string }
      if (!responses['200']!.content!['application/json']) continue
      const known = ids[path.split('/')[1]!] ?? []
      const query = path.endsWith('}') || path === '/me' ? '' : queries[round % queries.length]!
      const { status, text } = await spool.get(
        `/api/v1${path.replace('{id}', known[round % known.length]!)}${query}`,
      )
      assert.equal(status, 200, path)
      const name = operationId.replace(/^./, (letter) => letter.toUpperCase())
      for (const judge of [schemas.hey[`z${name}Response`], schemas.orval[`${name}Response`]]) {
        const { success, error } = judge!.safeParse(JSON.parse(text))
        assert.ok(success, `${path}: ${JSON.stringify(error)}\n${text.slice(0, 500)}`)
      }
      judged.add(operationId)
      answers++
    }
  assert.ok(judged.size >= 10)

  const program = load<Record<string, object>>('./program.js')
  const events = { data: [program['heyEvent']], nextCursor: '1' }
  const thread = await spool.get(`/api/v1/threads/${ids['threads']![0]}`)
  const later = { ...thread.json(), history: [program['heyEntry']] }
  for (const [judge, value] of [
    [schemas.hey['zListEventsResponse'], events],
    [schemas.orval['ListEventsResponse'], events],
    [schemas.hey['zGetThreadResponse'], later],
    [schemas.orval['GetThreadResponse'], later],
  ] as const) {
    const { success, error } = judge!.safeParse(value)
    assert.ok(success, JSON.stringify(error))
  }
})
