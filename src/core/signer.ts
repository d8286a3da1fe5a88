import { hash } from 'node:crypto'

const block = 64
const longest = 4096

/**
 * HMAC-SHA256 (RFC 2104) by two one-shot hashes over bytes that are there already. Node's own makes several objects for
 * each signature, which costs five times as much, and a page of a list is signed twice.
 */
export class Signer {
  readonly #inner = Buffer.alloc(block + longest, 0x36)
  readonly #outer = Buffer.alloc(block + 32, 0x5c)

  constructor(key: Uint8Array) {
    if (key.length > block) throw new Error(`A key has at most ${block} bytes.`)
    for (const [index, byte] of key.entries()) {
      this.#inner[index]! ^= byte
      this.#outer[index]! ^= byte
    }
  }

  /** In base64url. A text is at most 1365 characters long, or its hash is signed. */
  sign(text: string): string {
    if (text.length * 3 > longest) return this.sign(hash('sha256', text, 'hex'))
    const length = this.#inner.write(text, block, 'utf8')
    this.#outer.write(hash('sha256', this.#inner.subarray(0, block + length), 'hex'), block, 'hex')
    return hash('sha256', this.#outer, 'base64url')
  }
}
