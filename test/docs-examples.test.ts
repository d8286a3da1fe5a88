import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { addNote } from '../src/core/threads/notes.ts'
import { receiveMail } from '../src/core/receiving/receive.ts'
import { exampleAnswer, exampleLines } from '../src/http/docs/answer.ts'
import { endpointsOf, objectNames, type ApiDocument } from '../src/http/docs/document.ts'
import { makeExample } from '../src/http/docs/example.ts'
import { shownQuery, writeSnippets } from '../src/http/docs/snippets.ts'
import { parseMail } from '../src/mail/parse.ts'
import type { MessageEntry } from '../src/model/history.ts'
import { writeMail } from './support/letter.ts'
import { checkAnswer, checkSchema, document as described } from './support/openapi.ts'
import { scratchFolder } from './support/parts/scratch.ts'
import { startSpool, type TestSpool } from './support/spool.ts'

const document = described as unknown as ApiDocument
const run = promisify(execFile)
const mails = 105

/** How each language runs what was pasted into a file. */
const runners: Record<string, { file: string; command: string; args: string[] }> = {
  curl: { file: 'example.sh', command: 'bash', args: ['-eu'] },
  JavaScript: { file: 'example.mjs', command: process.execPath, args: [] },
  Python: { file: 'example.py', command: 'python3', args: [] },
}

interface Example {
  title: string
  language: string
  code: string
}

type Node = DefaultTreeAdapterMap['node']

/** Every example of code that the page shows, as someone would copy it. */
function readExamples(page: string): Example[] {
  return findAll(parse(page), 'pre').flatMap((pre) => {
    const attributes = Object.fromEntries(pre.attrs.map(({ name, value }) => [name, value]))
    const language = attributes['data-language'] ?? ''
    const code = textOf(pre)
    // Verification is run by docs-webhooks.test.ts.
    const isOther = /^(?:npm|spool) /.test(code) || attributes['aria-label']?.startsWith('Verify')
    return language in runners && !isOther ? [{ title: attributes['aria-label'] ?? '', language, code }] : []
  })
}

function findAll(node: Node, tag: string): DefaultTreeAdapterMap['element'][] {
  const inside = 'childNodes' in node ? node.childNodes.flatMap((child) => findAll(child, tag)) : []
  return 'tagName' in node && node.tagName === tag ? [node, ...inside] : inside
}

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

async function isThere(command: string): Promise<boolean> {
  return run(command, ['--version']).then(
    () => true,
    () => false,
  )
}

const isRunnable = Object.fromEntries(
  await Promise.all(
    Object.values(runners).map(async ({ command }) => [command, await isThere(command)] as const),
  ),
)

describe('the examples on the page run as pasted', () => {
  let spool: TestSpool
  let environment: Record<string, string>
  let examples: Example[]

  before(async () => {
    spool = await startSpool('sqlite')
    const { threadId } = await spool.receive({
      attachments: [{ filename: 'receipt.txt', type: 'text/plain', content: 'Paid in full.' }],
    })
    const incoming = await Promise.all(
      Array.from({ length: mails - 1 }, async (_, index) => ({
        mail: await parseMail(Buffer.from(writeMail({ subject: `Mail ${index}` }))),
        direction: 'inbound' as const,
        envelopeDate: null,
        seen: false,
        quiet: false,
      })),
    )
    await receiveMail(spool.spool, spool.inbox, incoming)
    const noteId = await addNote(spool.spool, spool.actor, threadId, 'The carrier says tomorrow.')
    const message = (await spool.thread(threadId)).history[0] as MessageEntry
    const folder = scratchFolder('examples')
    // Makes curl tell a refusal by its exit code, as the other two do of themselves.
    writeFileSync(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n')
    environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      CURL_HOME: folder,
      SPOOL_TOKEN: spool.token,
      THREAD_ID: threadId,
      ATTACHMENT_ID: message.attachments[0]!.id,
      MESSAGE_ID: message.id,
      NOTE_ID: noteId,
      INBOX_ID: spool.inbox.id,
      USER_ID: spool.ada.id,
    }
    examples = readExamples((await spool.get('/docs', { token: null })).text)
  })
  after(() => spool[Symbol.asyncDispose]())

  async function runExample({ language, code }: Example): Promise<string> {
    const { file, command, args } = runners[language]!
    writeFileSync(join(environment['HOME']!, file), code)
    const options = { cwd: environment['HOME']!, env: environment, maxBuffer: 10_000_000 }
    return (await run(command, [...args, file], options)).stdout
  }

  for (const [language, { command }] of Object.entries(runners)) {
    const skip = isRunnable[command] ? false : `${command} is not installed`
    test(`in ${language}`, { skip }, async (context) => {
      const mine = examples.filter((example) => example.language === language)
      const titles = new Set(mine.map(({ title }) => title))
      for (const { summary } of endpointsOf(document))
        assert.ok(titles.has(`${summary} in ${language}`), `no example for ${summary}`)

      for (const example of mine)
        await context.test(example.title, async () => {
          assert.ok(example.code.includes(spool.url), 'it speaks to this very Spool')
          const before = spool.log.length
          const output = await runExample(example)
          const answered = spool.log.slice(before).filter((line) => line.includes('/api/v1'))
          assert.ok(answered.length > 0, 'it asked')
          for (const line of answered) assert.equal((JSON.parse(line) as { status: number }).status, 200)
          if (example.title.startsWith('Download')) {
            const bytes = readFileSync(join(environment['HOME']!, 'attachment'), 'utf8')
            assert.match(bytes, example.title.includes('source') ? /^From: Carla/ : /^Paid in full\.$/)
            writeFileSync(join(environment['HOME']!, 'attachment'), '')
          } else assert.ok(output.length > 50, output)
          if (example.title.startsWith('Every page'))
            assert.equal(output.split('Mail ').length - 1, mails - 1, 'all pages were read')
        })
    })
  }
})

test('an address with characters that mean something to a shell or a language stays an address', async () => {
  const base = "https://spool.example/it's-$HOME-`id`/api/v1"
  const endpoint = endpointsOf(document).find(({ operationId }) => operationId === 'getThread')!
  const snippets = writeSnippets(endpoint, base)
  const address = `${base}/threads/thr_1`
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', THREAD_ID: 'thr_1', SPOOL_TOKEN: 'x' }
  const shell = `curl() { printf %s "$1"; }\n${snippets.curl}`
  assert.equal((await run('bash', ['-c', shell], { env })).stdout, address)
  const script = `globalThis.fetch = (url) => process.exit(console.log(url))\n${snippets.JavaScript}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
  assert.equal(stdout.trim(), address)
  if (!(await isThere('python3'))) return
  const prelude = `import sys, urllib.request\nurllib.request.urlopen = lambda request: sys.exit(print(request.full_url))`
  const python = await run('python3', ['-c', `${prelude}\n${snippets.Python}`], { env })
  assert.equal(python.stdout.trim(), address)
})

test('the example answers are answers that the document allows', () => {
  for (const endpoint of endpointsOf(document)) {
    const { path, responses } = endpoint
    const schema = responses['200']!.content!['application/json']?.schema
    if (!schema) continue
    const example = JSON.stringify(exampleAnswer(document, endpoint, schema))
    checkAnswer(`/api/v1${path.replaceAll(/[{}]/g, '')}`, 'GET', 200, 'application/json', example)
  }
  for (const name of objectNames(document))
    checkSchema(
      `#/components/schemas/${name}`,
      makeExample(document, document.components.schemas[name]!),
      name,
    )
})

test('the example answers fit the requests beside them', () => {
  const answers = new Map(
    endpointsOf(document).flatMap((endpoint) => {
      const schema = endpoint.responses['200']!.content!['application/json']?.schema
      return schema ? [[endpoint.operationId, exampleAnswer(document, endpoint, schema)] as const] : []
    }),
  )
  const answer = <Value>(name: string): Value => answers.get(name) as Value
  assert.equal(shownQuery('listThreads'), '?unread=1&limit=10')
  for (const { unread } of answer<{ data: { unread: boolean }[] }>('listThreads').data) assert.ok(unread)
  const events = answer<{ data: { type: string; data: { seq: number } }[]; nextCursor: string }>('listEvents')
  assert.equal(shownQuery('listEvents'), '?type=message.received&limit=10')
  assert.deepEqual(
    events.data.map(({ type }) => type),
    ['message.received'],
  )
  assert.equal(events.nextCursor, String(events.data[0]!.data.seq))
  // Fewer than asked for are all that there are.
  for (const [name, each] of answers)
    if (name !== 'listEvents' && 'nextCursor' in (each as object))
      assert.equal((each as { nextCursor: unknown }).nextCursor, null, name)
  const thread = answer<{ messageCount: number; history: { type: string }[] }>('getThread')
  assert.equal(thread.history.filter(({ type }) => type === 'message').length, thread.messageCount)
  const rows = exampleLines(document)
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['thread', 'entry', 'note', 'end'],
  )
})
