import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SpoolError } from '../model/errors.ts'
import { readEmlFile, readEmlFolder, sizeOfEmlFolder } from './mailbox/eml-folder.ts'
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
  if (path === '-') return openStream(input, null, format, maxSize)
  const status = await stat(path)
  if (!status.isDirectory()) return openFile(path, status.size, format, maxSize)
  if (format === 'maildir' || (format === undefined && (await isMaildir(path)))) {
    return counted(readMaildir(path, maxSize), await sizeOfMaildir(path))
  }
  if (format !== undefined && format !== 'eml') throw new Error(`${path} is a folder, not a mailbox file.`)
  const size = await sizeOfEmlFolder(path)
  if (size === null) throw new SpoolError('bad_parameter', noMailIn(path))
  return counted(readEmlFolder(path, maxSize), size)
}

async function openFile(
  path: string,
  size: number,
  format: MailboxFormat | undefined,
  maxSize: number,
): Promise<Mailbox> {
  if (format === 'maildir') throw new Error(`${path} is a file, not a maildir folder.`)
  const start = await readStart(path)
  if (
    isGzip(start) ||
    format === 'mboxrd' ||
    format === 'mboxo' ||
    format === 'mboxcl' ||
    isMboxStart(start)
  ) {
    return openStream(createReadStream(path, { highWaterMark: 1 << 18 }), size, format, maxSize)
  }
  if (isEmpty(start)) return counted(readNothing(), size)
  if (format === undefined && !isHeaderStart(start)) throw new Error(notMail(path))
  return counted(readOne(path, maxSize), size)
}

async function* readOne(path: string, maxSize: number): AsyncGenerator<MailItem | TooLarge> {
  yield await readEmlFile(path, maxSize)
}

/** A mailbox without messages is an empty file. */
async function* readNothing(): AsyncGenerator<MailItem> {}

const isEmpty = (start: Uint8Array) => start.length === 0

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return withoutMark(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

const isGzip = (start: Uint8Array) => start[0] === 0x1f && start[1] === 0x8b

/** A message starts with the name of a header field. */
const isHeaderStart = (start: Uint8Array) =>
  /^\s*[!-9;-~]+[ \t]*:/.test(Buffer.from(start).toString('latin1'))

const notMail = (what: string) =>
  `${what} does not look like mail: neither an mbox nor a message. --format eml takes it all the same.`
const noMailIn = (folder: string) =>
  `${folder} is not a Maildir and contains no .eml files. To import an mbox, name the file itself, not its folder.`

const isMboxStart = (start: Uint8Array) => /^\s*From /.test(Buffer.from(start).toString('latin1'))

/** A mailbox that stores each message as a file. */
function counted(items: AsyncGenerator<MailItem | TooLarge | LeftOut>, bytesTotal: number): Mailbox {
  let bytesRead = 0
  return {
    get bytesRead() {
      return bytesRead
    },
    bytesTotal,
    async *[Symbol.asyncIterator]() {
      for await (const item of items) {
        bytesRead += 'raw' in item ? item.raw.byteLength : item.size
        yield item
      }
    },
  }
}

/** An mbox or a single message read from a stream, possibly compressed. */
function openStream(
  source: Readable,
  bytesTotal: number | null,
  format: MailboxFormat | undefined,
  maxSize: number,
): Mailbox {
  let bytesRead = 0
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  return {
    get bytesRead() {
      return bytesRead
    },
    bytesTotal,
    async *[Symbol.asyncIterator]() {
      yield* readStream(await uncompressed(count(source)), format, maxSize)
    },
  }
}

async function* readStream(
  chunks: AsyncIterable<Uint8Array>,
  format: MailboxFormat | undefined,
  maxSize: number,
): AsyncGenerator<MailItem | TooLarge> {
  const { start, all } = await peek(chunks)
  const mboxFormat: MboxFormat =
    format === 'mboxrd' || format === 'mboxo' || format === 'mboxcl' ? format : 'auto'
  if (isEmpty(start)) return
  if (format === 'eml' || (mboxFormat === 'auto' && !isMboxStart(start))) {
    if (format === undefined && !isHeaderStart(start)) throw new Error(notMail('This'))
    yield await readWhole(all, maxSize)
    return
  }
  for await (const item of readMbox(all, mboxFormat, maxSize)) {
    const name = `offset ${item.offset}`
    if (item.tooLarge === true) yield { tooLarge: true, name, size: item.size }
    else yield { raw: item.raw, seen: false, receivedAt: item.fromLineDate, name }
  }
}

async function readWhole(chunks: AsyncIterable<Uint8Array>, maxSize: number): Promise<MailItem | TooLarge> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size <= maxSize) parts.push(chunk)
  }
  if (size > maxSize) return { tooLarge: true, name: 'message', size }
  return { raw: Buffer.concat(parts), seen: false, receivedAt: null, name: 'message' }
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
