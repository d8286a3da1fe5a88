import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RateLimit } from '../../core/access/rate-limit.ts'
import { registerClient } from '../../core/grants/clients.ts'
import { redeemCode, refresh, revokeSecret } from '../../core/grants/grants.ts'
import { oauthError } from '../../core/grants/problem.ts'
import type { Spool } from '../../core/spool.ts'
import { limitKey } from '../../model/client-limit.ts'
import { grantScopes } from '../../model/consent.ts'
import { SpoolError } from '../../model/errors.ts'
import { readFailure } from '../errors.ts'
import { rateLimitHeaders } from '../headers.ts'
import type { Observer } from '../observer.ts'
import { queryOf } from '../door.ts'

export interface OAuthContext {
  spool: Spool
  observer: Observer
  limits: { anonymous: RateLimit; registration: RateLimit }
  addressOf(request: IncomingMessage): string
}

const base = '/oauth'
const largestBody = 20_000

/** RFC 8414. Every address is built from the public URL, regardless of the Host header. */
function describeServer(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}${base}/authorize`,
    token_endpoint: `${url}${base}/token`,
    revocation_endpoint: `${url}${base}/revoke`,
    registration_endpoint: `${url}${base}/register`,
    scopes_supported: grantScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${url}/docs`,
  }
}

/** Spool as OAuth 2.1 authorization server for `/mcp`: endpoints for programs. People give consent at `/consent`. */
export function registerOAuth(app: FastifyInstance, context: OAuthContext): void {
  const { spool, observer, limits, addressOf } = context
  app.get('/.well-known/oauth-authorization-server', async () => describeServer(spool.url))
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    scope.addHook('onRequest', async (request, reply) => {
      const allowance = await limits.anonymous.take(limitKey(addressOf(request.raw)))
      const headers = rateLimitHeaders(allowance)
      for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1])
      reply.header('Cache-Control', 'no-store')
      if (!allowance.allowed) throw tooMany(allowance.reset)
    })
    scope.setErrorHandler(async (error, request, reply) => {
      const { status, body, headers } = readFailure(error, request.id)
      if (status >= 500) observer.fault(request.id, error)
      // The fields that OAuth clients read, in addition to those of every Spool error.
      const word = body.details?.['error'] ?? (status < 500 ? 'invalid_request' : 'server_error')
      return reply
        .code(status)
        .headers(headers)
        .send({ error: word, error_description: body.message, ...body })
    })

    // The page checks the request after sign-in, so anonymous callers cannot make Spool fetch or redirect elsewhere.
    scope.get(`${base}/authorize`, async (request, reply) => {
      return reply.redirect(`${spool.url}/consent?${queryOf(request.raw.url!)}`, 302)
    })
    scope.post(`${base}/token`, { bodyLimit: largestBody }, async (request) => {
      const form = readForm(request)
      const [clientId, resource] = [form.need('client_id'), form.find('resource')]
      const grantType = form.need('grant_type')
      if (grantType === 'authorization_code')
        return redeemCode(spool, {
          secret: form.need('code'),
          clientId,
          resource,
          verifier: form.need('code_verifier'),
          redirectUri: form.find('redirect_uri'),
        })
      if (grantType !== 'refresh_token')
        throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
      const scopes = form.find('scope')?.split(' ').filter(Boolean) ?? null
      return refresh(spool, { secret: form.need('refresh_token'), clientId, resource, scopes })
    })
    scope.post(`${base}/revoke`, { bodyLimit: largestBody }, async (request) => {
      const form = readForm(request)
      await revokeSecret(spool, form.need('token'), form.need('client_id'))
      return {}
    })
    scope.post(`${base}/register`, { bodyLimit: largestBody }, async (request, reply) => {
      const allowance = await limits.registration.take(limitKey(addressOf(request.raw)))
      if (!allowance.allowed) throw tooMany(allowance.reset)
      const { id, name, redirectUris, createdAt } = await registerClient(spool, request.body)
      return reply.code(201).send({
        client_id: id,
        client_id_issued_at: Math.floor(createdAt / 1000),
        ...(name === null ? {} : { client_name: name }),
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      })
    })
  })
}

function tooMany(seconds: number): SpoolError {
  return new SpoolError('rate_limited', `Too many requests; try again in ${seconds} seconds.`, {
    details: { retryAfter: seconds },
  })
}

interface Form {
  need(name: string): string
  find(name: string): string | null
}

/** Allows each parameter at most once, as RFC 6749 requires. */
function readForm({ body }: FastifyRequest): Form {
  if (!(body instanceof URLSearchParams))
    throw oauthError('invalid_request', 'Send a form with Content-Type: application/x-www-form-urlencoded.')
  const find = (name: string): string | null => {
    const [value, ...more] = body.getAll(name)
    if (more.length > 0) throw oauthError('invalid_request', `${name} is given more than once; give it once.`)
    if (value?.includes('\0')) throw oauthError('invalid_request', `${name} contains a NUL character.`)
    return value || null
  }
  return {
    find,
    need(name) {
      const value = find(name)
      if (value === null) throw oauthError('invalid_request', `${name} is missing.`)
      return value
    },
  }
}
