import Fastify, { type FastifyReply } from 'fastify'
import type { Readiness } from '../core/readiness.ts'
import { SpoolError } from '../model/errors.ts'
import { describeResource, isMcp, metadataPaths, openAgentDoor, type AgentDoorContext } from './agent-door.ts'
import { registerApp, type AppDoorContext } from './app-door.ts'
import { isV1, openV1, targetOf, type DoorContext } from './door.ts'
import { readFailure, type Failure } from './errors.ts'
import { requestIdOf, securityHeaders } from './headers.ts'
import { registerDocs } from './routes/docs.ts'
import { registerHealth } from './routes/health.ts'
import { registerOAuth, type OAuthContext } from './routes/oauth.ts'
import { registerPage, sendNoSuchPage } from './routes/page.ts'
import { Transport } from './transport.ts'

export interface ServerContext extends DoorContext, AgentDoorContext, AppDoorContext, OAuthContext {
  limits: DoorContext['limits'] & AppDoorContext['limits'] & OAuthContext['limits']
  readiness: Readiness
  metricsToken: string | null
}

export interface HttpServer {
  /** Returns the address it listens on. */
  listen(at: { host: string; port: number }): Promise<string>
  /** Keeps answering, but closes each connection, so that clients reconnect, to another node if there is one. */
  drain(): void
  close(): Promise<void>
}

/** Everything served over HTTP. REST and MCP bypass the framework's router (see door.ts and agent-door.ts). */
export function buildServer(context: ServerContext): HttpServer {
  const v1 = openV1(context)
  const mcp = openAgentDoor(context)
  const { observer } = context
  const transport = new Transport(observer, context.spool.url)
  const app = Fastify({
    serverFactory: (handler) =>
      transport.listen((request, response) => {
        const target = targetOf(request)
        const door = isV1(target) ? v1 : isMcp(target) ? mcp : handler
        door(request, response)
      }),
    clientErrorHandler: transport.onClientError,
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: false },
    // Requests are parsed with zod, so Fastify's own schema compilers are not loaded.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    // Fastify runs no hooks for these errors.
    frameworkErrors: (error, { id, method }, reply) => {
      const found = readFailure(error, id)
      observer.request({ id, method, route: 'unknown', status: found.status })
      reply.headers({ ...securityHeaders, 'X-Request-Id': id })
      sendFailure(reply as FastifyReply, found)
    },
  })

  app.addHook('preClose', async () => transport.hangUp())
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(securityHeaders))
      if (!reply.hasHeader(name)) reply.header(name, value)
    reply.header('X-Request-Id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { id, method, routeOptions } = request
    const { url: route = 'unknown' } = routeOptions
    observer.request({ id, method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
  })
  app.setErrorHandler(async (error, request, reply) => {
    const found = readFailure(error, request.id)
    const isFault = found.status >= 500 && (error as { code?: unknown }).code !== 'not_ready'
    if (isFault) observer.fault(request.id, error)
    return sendFailure(reply, found)
  })
  app.setNotFoundHandler((request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? '')) return sendNoSuchPage(reply)
    throw new SpoolError('not_found', 'There is nothing at this address; see /docs for the API.')
  })
  registerDocs(app, context.spool, context.agents)
  registerPage(app)
  registerHealth(app, context)
  for (const path of metadataPaths) app.get(path, async () => describeResource(context.spool.url))
  registerOAuth(app, context)
  registerApp(app, context)
  return {
    listen: (at) => app.listen(at),
    drain: () => transport.drain(),
    close: () => app.close(),
  }
}

function sendFailure(reply: FastifyReply, { status, body, headers }: Failure): FastifyReply {
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

function unused(): never {
  throw new Error('A route has a Fastify schema; use zod instead.')
}
