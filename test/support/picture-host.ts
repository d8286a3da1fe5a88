import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodePng } from '../../src/demo/pictures.ts'

/** A PNG of the given size, filled with a colour gradient. */
export const png = (width: number, height: number): Buffer =>
  encodePng(width, height, (x) => [120, 60 + (x * 120) / width, 160])

/** A recorded request: its path and headers. */
export interface Asked {
  path: string
  headers: IncomingHttpHeaders
}

export type Answering = (response: ServerResponse, asked: Asked) => void

/** A sender's picture server on loopback. Answers by path, 404 for everything else. */
export class PictureHost implements AsyncDisposable {
  readonly asked: Asked[] = []
  readonly answers: Map<string, Answering>
  url = ''
  readonly #server = createServer((request, response) => {
    const asked = { path: request.url!, headers: request.headers }
    this.asked.push(asked)
    response.on('error', () => undefined)
    const answer = this.answers.get(asked.path)
    if (answer) answer(response, asked)
    else response.writeHead(404).end()
  })

  private constructor(answers: Record<string, Answering | Uint8Array>) {
    this.answers = new Map(
      Object.entries(answers).map(([path, answer]) => [
        path,
        typeof answer === 'function' ? answer : (response) => void response.end(answer),
      ]),
    )
  }

  static async start(
    answers: Record<string, Answering | Uint8Array>,
    { host = '127.0.0.1', port = 0 } = {},
  ): Promise<PictureHost> {
    const started = new PictureHost(answers)
    started.#server.listen(port, host)
    await once(started.#server, 'listening')
    started.url = `http://127.0.0.1:${(started.#server.address() as AddressInfo).port}`
    return started
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
