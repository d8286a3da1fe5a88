import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../model/errors.ts'
import { targetOf } from './door.ts'
import { readFailure } from './errors.ts'
import { newRequestId, securityHeaders } from './headers.ts'
import { Observer } from './observer.ts'
import { Transport } from './transport.ts'

/** Listens while the store is unreachable: /healthz answers 200 and everything else 503. */
export async function startWaitingServer(
  { host, port, url }: { host: string; port: number; url: string | null },
  log: Logger,
): Promise<Disposable & { port: number }> {
  const observer = new Observer(log)
  const transport = new Transport(observer, url)
  const server = transport.listen((request, response) => answer(observer, request, response))
  server.on('clientError', transport.onClientError)
  await once(server.listen({ host, port }), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    // The port is free at once; answers in progress get a moment to finish.
    [Symbol.dispose]() {
      server.close()
      transport.hangUp()
    },
  }
}

function answer(observer: Observer, request: IncomingMessage, response: ServerResponse): void {
  const id = newRequestId()
  const isHealth = targetOf(request).split('?')[0] === '/healthz'
  const { status, body: said, headers } = isHealth ? alive : readFailure(new StoreUnavailable(away), id)
  const body = JSON.stringify(said)
  response.writeHead(status, {
    ...securityHeaders,
    'X-Request-Id': id,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    // The next request should reach the server that replaces this one.
    Connection: 'close',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? '' : body)
  const route = isHealth ? '/healthz' : 'unknown'
  observer.request({ id, method: request.method ?? '', route, status })
}

const away =
  'The store has been unreachable since the start; Spool keeps retrying and will recover by itself.'
const alive = { status: 200, body: { status: 'ok' }, headers: {} }
