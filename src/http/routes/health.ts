import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import type { Readiness } from '../../core/readiness.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Observer } from '../observer.ts'

export function registerHealth(
  app: FastifyInstance,
  {
    readiness,
    observer,
    metricsToken,
  }: { readiness: Readiness; observer: Observer; metricsToken: string | null },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async () => {
    const reason = await readiness.reason()
    if (reason !== null) throw new SpoolError('not_ready', reason)
    const remarks = readiness.remarks()
    return { status: 'ready', ...(remarks.length > 0 ? { remarks } : {}) }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) {
      throw new SpoolError(
        'forbidden',
        'Metrics are open to loopback only, or with the token in SPOOL_METRICS_TOKEN.',
      )
    }
    const { contentType, text } = await observer.renderMetrics()
    return reply.type(contentType).send(text)
  })
}

const proxyMarks = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token !== null && given !== undefined) {
    return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
  }
  // A proxy on this machine forwards requests from anywhere; its headers reveal it.
  if (proxyMarks.some((name) => request.headers[name] !== undefined)) return false
  // DNS rebinding: another site's name may resolve to this machine.
  if (!/^(127(\.\d+){3}|localhost|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '')) return false
  return /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
}
