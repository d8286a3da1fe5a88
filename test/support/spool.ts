import { pino } from 'pino'
import { startApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { receiveMail, type Incoming, type Received } from '../../src/core/receiving/receive.ts'
import type { Spool } from '../../src/core/spool.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { parseMail } from '../../src/mail/parse.ts'
import {
  person,
  scopes as allScopes,
  type Actor,
  type Inbox,
  type Role,
  type Scope,
  type User,
} from '../../src/model/access.ts'
import type { Thread } from '../../src/model/history.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { freshDatabase, type DatabaseKind, type FreshDatabase } from './databases.ts'
import { writeMail, type Letter } from './letter.ts'
import { checkAnswer } from './openapi.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Parses the body as JSON. */
  json<Value = Record<string, unknown>>(): Value
}

export interface AskOptions {
  token?: string | null
  method?: string
  headers?: Record<string, string>
}

/** A complete Spool on a fresh database, used via its API. Each response is checked against the OpenAPI document. */
export interface TestSpool extends AsyncDisposable {
  app: App
  spool: Spool
  url: string
  database: FreshDatabase
  /** Log output, one JSON line per entry. */
  log: string[]
  /** The default token. It belongs to Ada, an admin, and has every scope. */
  token: string
  tokenId: string
  inbox: Inbox
  ada: User
  actor: Actor
  get(path: string, options?: AskOptions): Promise<Answer>
  threads(query?: string, options?: AskOptions): Promise<ThreadSummary[]>
  thread(id: string, options?: AskOptions): Promise<Thread>
  /** Receives a mail, as inbound unless specified otherwise. */
  receive(letter: Letter, how?: Partial<Omit<Incoming, 'mail'>> & { inbox?: Inbox }): Promise<Received>
  makeInbox(address: string): Promise<Inbox>
  makeUser(email: string, role?: Role, inboxes?: Inbox[]): Promise<User>
  makeToken(
    user: User,
    options?: { scopes?: readonly Scope[]; inboxes?: Inbox[]; lifetime?: number | null; name?: string },
  ): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSpool(
  kind: DatabaseKind,
  environment: Record<string, string> = {},
): Promise<TestSpool> {
  const database = await freshDatabase(kind, { migrated: true })
  const log: string[] = []
  const config = readConfig({
    ...database.env,
    SPOOL_PORT: '0',
    SPOOL_RATE_LIMIT: '1000000/60',
    SPOOL_RATE_LIMIT_ANONYMOUS: '1000000/60',
    ...environment,
  })
  const app = await startApp(config, pino({ level: 'info' }, { write: (line) => void log.push(line) }))
  const { spool } = app
  const inbox = await addInbox(spool, 'support@shop.example', 'Support')
  const ada = await addUser(spool, {
    email: 'ada@shop.example',
    name: 'Ada',
    role: 'admin',
    inboxes: [],
    password: null,
  })
  const { id: tokenId, token } = await createToken(spool, {
    email: ada.email,
    name: 'Test',
    scopes: allScopes,
    inboxes: [],
    lifetime: null,
  })

  const get = async (path: string, options: AskOptions = {}): Promise<Answer> => {
    const { token: asked = token, method = 'GET', headers = {} } = options
    const authorization: Record<string, string> = asked === null ? {} : { authorization: `Bearer ${asked}` }
    const response = await fetch(app.url + path, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'manual',
    })
    const text = await response.text()
    if (path.startsWith('/api/v1'))
      checkAnswer(path, method, response.status, response.headers.get('content-type'), text)
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: <Value>() => JSON.parse(text) as Value,
    }
  }

  return {
    app,
    spool,
    url: app.url,
    database,
    log,
    token,
    tokenId,
    inbox,
    ada,
    actor: person(ada),
    get,
    async threads(query = '', options = {}) {
      const answer = await get(`/api/v1/threads${query}`, options)
      if (answer.status !== 200) throw new Error(`GET /threads${query}: ${answer.status} ${answer.text}`)
      return answer.json<{ data: ThreadSummary[] }>().data
    },
    async thread(id, options = {}) {
      const answer = await get(`/api/v1/threads/${id}`, options)
      if (answer.status !== 200) throw new Error(`GET /threads/${id}: ${answer.status} ${answer.text}`)
      return answer.json<Thread>()
    },
    async receive(letter, { inbox: into = inbox, ...how } = {}) {
      const mail = await parseMail(Buffer.from(writeMail(letter)))
      const incoming: Incoming = {
        mail,
        direction: 'inbound',
        envelopeDate: null,
        seen: false,
        quiet: false,
        ...how,
      }
      return (await receiveMail(spool, into, [incoming]))[0]!
    },
    makeInbox: (address) => addInbox(spool, address, null),
    makeUser: (email, role = 'member', inboxes = []) =>
      addUser(spool, {
        email,
        name: email.split('@')[0]!,
        role,
        inboxes: inboxes.map(({ id }) => id),
        password: null,
      }),
    async makeToken(
      user,
      { scopes = allScopes, inboxes = [], lifetime = 365 * 86_400_000, name = 'Test' } = {},
    ) {
      const made = await createToken(spool, {
        email: user.email,
        name,
        scopes,
        inboxes: inboxes.map(({ id }) => id),
        lifetime,
      })
      return made.token
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
