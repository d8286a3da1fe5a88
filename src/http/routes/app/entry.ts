import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptInvitation, readInvitation, setUp } from '../../../core/invitations.ts'
import { acceptReset, readReset } from '../../../core/resets.ts'
import { signIn, type Begun } from '../../../core/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { readBody } from '../../query.ts'
import { writeSessionCookie } from '../../session-cookie.ts'
import { refusePlainHttp, type SignInGuard } from '../../sign-in-guard.ts'
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

/**
 * The ways in: by password, by the first admin's link, by an invitation, by a link for a new password. What lets somebody
 * in stands in the body, for a proxy on the way writes addresses down.
 */
export function registerEntry(scope: FastifyInstance, base: string, { spool, guard }: EntryContext): void {
  const enter = async (reply: FastifyReply, { secret, actor }: Begun): Promise<object> => {
    reply.header('Set-Cookie', writeSessionCookie(spool, secret))
    return viewSession(spool, actor)
  }
  scope.post(`${base}/session`, async (request, reply) => {
    refusePlainHttp(request.raw)
    const wanted = readBody(SignIn, request.body)
    await guard.count(request.raw, wanted.email)
    return enter(reply, await signIn(spool, wanted.email, wanted.password, deviceOf(request)))
  })
  scope.post(`${base}/setup`, async (request, reply) => {
    refusePlainHttp(request.raw)
    const wanted = readBody(SetUp, request.body)
    await guard.count(request.raw, null)
    return enter(reply, await setUp(spool, wanted, deviceOf(request)))
  })
  scope.post(`${base}/invitations/look`, async (request) => {
    const invited = readBody(Shown, request.body)
    await guard.count(request.raw, null)
    return readInvitation(spool, invited.token)
  })
  scope.post(`${base}/invitations/accept`, async (request, reply) => {
    refusePlainHttp(request.raw)
    const { token, ...own } = readBody(Acceptance, request.body)
    await guard.count(request.raw, null)
    return enter(reply, await acceptInvitation(spool, token, own, deviceOf(request)))
  })
  scope.post(`${base}/resets/look`, async (request) => {
    const given = readBody(Shown, request.body)
    await guard.count(request.raw, null)
    return readReset(spool, given.token)
  })
  scope.post(`${base}/resets/accept`, async (request, reply) => {
    refusePlainHttp(request.raw)
    const { token, password } = readBody(NewPassword, request.body)
    await guard.count(request.raw, null)
    return enter(reply, await acceptReset(spool, token, password, deviceOf(request)))
  })
}

function deviceOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent'] ?? null
}
