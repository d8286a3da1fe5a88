import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { startApp, type App } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { freshDatabase, runOn, type DatabaseKind, type FreshDatabase } from '../databases.ts'
import { post } from '../mcp.ts'
import { askWeb } from '../web-client.ts'

/** Fixed, because cursors, links and sessions depend on these settings. */
export const settings = {
  SPOOL_SECRET: '5b'.repeat(32),
  SPOOL_URL: 'http://127.0.0.1:4100',
  SPOOL_PORT: '0',
  SPOOL_RATE_LIMIT: '1000000/60',
  // Keeps all events that were in the log when the store was made.
  SPOOL_EVENT_DAYS: '9999',
}

/** A request and its response. */
export interface Asked {
  door: 'api' | 'page' | 'mcp'
  /** The path, or the message sent to /mcp. */
  ask: string
  status: number
  body: string
}

export interface OldStore {
  token: string
  email: string
  asked: Asked[]
}

export function fileOf(name: string): string {
  return join(import.meta.dirname, `${name}.br`)
}

function unpack(name: string): Buffer {
  return brotliDecompressSync(readFileSync(fileOf(name)))
}

/** That version's answers. Only `review` in `/counts` was updated to its current meaning: agents' proposals alone. */
export function readAnswers(kind: DatabaseKind): OldStore {
  return JSON.parse(unpack(`${kind}.json`).toString()) as OldStore
}

/** A copy of the store as the old version left it. */
export async function restore(kind: DatabaseKind): Promise<FreshDatabase> {
  const database = await freshDatabase(kind)
  if (kind === 'sqlite') writeFileSync(join(database.folder, 'spool.db'), unpack('sqlite.db'))
  else await runOn(database.env['SPOOL_DATABASE_URL']!, unpack('postgres.sql').toString())
  return database
}

export function serve({ env }: FreshDatabase): Promise<App> {
  return startApp(readConfig({ ...env, ...settings }), pino({ level: 'silent' }))
}

export const password = 'correct horse battery'

/** One client for all endpoints: a token for those used by programs, a session for the page's. */
export async function openClient(
  { url }: App,
  { token, email }: Pick<OldStore, 'token' | 'email'>,
): Promise<(door: Asked['door'], ask: string) => Promise<Asked>> {
  const origin = { origin: settings.SPOOL_URL }
  const entered = await askWeb(url, 'POST', '/session', { email, password }, origin)
  if (entered.status !== 200) throw new Error(`${email} could not sign in: ${entered.text}`)
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  const bearer = { authorization: `Bearer ${token}` }
  const send = async (door: Asked['door'], ask: string): Promise<{ status: number; text: string }> => {
    if (door === 'page') return askWeb(url, 'GET', ask, undefined, { ...origin, cookie })
    const answer =
      door === 'mcp'
        ? await post(url, token, JSON.parse(ask) as { headers: Record<string, string>; body: string })
        : await fetch(`${url}/api/v1${ask}`, { headers: bearer })
    return { status: answer.status, text: await answer.text() }
  }
  return async (door, ask) => {
    const { status, text } = await send(door, ask)
    return { door, ask, status, body: withoutChance(text) }
  }
}

/** Masks what varies: the nonce in each answer to an agent, and the request ID in each error. */
function withoutChance(body: string): string {
  const nonce = /"fence":"([a-z0-9]{12})"/.exec(body)?.[1]
  const named = nonce === undefined ? body : body.replaceAll(nonce, 'NONCE')
  return named.replaceAll(/req_[0-9a-z]+/g, 'req_')
}
