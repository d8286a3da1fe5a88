import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ByteBudget } from '../model/byte-budget.ts'
import { SpoolError } from '../model/errors.ts'

interface Upload {
  share: ReturnType<ByteBudget['open']>
  most: number
}

interface Own {
  budget: ByteBudget
  uploads: number
}

/**
 * Bodies that are bytes, within one budget for all of them. One person has half of it, or uploads that never end would
 * keep mail from arriving.
 */
export class Uploads {
  readonly #budget: ByteBudget
  readonly #expected = new WeakMap<FastifyRequest, Upload>()
  readonly #people = new Map<string, Own>()

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Before the body is read. Its bytes count until the answer is sent. */
  expect(
    request: FastifyRequest,
    reply: FastifyReply,
    { most, person }: { most: number; person: string },
  ): void {
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
    const share = this.#openShare(person)
    reply.raw.once('close', () => share[Symbol.dispose]())
    this.#expected.set(request, { share, most })
  }

  #openShare(person: string): Upload['share'] {
    const own = this.#people.get(person) ?? { budget: new ByteBudget(this.#budget.size / 2), uploads: 0 }
    this.#people.set(person, own)
    own.uploads++
    const [whole, half] = [this.#budget.open(), own.budget.open()]
    let isOpen = true
    return {
      take: (bytes) => half.take(bytes) && whole.take(bytes),
      [Symbol.dispose]: () => {
        whole[Symbol.dispose]()
        half[Symbol.dispose]()
        if (isOpen && --own.uploads === 0) this.#people.delete(person)
        isOpen = false
      },
    }
  }

  /** What is too much is read to its end and dropped: the client listens for an answer only then. */
  async read(request: FastifyRequest, body: IncomingMessage): Promise<Uint8Array> {
    const upload = this.#expected.get(request)
    if (!upload) throw new SpoolError('bad_request', 'Send JSON with Content-Type: application/json.')
    const { share, most } = upload
    const chunks: Buffer[] = []
    let [size, isBusy] = [0, false]
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      isBusy ||= size <= most && !share.take(chunk.length)
      if (!isBusy && size <= most) chunks.push(chunk)
      else {
        chunks.length = 0
        share[Symbol.dispose]()
      }
    }
    if (size > most) throw tooLarge()
    if (isBusy)
      throw new SpoolError(
        'not_ready',
        'Too much mail and too many files are arriving right now; try again in a moment.',
      )
    return Buffer.concat(chunks)
  }
}

function tooLarge(): SpoolError {
  return new SpoolError('too_large', 'The request body is too large.')
}
