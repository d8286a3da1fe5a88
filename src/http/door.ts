import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import packageJson from '../../package.json' with { type: 'json' }
import { AnswerMemory, viewKey } from '../core/answer-memory.ts'
import type { News } from '../core/news.ts'
import type { ReadingTally } from '../core/reading-tally.ts'
import type { Caller } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import type { Reads } from '../model/reads.ts'
import { Admission, type AdmissionContext } from './admission.ts'
import { isSame, tagOf, ViewTags } from './etag.ts'
import type { Observer } from './observer.ts'
import { readQuery } from './query.ts'
import type { Answer } from './route.ts'
import { base, matchRoute } from './routes/v1/table.ts'
import { beginVisit, fail, finish, isStreamed, lengthOf, toBytes, type Visit } from './visit.ts'

export interface DoorContext extends AdmissionContext {
  news: News
  observer: Observer
  tally: ReadingTally
}

/** A finished answer, good for as long as its stamp is. */
interface Remembered extends Tagged {
  stamp: string
  body: Uint8Array
}

interface Tagged {
  body: Uint8Array | readonly Uint8Array[]
  length: number
  etag: string
  link: string | null
  reads: Reads | null
}

/** Path and query as asked; a target with scheme and host (a proxy's form) counts as its path. */
export function targetOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
}

export function isV1(target: string): boolean {
  return target.startsWith(base) && (target.length === base.length || '/?'.includes(target[base.length]!))
}

/**
 * REST API v1. Every request takes the same way, and the first check that fails answers: token, rate, route and method,
 * scope, parameters, resource. It stands before the framework's router, because an answer that is remembered costs
 * little more than that would.
 */
export function openV1(context: DoorContext): (request: IncomingMessage, response: ServerResponse) => void {
  const { spool, news, observer, tally } = context
  const memory = new AnswerMemory<Remembered>()
  const tags = new ViewTags(() => `${packageJson.version} ${spool.url}`)
  const admission = new Admission(context)
  const readAsked = askedReader()

  async function renew(request: IncomingMessage, visit: Visit): Promise<Caller> {
    return admission.passToken(request, visit, await admission.recognise(request)).caller
  }

  /** Waits only where there is something to wait for: an answer that is remembered goes out at once. */
  async function answer(request: IncomingMessage, response: ServerResponse, visit: Visit): Promise<void> {
    const recognised = admission.recognise(request)
    const who = recognised instanceof Promise ? await recognised : recognised
    const taken = admission.takeFromLimit(request, who?.caller ?? null)
    admission.passRate(visit, taken instanceof Promise ? await taken : taken)
    const { caller, versions } = admission.passToken(request, visit, who)
    const view = viewKey(caller)
    const { target, question, match, key } = readAsked(request, view)
    if (!match) throw new SpoolError('not_found', 'There is no such route; /docs lists them.')
    const { route, path } = match
    visit.route = base + route.path
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      visit.headers.push('Allow', 'GET, HEAD')
      throw new SpoolError('method_not_allowed', `The API only reads: ${route.path} knows GET and HEAD.`)
    }
    if (route.scope !== null && !caller.token.scopes.includes(route.scope)) {
      visit.headers.push(
        'WWW-Authenticate',
        `Bearer realm="spool", error="insufficient_scope", scope="${route.scope}"`,
      )
      throw new SpoolError(
        'insufficient_scope',
        `This token lacks the scope ${route.scope}; people make one that has it: spool token create … --scope ${route.scope}.`,
      )
    }
    const stamp = memory.stamp(caller, view, versions)
    const known = route.taggedBy === null ? null : memory.find(key, stamp)
    if (known) return send(request, response, visit, known)
    const viewTag = route.taggedBy === 'view' ? tags.of(view, stamp) : null
    // Whoever has the tag has been given the answer: nothing needs to be read to know that it is still true.
    if (viewTag !== null && request.headers['if-none-match'] === viewTag)
      return send(request, response, visit, {
        body: nothing,
        length: 0,
        etag: viewTag,
        link: null,
        reads: null,
      })

    const query = readQuery(route.query, question === -1 ? '' : target.slice(question + 1))
    const whenGone = (): AbortSignal => abortWhenGone(response)
    const renewed = (): Promise<Caller> => renew(request, visit)
    const made = await route.handle({
      spool,
      news,
      caller,
      path,
      query,
      url: target,
      whenGone,
      renew: renewed,
    })
    if (route.taggedBy === null || isStreamed(made.body)) return sendOnce(request, response, visit, made)
    const body = viewTag === null ? join(toBytes(made.body)) : toBytes(made.body)
    const link = made.headers?.['Link'] ?? null
    const etag = viewTag ?? tagOf(body as Uint8Array)
    const length = lengthOf(body)
    const tagged = { length, etag, link, reads: made.reads ?? null }
    const isKept = memory.keep(key, length, () => ({ stamp, body: join(body), ...tagged }))
    send(request, response, visit, { body, ...tagged })
    if (!isKept && body instanceof Uint8Array && body !== made.body)
      response.once('finish', () => letGo(body))
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    visit: Visit,
    { body, length, etag, link, reads }: Tagged,
  ): void {
    const fresh = isSame(request.headers['if-none-match'], etag)
    count(visit, fresh ? null : reads)
    visit.headers.push('ETag', etag)
    if (link !== null) visit.headers.push('Link', link)
    if (!fresh)
      visit.headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length))
    finish(observer, request, response, visit, fresh ? 304 : 200, fresh ? nothing : body)
  }

  /** Whoever has it already has read nothing. */
  function count({ caller, route }: Visit, reads: Reads | null): void {
    const now = spool.now()
    tally.noteCall(caller!.token.id, route, now)
    if (reads) tally.noteReads(caller!.token.id, reads, now)
  }

  function sendOnce(request: IncomingMessage, response: ServerResponse, visit: Visit, made: Answer): void {
    const body = isStreamed(made.body) ? made.body : toBytes(made.body)
    count(visit, made.reads ?? null)
    visit.headers.push('Content-Type', made.contentType ?? 'application/json; charset=utf-8')
    visit.headers.push('Content-Length', String(lengthOf(body)), ...Object.entries(made.headers ?? {}).flat())
    finish(observer, request, response, visit, 200, body)
  }

  let arrived: { request: IncomingMessage; response: ServerResponse; visit: Visit }[] = []

  function answerArrived(): void {
    const together = arrived
    arrived = []
    for (const { request, response, visit } of together)
      answer(request, response, visit).catch((error: unknown) =>
        fail(observer, request, response, visit, error),
      )
  }

  // What comes in one turn of the event loop is answered together. One after the other does the same, so the processor
  // has the code for it at hand: a hot list takes a quarter less time than when each is read and answered in turn.
  return (request, response) => {
    const visit = beginVisit(`${base}/*`)
    if (arrived.push({ request, response, visit }) === 1) setImmediate(answerArrived)
  }
}

const nothing = Buffer.of()

interface Asked {
  target: string
  /** Where the query begins, or -1. */
  question: number
  match: ReturnType<typeof matchRoute>
  /** What an answer is remembered by. */
  key: string
}

/** A client mostly asks the same again on its connection: what that means is worked out once. */
function askedReader(): (request: IncomingMessage, view: string) => Asked {
  const last = new WeakMap<Socket, Asked & { view: string }>()
  return (request, view) => {
    const target = targetOf(request)
    const known = last.get(request.socket)
    if (known?.target === target && known.view === view) return known
    const question = target.indexOf('?')
    const match = matchRoute(question === -1 ? target : target.slice(0, question))
    const asked = { target, view, question, match, key: `${view} ${target}` }
    last.set(request.socket, asked)
    return asked
  }
}

function join(body: Uint8Array | readonly Uint8Array[]): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.concat(body)
}

/** Bytes that were made for one answer. While they are sent they grow old, and only a full collection would free them. */
function letGo({ buffer, byteLength }: Uint8Array): void {
  // Short ones lie in memory that others use too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once('close', () => controller.abort())
  return controller.signal
}
