import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  acceptInvitation,
  checkSetupLink,
  needsSetup,
  readInvitation,
  setUp,
} from '../../../core/people/invitations.ts'
import { findLinkSender, mailReset } from '../../../core/people/link-mail.ts'
import { acceptReset, readReset } from '../../../core/people/resets.ts'
import { resumeSession, signIn, type Begun } from '../../../core/access/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import type { Entry, Session } from '../../../model/session.ts'
import { entryContract } from '../../contract/entry.ts'
import { readBody } from '../../query.ts'
import { browserCookie, sessionCookie } from '../../session-cookie.ts'
import { refusePlainHttp, type Attempt, type SignInGuard } from '../../sign-in-guard.ts'
import { viewSession } from './session.ts'

/** Passwords have at most 1,000 characters, so no valid body is larger. */
const mostBytes = 16_384

/**
 * The ways to get a session: password, set-up link, invitation, reset link. Secrets are sent in the body, because
 * proxies log URLs.
 */
export function registerEntry(scope: FastifyInstance, base: string, spool: Spool, guard: SignInGuard): void {
  const attempts = new WeakMap<FastifyRequest, Attempt>()
  const enter = async (reply: FastifyReply, { secret, browser, actor }: Begun): Promise<Session> => {
    reply.header('Set-Cookie', [sessionCookie.write(spool, secret), browserCookie.write(spool, browser)])
    return viewSession(spool, actor)
  }
  const look = async (request: FastifyRequest): Promise<Entry> => {
    const secret = sessionCookie.read(spool, request.raw)
    const actor = secret === null ? null : await resumeSession(spool, secret)
    return {
      session: actor && (await viewSession(spool, actor)),
      notSetUp: actor === null && (await needsSetup(spool)),
      resetByMail: (await findLinkSender(spool)) !== null,
    }
  }
  const { method, path } = entryContract.getEntry
  scope.route({ method, url: base + path, exposeHeadRoute: false, handler: look })
  void scope.register(async (ways) => {
    // Counted before the body is read and refunded unless the answer is a 4xx: only refused attempts count.
    ways.addHook('onRequest', async (request) => {
      if (!request.routeOptions.url!.endsWith('/look')) refusePlainHttp(request.raw)
      attempts.set(request, await guard.admit(request.raw))
    })
    ways.addHook('onSend', async (request, { statusCode }) => {
      // Asking for a reset always succeeds, and always counts.
      if (request.routeOptions.url!.endsWith('/ask')) return
      if (statusCode < 400 || statusCode >= 500) await attempts.get(request)?.giveBack()
    })
    const open = (
      operation: keyof typeof entryContract,
      handle: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
    ) => ways.post(base + entryContract[operation].path, { bodyLimit: mostBytes }, handle)

    open('signIn', async (request, reply) => {
      const { email, password } = readBody(entryContract.signIn.body, request.body)
      const standing = await attempts.get(request)!.at(email)
      return enter(reply, await signIn(spool, email, password, { device: deviceOf(request), standing }))
    })
    open('setUp', async (request, reply) =>
      enter(reply, await setUp(spool, readBody(entryContract.setUp.body, request.body), deviceOf(request))),
    )
    open('checkSetupLink', async (request) => {
      await checkSetupLink(spool, readBody(entryContract.checkSetupLink.body, request.body).token)
      return { open: true }
    })
    open('getInvitation', async (request) =>
      readInvitation(spool, readBody(entryContract.getInvitation.body, request.body).token),
    )
    open('acceptInvitation', async (request, reply) => {
      const { token, ...own } = readBody(entryContract.acceptInvitation.body, request.body)
      return enter(reply, await acceptInvitation(spool, token, own, deviceOf(request)))
    })
    open('askForReset', async (request) => {
      const { email } = readBody(entryContract.askForReset.body, request.body)
      // Not awaited: how long it takes must not show whether there is such an account.
      mailReset(spool, email).catch((error: Error) =>
        request.log.warn({ reason: error.message }, 'a link for a new password could not be mailed'),
      )
      return { asked: true }
    })
    open('getReset', async (request) =>
      readReset(spool, readBody(entryContract.getReset.body, request.body).token),
    )
    open('acceptReset', async (request, reply) => {
      const { token, password } = readBody(entryContract.acceptReset.body, request.body)
      return enter(reply, await acceptReset(spool, token, password, deviceOf(request)))
    })
  })
}

function deviceOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent'] ?? null
}
