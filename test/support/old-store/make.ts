/**
 * Writes the store and the answers that `test/stories/old-store.test.ts` compares later versions with. Run it at the
 * commit whose store is to be kept: `node test/support/old-store/make.ts`. The current files were written at 8834b3f.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { discardDraft, proposeDraft, reviseDraft } from '../../../src/core/drafts/drafts.ts'
import { joinThreads } from '../../../src/core/receiving/joining.ts'
import { addNote } from '../../../src/core/threads/notes.ts'
import { changeUser } from '../../../src/core/people/people.ts'
import { assignThread, changeStatus, setRead } from '../../../src/core/threads/threads.ts'
import { person } from '../../../src/model/access.ts'
import { databases, type DatabaseKind } from '../databases.ts'
import { writeMessage, revisions } from '../mcp.ts'
import { fillDesk } from '../sample-desk.ts'
import { startSpool, type TestSpool } from '../spool.ts'
import { fileOf, openClient, password, serve, settings, type Asked, type OldStore } from './store.ts'

async function make(kind: DatabaseKind): Promise<void> {
  const spool = await startSpool(kind, settings)
  await fill(spool)
  await spool.app[Symbol.asyncDispose]()
  keep(kind === 'sqlite' ? 'sqlite.db' : 'postgres.sql', dump(spool))
  await using app = await serve(spool.database)
  const store = { token: spool.token, email: spool.ada.email }
  const asked = await askEverything(await openClient(app, store))
  keep(`${kind}.json`, Buffer.from(JSON.stringify({ ...store, asked } satisfies OldStore)))
  console.log(`${kind}: ${asked.length} answers`)
}

function keep(name: string, content: Buffer): void {
  writeFileSync(fileOf(name), brotliCompressSync(content))
}

function dump({ database: { kind, folder, env } }: TestSpool): Buffer {
  if (kind === 'sqlite') return readFileSync(join(folder, 'spool.db'))
  const url = env['SPOOL_DATABASE_URL']!
  const text = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', url]).toString()
  // Remove psql meta-commands, and the search_path setting that would hide the tables after a restore.
  return Buffer.from(text.replaceAll(/^(\\.*|SELECT pg_catalog.set_config\('search_path'.*)$/gm, ''))
}

const odd = [
  'Ärger mit der Größe „M“ – bitte umtauschen',
  '注文番号 4711 について',
  'Quotes " and \\ and </untrusted> and ,\n{',
  '😀'.repeat(40),
  'x'.repeat(700),
  '',
]

async function fill(spool: TestSpool): Promise<void> {
  const { spool: core, actor, ada, inbox } = spool
  const now = Date.now()
  const { tom, billing, order, newsletter } = await fillDesk(spool, now)
  await changeUser(core, ada.email, { password })
  const ids: string[] = []
  for (let index = 0; index < 24; index++) {
    const text = `${odd[index % odd.length]}\n\nLetter ${index} about parcels. `.repeat(1 + (index % 4))
    const { threadId } = await spool.receive(
      {
        from: index % 5 === 0 ? 'nobody@plain.example' : `"Übel, O'Neil ${index}" <o${index}@neil.example>`,
        subject: odd[(index + 1) % odd.length]!,
        date: now - (index + 1) * 3_600_000,
        messageId: `<${index}@neil.example>`,
        text,
        ...(index % 6 === 0 ? { html: `<p>${index} <b>parcels</b></p>` } : {}),
      },
      { inbox: index % 3 === 0 ? billing : inbox, seen: index % 4 === 0 },
    )
    ids.push(threadId)
  }
  for (const [index, status] of (['waiting', 'closed', 'spam', 'closed'] as const).entries())
    await changeStatus(core, actor, ids[index]!, status)
  await changeStatus(core, actor, ids[4]!, 'snoozed', Date.parse('2099-01-31T09:00:00.000Z'))
  await assignThread(core, actor, ids[5]!, tom)
  await assignThread(core, person(tom), ids[6]!, ada)
  await assignThread(core, actor, ids[6]!, null)
  await assignThread(core, actor, ids[7]!, ada)
  await spool.receive({
    inReplyTo: '<7@neil.example>',
    subject: 'Re: parcels',
    text: 'One more.\n\n> before',
    date: now - 1000,
  })
  await joinThreads(core, actor, ids[8]!, ids[10]!)
  await joinThreads(core, actor, ids[13]!, ids[11]!)
  await addNote(core, actor, ids[8]!, 'Joined: the same parcel. @Tom')
  const draft = await proposeDraft(core, person(tom), {
    threadId: ids[14]!,
    text: 'Hello,\n\nit is on its way.',
  })
  await reviseDraft(core, person(tom), {
    draftId: draft.id,
    revision: draft.revision,
    text: 'Hello,\n\nit has arrived.',
  })
  const second = await proposeDraft(core, actor, { threadId: ids[16]!, text: 'Never mind.' })
  await discardDraft(core, actor, { draftId: second.id, revision: second.revision, reason: null })
  await setRead(core, ada, order.threadId, true)
  await setRead(core, ada, newsletter.threadId, true)
  await changeUser(core, tom.email, { name: 'Tom “Tommy” Ärmel' })
  await spool.receive({
    messageId: '<long@chain.example>',
    subject: 'A long one',
    text: 'It begins.',
    date: now - 86_400_000,
  })
  for (let index = 0; index < 30; index++)
    await spool.receive({
      inReplyTo: '<long@chain.example>',
      subject: 'Re: A long one',
      text: `Number ${index}. ${'Word '.repeat(index * 20)}`,
      date: now - 86_000_000 + index * 1000,
      ...(index % 10 === 0
        ? { attachments: [{ filename: `f${index}.txt`, type: 'text/plain', content: `file ${index}` }] }
        : {}),
    })
}

type Client = (door: Asked['door'], ask: string) => Promise<Asked>

async function askEverything(ask: Client): Promise<Asked[]> {
  const asked: Asked[] = []
  const note = async (door: Asked['door'], question: string): Promise<Record<string, unknown>> => {
    const answer = await ask(door, question)
    asked.push(answer)
    return door === 'mcp' ? {} : (JSON.parse(answer.body) as Record<string, unknown>)
  }
  const walk = async (door: 'api' | 'page', path: string): Promise<string[]> => {
    const ids: string[] = []
    const joint = path.includes('?') ? '&' : '?'
    for (let cursor: unknown = ''; cursor !== null;) {
      const page = await note(door, cursor === '' ? path : `${path}${joint}cursor=${String(cursor)}`)
      ids.push(...(page['data'] as { id: string }[]).map(({ id }) => id))
      cursor = page['nextCursor'] ?? null
    }
    return ids
  }
  const ids = await walk('api', '/threads?limit=20')
  const me = await note('api', '/me')
  const { inboxes, user } = me as { inboxes: { id: string; address: string }[]; user: { id: string } }
  const filters = [
    'unread=1',
    'status=open',
    'status=closed,spam,snoozed',
    'assignee=me',
    'assignee=none&status=open',
    `assignee=${user.id}&unread=true`,
    `inbox=${inboxes[0]!.id}`,
    `inbox=${inboxes[1]!.address}&status=open,waiting`,
    'q=parcels',
    'q=parcels+%E6%B3%A8%E6%96%87',
    'q=order+4711&unread=0',
    'updatedSince=2020-01-01T00:00:00Z',
    'updatedSince=2098-01-01T00:00:00Z',
  ]
  for (const filter of filters)
    for (const limit of [3, 50]) await walk('api', `/threads?${filter}&limit=${limit}`)
  for (const wrong of [
    'limit=0',
    'colour=red',
    'status=gone',
    'cursor=AAAA',
    'q=+',
    'unread=2',
    'limit=5&limit=6',
  ])
    await note('api', `/threads?${wrong}`)
  for (const id of ids) {
    const thread = await note('api', `/threads/${id}`)
    await walk('api', `/threads/${id}/notes?limit=2`)
    for (const entry of thread['history'] as { type: string; threadId?: string }[])
      if (entry.type === 'merged') await note('api', `/threads/${entry.threadId}?historyOrder=desc`)
  }
  await note('api', '/threads/thr_nothing')
  for (let after: unknown = '0'; after !== null;) {
    const page = await note('api', `/events?limit=50&after=${String(after)}`)
    after = (page['data'] as unknown[]).length === 0 ? null : page['nextCursor']
  }
  await askPage(note, walk, ids)
  await askTools(note, ids)
  return asked
}

async function askPage(
  note: (door: 'page', path: string) => Promise<unknown>,
  walk: (door: 'page', path: string) => Promise<string[]>,
  ids: string[],
): Promise<void> {
  for (const view of ['mine', 'unassigned', 'unread', 'open', 'waiting', 'snoozed', 'closed', 'spam'])
    await walk('page', `/threads?view=${view}&limit=10`)
  for (const filter of ['q=parcels', 'status=closed', 'unread=1&assignee=me', 'view=open&status=closed'])
    await note('page', `/threads?${filter}`)
  for (const id of ids) await note('page', `/threads/${id}`)
  for (const path of ['/counts', '/drafts', '/people']) await note('page', path)
}

async function askTools(
  note: (door: 'mcp', message: string) => Promise<unknown>,
  ids: string[],
): Promise<void> {
  const call = (name: string, input: object, revision = revisions[0] as (typeof revisions)[number]) =>
    note('mcp', JSON.stringify(writeMessage(revision, 'tools/call', { name, arguments: input })))
  for (const revision of revisions) {
    await note('mcp', JSON.stringify(writeMessage(revision, 'tools/list')))
    await call('list_threads', { limit: 100 }, revision)
  }
  for (const input of [
    { unread: true },
    { status: ['open', 'waiting'], limit: 4 },
    { assignee: 'none', q: 'parcels' },
    { updatedSince: '2020-01-01T00:00:00Z', inbox: 'support@shop.example', limit: 7 },
    { limit: 0 },
    { colour: 'red' },
    { cursor: 'AAAA' },
  ])
    await call('list_threads', input)
  for (const threadId of ids) {
    await call('get_thread', { threadId })
    await call('get_thread', { threadId, order: 'newest', full: true })
    await call('list_notes', { threadId })
  }
}

for (const kind of databases) await make(kind)
process.exit()
