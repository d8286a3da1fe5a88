import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding, compress, smallestCompressed, type Coding } from './coding.ts'
import { isSame, tagOf } from './etag.ts'

/** A file in memory, compressed once for each coding that clients have requested. */
export class MemoryFile {
  readonly #type: string
  readonly #plain: Buffer
  readonly #etag: string
  readonly #gains: boolean
  readonly #coded = new Map<Coding, Promise<Uint8Array>>()

  /** `gains` is false for content that is already compressed. */
  constructor(type: string, plain: Buffer, gains = true) {
    this.#type = type
    this.#plain = plain
    this.#etag = tagOf(plain)
    this.#gains = gains && plain.length >= smallestCompressed
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({ ETag: this.#etag, Vary: 'Accept-Encoding' })
    if (isSame(headers['if-none-match'], this.#etag)) return reply.code(304).send()
    const coding = this.#gains ? chooseCoding(headers['accept-encoding']) : null
    if (coding !== null) reply.header('Content-Encoding', coding)
    return reply.type(this.#type).send(await this.#in(coding))
  }

  async #in(coding: Coding | null): Promise<Uint8Array> {
    if (coding === null) return this.#plain
    if (!this.#coded.has(coding)) this.#coded.set(coding, compress(this.#plain, coding))
    return this.#coded.get(coding)!
  }
}
