/** The files in a ZIP archive, as its directory lists them. */

import { inflateRawSync } from 'node:zlib'

const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

interface Entry {
  method: number
  packed: number
  size: number
  at: number
}

export class Archive {
  readonly #bytes: Buffer
  readonly #entries = new Map<string, Entry>()
  /** The sum of the unpacked sizes as the directory states them; more is never unpacked. */
  readonly unpacked: number = 0

  /** Throws if the directory is damaged, or names a file twice: programs differ in which of the two they open. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
    if (end === -1) throw new Error('no directory')
    let at = bytes.readUInt32LE(end + 16)
    for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
      if (bytes.readUInt32LE(at) !== directoryEntry) throw new Error('no entry')
      const length = bytes.readUInt16LE(at + 28)
      const name = bytes.toString('utf8', at + 46, at + 46 + length).toLowerCase()
      if (this.#entries.has(name)) throw new Error('a name twice')
      const size = bytes.readUInt32LE(at + 24)
      this.unpacked += size
      this.#entries.set(name, {
        method: bytes.readUInt16LE(at + 10),
        packed: bytes.readUInt32LE(at + 20),
        size,
        at: bytes.readUInt32LE(at + 42),
      })
      at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
  }

  /** Null if there is no such file; throws if it is damaged or larger than stated. */
  read(name: string): string | null {
    const entry = this.#entries.get(name.toLowerCase())
    if (!entry) return null
    const { at, method, packed, size } = entry
    if (this.#bytes.readUInt32LE(at) !== localEntry) throw new Error('no file')
    const start = at + 30 + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28)
    const content = this.#bytes.subarray(start, start + packed)
    if (method === 0) return decode(content)
    if (method !== 8) throw new Error('unknown method')
    return decode(inflateRawSync(content, { maxOutputLength: Math.max(1, size) }))
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}
