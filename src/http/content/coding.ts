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

/** In order of preference. */
const codings = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** In bytes. Compressing a shorter answer gains nothing. */
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

/** Runs off the serving thread. */
export function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return compressors[coding](bytes)
}

/** For streams: flushes every write at once instead of buffering it until more arrives. */
export function openCompressor(coding: Coding): Transform {
  if (coding === 'zstd') return createZstdCompress({ ...zstdOptions, flush: constants.ZSTD_e_flush })
  if (coding === 'br')
    return createBrotliCompress({ ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH })
  return createGzip({ ...gzipOptions, flush: constants.Z_SYNC_FLUSH })
}

/** Parsed `Accept-Encoding` headers: clients send few different ones, each many times. */
const known = new Map<string, Coding | null>()
const mostKnown = 100

/** The client's preferred coding, or the server's if the client has no preference; null: send uncompressed. */
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

/** What an `Accept` or `Accept-Encoding` header names, with its weight. */
export function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}

function readAccepted(header: string): Coding | null {
  const accepted = readWeights(header)
  const weightOf = (coding: string): number => accepted.get(coding) ?? accepted.get('*') ?? 0
  const best = Math.max(...codings.map(weightOf))
  if (best === 0 || best < (accepted.get('identity') ?? 0)) return null
  return codings.find((coding) => weightOf(coding) === best)!
}
