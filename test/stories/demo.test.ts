import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { buildDemoMail } from '../../src/demo/build.ts'
import type { Draft } from '../../src/model/draft.ts'
import { statuses, type ThreadSummary } from '../../src/model/thread.ts'
import { startCommand } from '../support/command.ts'
import { untilStatus } from '../support/outgoing.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { openWeb } from '../support/web-client.ts'

const home = resolve(import.meta.dirname, '../..')

async function stop(child: ReturnType<typeof startCommand>): Promise<unknown> {
  child.kill('SIGINT')
  return (await once(child, 'exit'))[0]
}

describe('demo', { concurrency: 2 }, () => {
  test('demo --json serves about 150 threads in two inboxes to the token it prints, and leaves nothing behind', async () => {
    const folder = scratchFolder('demo')
    // On the machine of a team: its file is not read, and its mail server is not used either.
    const machine = scratchFolder('machine')
    writeFileSync(join(machine, 'spool.env'), 'SPOOL_URL=https://spool.shop.example\n')
    const team = {
      SPOOL_NOTICE_SMTP: 'smtp://127.0.0.1:25?tls=none',
      SPOOL_NOTICE_FROM: 'spool@shop.example',
    }
    const env = { ...team, SPOOL_PORT: '0', SPOOL_UNDO_SECONDS: '0', TMPDIR: folder }
    using child = startCommand(env, ['demo', '--json'], undefined, machine)
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const demo = JSON.parse(line) as Record<'url' | 'email' | 'password' | 'token' | 'dataFolder', string>
    assert.match(demo.email, /@/)
    assert.ok(demo.password.length >= 10)
    const get = async <Value>(path: string): Promise<Value> => {
      const response = await fetch(`${demo.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${demo.token}` },
      })
      assert.equal(response.status, 200, path)
      return (await response.json()) as Value
    }
    const threads: ThreadSummary[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page: { data: ThreadSummary[]; nextCursor: string | null } = await get(
        `/threads?limit=100${more}`,
      )
      threads.push(...page.data)
      cursor = page.nextCursor
    }
    assert.equal(threads.length, buildDemoMail(Date.now()).threads.length)
    assert.ok(Math.abs(threads.length - 150) <= 10)
    assert.equal(new Set(threads.map(({ inbox }) => inbox.address)).size, 2)
    assert.deepEqual(new Set(threads.map(({ status }) => status)), new Set(statuses))
    for (const [what, has] of Object.entries({
      unread: threads.some(({ unread }) => unread),
      read: threads.some(({ unread }) => !unread),
      notes: threads.some(({ noteCount }) => noteCount > 0),
      assignments: threads.some(({ assignment }) => assignment !== null),
      attachments: threads.some(({ attachmentCount }) => attachmentCount > 0),
      'long discussions': threads.some(({ messageCount }) => messageCount >= 10),
    }))
      assert.ok(has, what)
    const now = Date.now()
    assert.ok(threads.every(({ timestamp }) => Date.parse(timestamp) <= now))
    const page = await openWeb(demo.url, demo.email, demo.password)
    // There are proposals to decide on, one of them overtaken by newer mail.
    const proposals = await page.do<{ data: Draft[] }>('GET', '/drafts?author=agent')
    assert.deepEqual(proposals.data.map(({ status }) => status).toSorted(), [
      'proposed',
      'proposed',
      'proposed',
      'stale',
    ])
    for (const { citations, author } of proposals.data) {
      assert.ok(citations.length > 0)
      assert.deepEqual([author.type, author.name], ['agent', 'Triage'])
    }
    assert.ok(proposals.data.some(({ unsupported }) => unsupported.length > 0))
    // Who signs in can send, and the mail goes nowhere but into the demo itself.
    const reply = {
      kind: 'reply',
      threadId: threads.find(({ status }) => status === 'open')!.id,
      text: 'Thanks!',
    }
    const draft = await page.do('POST', '/drafts', reply)
    await page.send(draft)
    await untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['sent'])
    const notices = await page.do<{ mail: { isPossible: boolean } }>('GET', '/notices/settings')
    assert.equal(notices.mail.isPossible, false, "the team's mail server is not the demo's")
    assert.deepEqual(readdirSync(folder), [basename(demo.dataFolder)])
    assert.equal(await stop(child), 0)
    assert.deepEqual(readdirSync(folder), [], 'it forgets everything when it stops')
  })

  test('demo prints an address, a sign-in, a token and a curl line that works when pasted', async () => {
    using child = startCommand({ SPOOL_PORT: '0', TMPDIR: scratchFolder('demo') }, ['demo'])
    let greeting = ''
    for await (const chunk of child.stdout) {
      greeting += String(chunk)
      if (/token list\n/.test(greeting)) break
    }
    assert.match(greeting, /at http:\/\/127\.0\.0\.1:\d+\n/)
    assert.match(greeting, /Sign-in +\S+@\S+ +password \S+/)
    assert.match(greeting, /Token +spool_pat_\w{49}\n/)
    const line = /^ *(curl .*)$/m.exec(greeting)![1]!
    const curl = await promisify(execFile)('sh', ['-c', `${line} --silent`]).catch(
      (error: { code: number }) => error,
    )
    if ('stdout' in curl) assert.equal((JSON.parse(curl.stdout) as { data: unknown[] }).data.length, 3)
    else assert.equal(curl.code, 127, 'only a missing curl is an excuse')
    // The other two lines work as well: the example agent, and commands on the demo's own store.
    const shell = async (command: string): Promise<string> =>
      (await promisify(execFile)('sh', ['-c', command], { cwd: home })).stdout
    assert.match(greeting, /Agents +http:\/\/127\.0\.0\.1:\d+\/mcp/)
    const triage = await shell(/^ *(SPOOL_URL=.* npm run -s triage)$/m.exec(greeting)![1]!)
    assert.match(triage, /^thr_\w+ proposed drf_/m)
    const tokens = await shell(/^ *(SPOOL_DATA=.* token list)$/m.exec(greeting)![1]!)
    assert.match(tokens, /^ID +USER +NAME .*\ntok_/)
    assert.equal(await stop(child), 0)
  })
})
