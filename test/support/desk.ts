import { after } from 'node:test'
import { person, type Actor, type Inbox, type Role, type User } from '../../src/model/access.ts'
import type { Event } from '../../src/model/events.ts'
import type { Thread } from '../../src/model/history.ts'
import type { Note, ThreadSummary } from '../../src/model/thread.ts'
import { receiveMail, type Received } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { DatabaseKind } from './databases.ts'
import { writeMail, type Letter } from './letter.ts'
import { startSpool, type Answer, type AskOptions, type TestSpool } from './spool.ts'

/** One Spool for all tests of a file, stopped with the file. Each test uses its own desk. */
export function shareSpool(
  kind: DatabaseKind,
  environment: Record<string, string> = {},
): () => Promise<TestSpool> {
  let started: Promise<TestSpool> | undefined
  after(async () => (await started)?.[Symbol.asyncDispose]())
  return () => (started ??= startSpool(kind, environment))
}

type How = NonNullable<Parameters<TestSpool['receive']>[1]>

/** A new inbox and a user who sees only that inbox, so that tests do not affect each other. */
export interface Desk {
  inbox: Inbox
  user: User
  actor: Actor
  token: string
  get(path: string, options?: AskOptions): Promise<Answer>
  threads(query?: string): Promise<ThreadSummary[]>
  thread(id: string): Promise<Thread>
  notes(id: string): Promise<Note[]>
  /** Events from the log that this user sees, of the given types or of all types. */
  events(...types: string[]): Promise<Event[]>
  receive(letter?: Letter, how?: How): Promise<Received>
  /** Receives many mails in one commit. */
  receiveAll(letters: readonly Letter[], how?: How): Promise<Received[]>
}

let desks = 0

export async function openDesk(spool: TestSpool, role: Role = 'member'): Promise<Desk> {
  const name = `desk${++desks}`
  const inbox = await spool.makeInbox(`${name}@shop.example`)
  const user = await spool.makeUser(`person-${name}@shop.example`, role, [inbox])
  const token = await spool.makeToken(
    user,
    role === 'viewer' ? { scopes: ['threads:read', 'notes:read', 'events:read'] } : {},
  )
  const get: Desk['get'] = (path, options = {}) => spool.get(path, { token, ...options })
  const read = async <Value>(path: string): Promise<Value> => {
    const answer = await get(path)
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`)
    return answer.json<Value>()
  }
  return {
    inbox,
    user,
    actor: person(user),
    token,
    get,
    threads: async (query = '') => (await read<{ data: ThreadSummary[] }>(`/api/v1/threads${query}`)).data,
    thread: (id) => read<Thread>(`/api/v1/threads/${id}`),
    notes: async (id) => (await read<{ data: Note[] }>(`/api/v1/threads/${id}/notes?limit=100`)).data,
    async events(...types) {
      const { data } = await read<{ data: Event[] }>('/api/v1/events?limit=100')
      return types.length === 0 ? data : data.filter(({ type }) => types.includes(type))
    },
    receive: (letter = {}, how = {}) => spool.receive(letter, { inbox, ...how }),
    async receiveAll(letters, how = {}) {
      const mails = await Promise.all(letters.map((letter) => parseMail(Buffer.from(writeMail(letter)))))
      const usual = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
      const batch = mails.map((mail) => ({ mail, ...usual, ...how }))
      return receiveMail(spool.spool, how.inbox ?? inbox, batch)
    },
  }
}

/** Reads all pages of a list, from first to last. */
export async function walkPages<Item extends { id: string }>(
  get: (path: string) => Promise<Answer>,
  path: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const items: Item[] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await get(cursor === '' ? path : `${path}${joint}cursor=${cursor}`)
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`)
    const page: { data: Item[]; nextCursor: string | null } = answer.json()
    items.push(...page.data)
    cursor = page.nextCursor
    await between()
  }
  return items
}
