import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { RateLimit } from '../core/rate-limit.ts'
import { resumeSession, signIn, signOut, type SignedIn } from '../core/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { SpoolError } from '../model/errors.ts'
import type { AppRoute } from './app-route.ts'
import { limitKey } from './client-address.ts'
import { readBody, readQuery } from './query.ts'
import { SignIn, viewSession } from './routes/app/session.ts'
import { appBase, appRoutes } from './routes/app/table.ts'
import { endSessionCookie, isOwnOrigin, readSessionCookie, writeSessionCookie } from './session-cookie.ts'

export interface AppDoorContext {
  spool: Spool
  /** Attempts to sign in. */
  signInLimits: { address: RateLimit; account: RateLimit }
  addressOf(request: IncomingMessage): string
}

/** The web inbox's own routes: a session cookie opens them and nothing else does, no token either. */
export function registerApp(app: FastifyInstance, context: AppDoorContext): void {
  const { spool } = context
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnOrigin(spool, request.raw))
        throw new SpoolError('forbidden', 'This request does not come from the page of this Spool.')
    })

    scope.post(`${appBase}/session`, async (request, reply) => {
      const { email, password } = readBody(SignIn, request.body)
      await limitSignIn(context, request, reply, email)
      const { secret, actor } = await signIn(spool, email, password)
      reply.header('Set-Cookie', writeSessionCookie(spool, secret))
      return viewSession(spool, actor)
    })
    scope.delete(`${appBase}/session`, async (request, reply) => {
      await signOut(spool, await requireSession(spool, request))
      reply.header('Set-Cookie', endSessionCookie(spool))
      return { signedOut: true }
    })
    for (const route of appRoutes) addRoute(scope, spool, route)
  })
}

function addRoute(scope: FastifyInstance, spool: Spool, route: AppRoute): void {
  scope.route({
    method: route.method,
    url: appBase + route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.body === 'bytes' ? spool.maxMessageBytes : 1_000_000,
    async handler(request, reply) {
      const actor = await requireSession(spool, request)
      const answer = await route.handle({
        spool,
        actor,
        path: request.params as Record<string, string>,
        query: readQuery(route.query, request.raw.url?.split('?')[1] ?? ''),
        body: bodyOf(route, request),
      })
      if (answer.headers) return reply.headers(answer.headers).send(answer.body)
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body))
    },
  })
}

function bodyOf({ body }: AppRoute, request: FastifyRequest): unknown {
  if (body === null) return null
  if (body !== 'bytes') return readBody(body, request.body)
  if (!(request.body instanceof Uint8Array))
    throw new SpoolError('bad_request', 'Send the bytes with Content-Type: application/octet-stream.')
  return request.body
}

async function requireSession(spool: Spool, request: FastifyRequest): Promise<SignedIn> {
  const secret = readSessionCookie(spool, request.raw)
  const actor = secret === null ? null : await resumeSession(spool, secret)
  if (!actor)
    throw new SpoolError('unauthorized', 'You are not signed in, or your session has ended; sign in again.')
  return actor
}

async function limitSignIn(
  { signInLimits, addressOf }: AppDoorContext,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  for (const { allowed, reset } of [
    await signInLimits.address.take(limitKey(addressOf(request.raw))),
    await signInLimits.account.take(email.trim().toLowerCase()),
  ]) {
    if (allowed) continue
    reply.header('Retry-After', String(reset))
    throw new SpoolError('rate_limited', `Too many attempts to sign in; try again in ${reset} seconds.`)
  }
}
