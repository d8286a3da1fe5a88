import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptInvitation, readInvitation, setUp } from '../../../core/invitations.ts'
import { acceptReset, readReset } from '../../../core/resets.ts'
import { signIn, type Begun } from '../../../core/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { readBody } from '../../query.ts'
import { writeBrowserCookie, writeSessionCookie } from '../../session-cookie.ts'
import { refusePlainHttp, type Attempt, type SignInGuard } from '../../sign-in-guard.ts'
import { viewSession } from './session.ts'

const email = z.string().max(254)
const password = z.string().max(1000)
const name = z.string().max(200)
const SignIn = z.strictObject({ email, password })
const token = z.string().max(200)
const SetUp = z.strictObject({ token, email, name, password })
const Shown = z.strictObject({ token })
const NewPassword = z.strictObject({ token, password })
const Acceptance = z.strictObject({ token, name: name.nullable().default(null), password })

export interface EntryContext {
  spool: Spool
  guard: SignInGuard
}

/** What opens to somebody without a session, each with what the matrix of the tests sends there. */
export const entryRoutes = [
  { method: 'POST', path: '/session', operationId: 'signIn' },
  { method: 'POST', path: '/setup', operationId: 'setUp' },
  { method: 'POST', path: '/invitations/look', operationId: 'getInvitation' },
  { method: 'POST', path: '/invitations/accept', operationId: 'acceptInvitation' },
  { method: 'POST', path: '/resets/look', operationId: 'getReset' },
  { method: 'POST', path: '/resets/accept', operationId: 'acceptReset' },
] as const

/** A password has at most 1,000 characters: what is longer is none of what is asked for here. */
const mostBytes = 16_384

/**
 * The ways in: by password, by the first admin's link, by an invitation, by a link for a new password. What lets somebody
 * in stands in the body, for a proxy on the way writes addresses down.
 */
export function registerEntry(scope: FastifyInstance, base: string, { spool, guard }: EntryContext): void {
  const attempts = new WeakMap<FastifyRequest, Attempt>()
  const enter = async (reply: FastifyReply, { secret, browser, actor }: Begun): Promise<object> => {
    reply.header('Set-Cookie', [writeSessionCookie(spool, secret), writeBrowserCookie(spool, browser)])
    return viewSession(spool, actor)
  }
  void scope.register(async (ways) => {
    // Before the body is read, and given back when it was not in vain: only what is refused counts.
    ways.addHook('onRequest', async (request) => {
      if (!request.routeOptions.url!.endsWith('/look')) refusePlainHttp(request.raw)
      attempts.set(request, await guard.admit(request.raw))
    })
    ways.addHook('onSend', async (request, { statusCode }) => {
      if (statusCode < 400 || statusCode >= 500) await attempts.get(request)?.giveBack()
    })
    const open = (path: string, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<object>) =>
      ways.post(base + path, { bodyLimit: mostBytes }, handle)

    open('/session', async (request, reply) => {
      const { email, password } = readBody(SignIn, request.body)
      await attempts.get(request)!.at(email)
      return enter(reply, await signIn(spool, email, password, deviceOf(request)))
    })
    open('/setup', async (request, reply) =>
      enter(reply, await setUp(spool, readBody(SetUp, request.body), deviceOf(request))),
    )
    open('/invitations/look', async (request) => readInvitation(spool, readBody(Shown, request.body).token))
    open('/invitations/accept', async (request, reply) => {
      const { token, ...own } = readBody(Acceptance, request.body)
      return enter(reply, await acceptInvitation(spool, token, own, deviceOf(request)))
    })
    open('/resets/look', async (request) => readReset(spool, readBody(Shown, request.body).token))
    open('/resets/accept', async (request, reply) => {
      const { token, password } = readBody(NewPassword, request.body)
      return enter(reply, await acceptReset(spool, token, password, deviceOf(request)))
    })
  })
}

function deviceOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent'] ?? null
}
