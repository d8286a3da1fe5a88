import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SpoolError } from '../model/errors.ts'
import { readEmlFolder, sizeOfEmlFolder } from './mailbox/eml-folder.ts'
import { defaultLimits } from './limits.ts'
import { withoutMark, type LeftOut, type MailItem, type TooLarge } from './mailbox/mail-item.ts'
import { isMaildir, readMaildir, sizeOfMaildir } from './mailbox/maildir.ts'
import { readMbox, type MboxFormat } from './mailbox/mbox.ts'

export type MailboxFormat = 'mboxrd' | 'mboxo' | 'mboxcl' | 'maildir' | 'eml'

export interface Mailbox extends AsyncIterable<MailItem | TooLarge | LeftOut> {
  /** Bytes of the file as stored, compressed or not. */
  readonly bytesRead: number
  /** Null if unknown, as with standard input. */
  readonly bytesTotal: number | null
}

export interface MailboxOptions {
  format?: MailboxFormat | undefined
  maxSize?: number
  input?: Readable
}

/** Opens a file or folder of mail, whatever its format; `-` is standard input. */
export async function openMailbox(path: string, options: MailboxOptions = {}): Promise<Mailbox> {
  const { format, maxSize = defaultLimits.size, input = process.stdin } = options
  if (path === '-') return openStream(() => input, null, { what: 'This', name: 'message', format, maxSize })
  const status = await stat(path)
  if (!status.isDirectory()) {
    if (format === 'maildir') throw new Error(`${path} is a file, not a maildir folder.`)
    const open = () => createReadStream(path, { highWaterMark: 1 << 18 })
    return openStream(open, status.size, { what: path, name: basename(path), format, maxSize })
  }
  if (format === 'maildir' || (format === undefined && (await isMaildir(path)))) {
    return counted(readMaildir(path, maxSize), await sizeOfMaildir(path))
  }
  if (format !== undefined && format !== 'eml') throw new Error(`${path} is a folder, not a mailbox file.`)
  const size = await sizeOfEmlFolder(path)
  if (size === null)
    throw new SpoolError(
      'bad_parameter',
      `${path} is not a Maildir and contains no .eml files. To import an mbox, name the file itself, not its folder.`,
    )
  return counted(readEmlFolder(path, maxSize), size)
}

const isGzip = (start: Uint8Array) => start[0] === 0x1f && start[1] === 0x8b

/** A message starts with the name of a header field. */
const isHeaderStart = (start: Uint8Array) =>
  /^\s*[!-9;-~]+[ \t]*:/.test(Buffer.from(start).toString('latin1'))

const isMboxStart = (start: Uint8Array) => /^\s*From /.test(Buffer.from(start).toString('latin1'))

/** A mailbox that stores each message as a file. */
function counted(items: AsyncGenerator<MailItem | TooLarge | LeftOut>, bytesTotal: number): Mailbox {
  const mailbox = {
    bytesRead: 0,
    bytesTotal,
    async *[Symbol.asyncIterator](): typeof items {
      for await (const item of items) {
        mailbox.bytesRead += 'raw' in item ? item.raw.byteLength : item.size
        yield item
      }
    },
  }
  return mailbox
}

interface StreamOptions {
  /** How errors name the whole, and its only message. */
  what: string
  name: string
  format: MailboxFormat | undefined
  maxSize: number
}

/** An mbox or a single message read from a stream, possibly compressed. */
function openStream(open: () => Readable, bytesTotal: number | null, options: StreamOptions): Mailbox {
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      mailbox.bytesRead += chunk.length
      yield chunk
    }
  }
  const mailbox = {
    bytesRead: 0,
    bytesTotal,
    async *[Symbol.asyncIterator](): AsyncGenerator<MailItem | TooLarge> {
      yield* readStream(await uncompressed(count(open())), options)
    },
  }
  return mailbox
}

async function* readStream(
  chunks: AsyncIterable<Uint8Array>,
  { what, name, format, maxSize }: StreamOptions,
): AsyncGenerator<MailItem | TooLarge> {
  const { start, all } = await peek(chunks)
  const mboxFormat: MboxFormat =
    format === 'mboxrd' || format === 'mboxo' || format === 'mboxcl' ? format : 'auto'
  if (start.length === 0) return
  if (format === 'eml' || (mboxFormat === 'auto' && !isMboxStart(start))) {
    if (format === undefined && !isHeaderStart(start))
      throw new Error(
        `${what} does not look like mail: neither an mbox nor a message. --format eml takes it all the same.`,
      )
    yield await readWhole(all, name, maxSize)
    return
  }
  for await (const item of readMbox(all, mboxFormat, maxSize)) {
    const name = `offset ${item.offset}`
    if (item.tooLarge === true) yield { tooLarge: true, name, size: item.size }
    else yield { raw: item.raw, seen: false, receivedAt: item.fromLineDate, name }
  }
}

async function readWhole(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  maxSize: number,
): Promise<MailItem | TooLarge> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size <= maxSize) parts.push(chunk)
  }
  if (size > maxSize) return { tooLarge: true, name, size }
  return { raw: Buffer.concat(parts), seen: false, receivedAt: null, name }
}

/** Reads the first bytes without consuming them. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ start: Buffer; all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  while (size < 64) {
    const { done, value } = await iterator.next()
    if (done === true) break
    first.push(value)
    size += value.length
  }
  const start = withoutMark(Buffer.concat(first))
  async function* all(): AsyncGenerator<Uint8Array> {
    yield start
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { start, all: all() }
}

async function uncompressed(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { start, all } = await peek(chunks)
  if (!isGzip(start)) return all
  // The caller that iterates gets the error of a damaged file.
  return sayDamage(pipeline(all, createGunzip({ chunkSize: 1 << 18 }), () => undefined))
}

async function* sayDamage(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    if (!code.startsWith('Z_')) throw error
    throw new SpoolError(
      'bad_parameter',
      `The compressed mailbox is damaged or was cut off (${message}). What was read before that is stored; import a whole copy, and only the rest is added.`,
    )
  }
}
