import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'

/** In the order in which they are preferred. */
const codings = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** A shorter answer gains nothing. */
export const smallestCompressed = 1_000

const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
// A small window: an answer is short, and each encoder would fill a large one.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}
const gzipOptions = { level: 6 }

const [toZstd, toBrotli, toGzip] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)]

const compressors: Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  zstd: (bytes) => toZstd(bytes, zstdOptions),
  br: (bytes) => toBrotli(bytes, brotliOptions),
  gzip: (bytes) => toGzip(bytes, gzipOptions),
}

/** Outside the serving thread. */
export function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return compressors[coding](bytes)
}

/** For a stream: what is written goes out at once and does not wait for more. */
export function openCompressor(coding: Coding): Transform {
  if (coding === 'zstd') return createZstdCompress({ ...zstdOptions, flush: constants.ZSTD_e_flush })
  if (coding === 'br')
    return createBrotliCompress({ ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH })
  return createGzip({ ...gzipOptions, flush: constants.Z_SYNC_FLUSH })
}

/** Clients send few different headers, each again and again. */
const known = new Map<string, Coding | null>()
const mostKnown = 100

/** The coding that the client prefers, ours where it has no preference; null: send it plain. */
export function chooseCoding(header: string | string[] | undefined): Coding | null {
  if (header === undefined) return null
  const text = String(header)
  const found = known.get(text)
  if (found !== undefined) return found
  const chosen = readAccepted(text)
  if (known.size >= mostKnown) known.clear()
  known.set(text, chosen)
  return chosen
}

function readAccepted(header: string): Coding | null {
  const accepted = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))
    accepted.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (coding: string): number => accepted.get(coding) ?? accepted.get('*') ?? 0
  const best = Math.max(...codings.map(weightOf))
  if (best === 0 || best < (accepted.get('identity') ?? 0)) return null
  return codings.find((coding) => weightOf(coding) === best)!
}

/** A file in memory, in each coding that it was asked for. */
export class CodedFile {
  readonly plain: Buffer
  readonly #coded = new Map<Coding, Promise<Uint8Array>>()
  readonly #gains: boolean

  /** `gains` is false for what is compressed already. */
  constructor(plain: Buffer, gains = true) {
    this.plain = plain
    this.#gains = gains && plain.length >= smallestCompressed
  }

  async for(header: string | string[] | undefined): Promise<{ body: Uint8Array; coding: Coding | null }> {
    const coding = this.#gains ? chooseCoding(header) : null
    if (coding === null) return { body: this.plain, coding }
    if (!this.#coded.has(coding)) this.#coded.set(coding, compress(this.plain, coding))
    return { body: await this.#coded.get(coding)!, coding }
  }
}
