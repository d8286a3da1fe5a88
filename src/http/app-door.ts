import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Live } from '../core/log/live.ts'
import type { RateLimit } from '../core/access/rate-limit.ts'
import { renewSession, resumeSession, sessionEnded, signOut, type SignedIn } from '../core/access/sessions.ts'
import { viewOfUser } from '../core/access/access.ts'
import type { Spool } from '../core/spool.ts'
import { SpoolError } from '../model/errors.ts'
import type { AppRoute, BytesAnswer, StreamAnswer } from './app-route.ts'
import { appContract } from './contract/table.ts'
import { readBody, readQuery } from './query.ts'
import { sendStream } from './stream.ts'
import { registerEntry } from './routes/app/entry.ts'
import { appBase, appRoutes } from './routes/app/table.ts'
import { isFromHost, isOwnOrigin, sessionCookie } from './session-cookie.ts'
import { abortWhenGone } from './exchange.ts'
import { refusePlainHttp, SignInGuard, takeFrom, type SignInGuardContext } from './sign-in-guard.ts'
import { queryOf } from './door.ts'
import { Uploads } from './uploads.ts'

export interface AppDoorContext extends SignInGuardContext {
  live: Live
  /** All private routes together, per person: far more than people need. */
  limits: { person: RateLimit }
}

/** The web inbox's private routes. They require a session cookie and do not accept tokens. */
export function registerApp(app: FastifyInstance, context: AppDoorContext): void {
  const { spool } = context
  const guard = new SignInGuard(context)
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  void app.register(async (scope) => {
    const uploads = new Uploads(spool.memory.arriving)
    scope.addContentTypeParser('application/octet-stream', (request: FastifyRequest, body: IncomingMessage) =>
      uploads.read(request, body),
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const reads = request.method === 'GET' || request.method === 'HEAD'
      if (reads || isOwnOrigin(spool, request.raw)) return
      if (isFromHost(request.raw)) refuseOtherAddress(spool, request.raw)
      throw new SpoolError('forbidden', "This request did not come from this Spool's web inbox.")
    })

    registerEntry(scope, appBase, spool, guard)
    scope.delete(appBase + appContract.signOut.path, async (request, reply) => {
      const actor = await requireSession(spool, request)
      await signOut(spool, actor)
      context.live.presence.leave(actor.session)
      reply.header('Set-Cookie', sessionCookie.end(spool))
      return { signedOut: true }
    })
    for (const route of appRoutes) addRoute(scope, context, { guard, uploads, closing }, route)
  })
}

/** The page was opened under a different address than SPOOL_URL. */
function refuseOtherAddress({ url }: Spool, request: IncomingMessage): never {
  refusePlainHttp(request)
  const { origin } = new URL(request.headers.origin ?? '')
  throw new SpoolError(
    'forbidden',
    `This page was opened at ${origin}, but SPOOL_URL is ${url}. Open Spool there, or set SPOOL_URL to ${origin} and restart it.`,
  )
}

function addRoute(
  scope: FastifyInstance,
  { spool, live, limits }: AppDoorContext,
  { guard, uploads, closing }: { guard: SignInGuard; uploads: Uploads; closing: AbortController },
  route: AppRoute,
): void {
  const actors = new WeakMap<FastifyRequest, SignedIn>()
  scope.route({
    method: route.method,
    url: appBase + route.path.replace(/\{(\w+)\}/g, ':$1'),
    // HEAD is not needed here, and on a stream it would never end.
    exposeHeadRoute: false,
    bodyLimit: route.body === 'bytes' ? spool.maxMessageBytes : 1_000_000,
    // Before the body is read, so that nobody can fill the memory without a session.
    onRequest: async (request, reply) => {
      const actor = await requireSession(spool, request)
      await takeFrom(limits.person, actor.user.id, 'requests from your browser')
      requireRole(route, actor)
      if (route.body === 'bytes')
        uploads.expect(request, reply, { most: spool.maxMessageBytes, person: actor.user.id })
      actors.set(request, actor)
    },
    preHandler: async (request) => {
      requireText(request.params as Record<string, string>)
      if (route.method !== 'GET')
        actors.set(request, await recheckSession(spool, route, actors.get(request)!))
    },
    async handler(request, reply) {
      const actor = actors.get(request)!
      const answer = await route.handle({
        spool,
        live,
        actor,
        view: () => viewOfUser(spool.db, actor.user),
        path: request.params as Record<string, string>,
        query: readQuery(route.query, queryOf(request.raw.url ?? '')),
        body: bodyOf(route, request),
        guard: {
          countPassword: () => guard.countPassword(actor.session),
          countTrial: () => guard.countTrial(actor.user.id),
        },
        lastEventId: readHeader(request, 'last-event-id'),
        whenGone: () => AbortSignal.any([abortWhenGone(reply.raw), closing.signal]),
        setCookie: (cookie) => void reply.header('Set-Cookie', cookie),
      })
      if (route.answer === 'bytes') {
        const { body, headers } = answer as BytesAnswer
        return reply.headers(headers).send(body)
      }
      if ('events' in route.answer) return sendStream(request, reply, answer as StreamAnswer)
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
    },
  })
}

/** PostgreSQL rejects NUL in text, so such an id cannot exist. */
function requireText(path: Readonly<Record<string, string>>): void {
  if (Object.values(path).some((id) => id.includes('\0')))
    throw new SpoolError(
      'not_found',
      'There is nothing with this id, or you have no access to it. Check the id.',
    )
}

function readHeader({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function bodyOf({ body }: AppRoute, request: FastifyRequest): unknown {
  if (body === null) return null
  if (body !== 'bytes') return readBody(body, request.body)
  if (!(request.body instanceof Uint8Array))
    throw new SpoolError('bad_request', 'Send the bytes with Content-Type: application/octet-stream.')
  return request.body
}

function requireRole({ roles }: AppRoute, { user: { role } }: SignedIn): void {
  if (roles.includes(role)) return
  throw new SpoolError(
    'forbidden',
    roles.includes('member')
      ? 'Your role is viewer, so you can read but not change anything; ask an admin for another role.'
      : 'Only an admin can do this. Ask one of them.',
  )
}

/** The body may take up to 30 seconds to arrive; meanwhile the user may have been signed out or lost the role. */
async function recheckSession(spool: Spool, route: AppRoute, before: SignedIn): Promise<SignedIn> {
  const session = await renewSession(spool, before)
  if (!session) throw sessionEnded()
  requireRole(route, session.actor)
  return session.actor
}

async function requireSession(spool: Spool, request: FastifyRequest): Promise<SignedIn> {
  const secret = sessionCookie.read(spool, request.raw)
  const actor = secret === null ? null : await resumeSession(spool, secret)
  if (!actor) throw sessionEnded()
  // Somebody else has signed in in another tab: this page does not act for them.
  const expected = readHeader(request, 'spool-user')
  if (expected !== null && expected !== actor.user.id) throw sessionEnded()
  return actor
}
