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

export interface WaitingServer extends Disposable {
  port: number
}

/** Listens while the store is out of reach: the process is alive, and everything else is answered 503. */
export async function startWaitingServer(
  { host, port }: { host: string; port: number },
  log: Logger,
): Promise<WaitingServer> {
  const observer = new Observer(log)
  const transport = new Transport(observer)
  const server = transport.listen((request, response) => answer(observer, request, response))
  server.on('clientError', transport.onClientError)
  await once(server.listen({ host, port }), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    // The port is free at once; answers that are under way have a moment.
    [Symbol.dispose]() {
      server.close()
      transport.hangUp()
    },
  }
}

function answer(observer: Observer, request: IncomingMessage, response: ServerResponse): void {
  const id = newRequestId()
  const isHealth = targetOf(request).split('?')[0] === '/healthz'
  const { status, body, headers } = isHealth ? alive : readFailure(new StoreUnavailable(away), id)
  response.writeHead(status, {
    ...securityHeaders,
    'X-Request-Id': id,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    // Whoever asks again should find the server that takes over from this one.
    Connection: 'close',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? '' : body)
  const route = isHealth ? '/healthz' : 'unknown'
  observer.request({ id, method: request.method ?? '', route, status, seconds: 0, tokenId: null })
}

const away = 'The store has been out of reach since the start; Spool waits for it and goes on by itself.'
const alive = { status: 200, body: JSON.stringify({ status: 'ok' }), headers: {} }
