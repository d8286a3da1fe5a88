import { hash } from 'node:crypto'
import { replacePassword } from '../../src/core/people/new-password.ts'
import type { Spool } from '../../src/core/spool.ts'
import { system, type User } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { sealText } from '../../src/model/seal.ts'
import { transaction } from '../../src/store/database.ts'
import { checkPrivateAnswer } from './contract.ts'
import { makeSession } from './session.ts'
import type { TestSpool } from './spool.ts'

export interface WebAnswer {
  status: number
  headers: Headers
  text: string
  json<Value = Record<string, unknown>>(): Value
}

/** A signed-in browser, as the private routes see it. */
export interface WebClient {
  cookie: string
  ask(method: string, path: string, body?: unknown): Promise<WebAnswer>
  /** Like `ask`, but fails the test unless the response is 200. */
  do<Value = Draft>(method: string, path: string, body?: unknown): Promise<Value>
  /** Reads the draft as a user does, and sends what was shown. */
  send(draft: Draft, close?: boolean): Promise<Draft>
}

export const password = 'correct horse battery'

/** The hash contains its cost parameters. This one is as cheap as possible, because tests sign in a thousand times. */
const cheapHash =
  '$argon2id$v=19$m=8,t=1,p=1$c3Bvb2wgdGVzdCBub25jZQ$2huv2VNEboK2X3uaP/BUKcdhriq0Fb3Ya0C8NzdSwhY'

/** Sets the tests' password. Like any new password, it ends the user's sessions; tokens and webhooks are kept. */
export async function givePassword({ spool }: TestSpool, user: User): Promise<void> {
  const by = { actor: system, now: spool.now() }
  await transaction(spool.db, (db) => replacePassword(db, user, cheapHash, by, { access: 'all' }))
}

/** Signs in with the tests' password. The user's tokens and webhooks are kept. */
export async function signInAs(spool: TestSpool, user: User): Promise<WebClient> {
  await givePassword(spool, user)
  return openWeb(spool.url, user.email, password)
}

export async function openWeb(url: string, email: string, secret: string): Promise<WebClient> {
  const answer = await askWeb(url, 'POST', '/session', { email, password: secret })
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.text}`)
  return withCookie(url, answer.headers.get('set-cookie')!.split(';')[0]!)
}

/** Opens a session without the cost of a password, for tests that need many users but no sign-in. */
export async function openSession(spool: Spool, url: string, user: User): Promise<WebClient> {
  const { secret } = await makeSession(spool, user)
  return withCookie(url, `spool_session_${new URL(url).port}=${secret}`)
}

function withCookie(url: string, cookie: string): WebClient {
  const ask: WebClient['ask'] = (method, path, body) => askWeb(url, method, path, body, { cookie })
  const succeed: WebClient['do'] = async <Value>(method: string, path: string, body?: unknown) => {
    const done = await ask(method, path, body)
    if (done.status !== 200) throw new Error(`${method} ${path}: ${done.status} ${done.text}`)
    return done.json<Value>()
  }
  return {
    cookie,
    ask,
    do: succeed,
    async send({ id }, close = false) {
      const { revision } = await succeed<Draft>('GET', `/drafts/${id}`)
      const letter = await succeed<Letter>('GET', `/drafts/${id}/letter`)
      return succeed('POST', `/drafts/${id}/send`, { revision, seal: seal(letter), close })
    },
  }
}

export function seal(letter: Letter): string {
  return hash('sha256', sealText(letter), 'hex')
}

export async function askWeb(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<WebAnswer> {
  const bytes = body instanceof Uint8Array
  const type = bytes ? 'application/octet-stream' : 'application/json'
  const response = await fetch(`${url}/app/api${path}`, {
    method,
    headers: { origin: url, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body: bytes ? new Uint8Array(body) : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const { status } = response
  checkPrivateAnswer(method, response.url, {
    status,
    contentType: response.headers.get('content-type'),
    text,
  })
  return {
    status,
    headers: response.headers,
    text,
    json: <Value>() => JSON.parse(text) as Value,
  }
}
