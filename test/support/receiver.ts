import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Event } from '../../src/model/events.ts'

export interface Arrival {
  at: number
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: Event & { data: { previousSeq: number | null } }
}

export type Answering = (arrival: Arrival, response: ServerResponse) => void

/** A subscriber's webhook endpoint. It verifies every delivery with the public library. */
export class Receiver implements AsyncDisposable {
  readonly arrivals: Arrival[] = []
  readonly refused: string[] = []
  url = ''
  /** One of these must have signed the delivery. If empty, nothing is verified. */
  secrets: string[] = []
  /** The library uses the machine's clock. If false, it gets the signed time, for tests that move Spool's clock. */
  ownClock = true
  answer: Answering
  readonly #server = createServer((request, response) => void this.#take(request, response))

  constructor(answer: Answering = (_, response) => void response.writeHead(204).end()) {
    this.answer = answer
  }

  static async start(answer?: Answering, port = 0): Promise<Receiver> {
    const receiver = new Receiver(answer)
    receiver.#server.keepAliveTimeout = 60_000
    receiver.#server.listen(port, '127.0.0.1')
    await once(receiver.#server, 'listening')
    receiver.url = `http://127.0.0.1:${(receiver.#server.address() as AddressInfo).port}/hook`
    return receiver
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { headers } = request
    if (this.secrets.length > 0 && !this.secrets.some((secret) => this.#verifies(secret, text, headers))) {
      this.refused.push(text)
      return void response.writeHead(401).end()
    }
    const arrival: Arrival = {
      at: performance.now(),
      path: request.url!,
      headers,
      text,
      body: JSON.parse(text) as Arrival['body'],
    }
    this.arrivals.push(arrival)
    this.answer(arrival, response)
  }

  #verifies(secret: string, text: string, headers: IncomingHttpHeaders): boolean {
    const id = headers['webhook-id'] as string
    const timestamp = headers['webhook-timestamp'] as string
    const signature = headers['webhook-signature'] as string
    const realNow = Date.now
    if (!this.ownClock) Date.now = () => Number(timestamp) * 1000
    try {
      new Webhook(secret).verify(text, {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      })
      return true
    } catch {
      return false
    } finally {
      Date.now = realNow
    }
  }

  seqs(): number[] {
    return this.arrivals.map(({ body }) => body.data.seq)
  }

  types(): string[] {
    return this.arrivals.map(({ body }) => body.type)
  }

  async until(count: number, timeout = 60_000): Promise<Arrival[]> {
    await waitFor(() => this.arrivals.length >= count, `${count} deliveries`, timeout)
    assert.deepEqual(this.refused, [], 'every signature is right')
    return this.arrivals
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export async function waitFor(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  timeout = 60_000,
): Promise<void> {
  for (const until = performance.now() + timeout; !(await isSo());) {
    assert.ok(performance.now() < until, `waited ${timeout} ms for ${what}`)
    await sleep(5)
  }
}
