import { randomInt } from 'node:crypto'
import type { MessageWords } from '../../store/threads/message-words.ts'

/**
 * Fingerprints of texts and the place each was last seen in. Stored in an integer table: a `Map` takes five times the
 * memory, and hundreds of thousands are kept.
 */
export class Prints<Place> {
  size = 0
  readonly #places: Place[] = []
  /** Pairs of a print and the number of its place, counted from 1; 0 means free. */
  #table: Int32Array

  /** `expected` prints fit without growing the table. */
  constructor(expected = 15) {
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(4 * expected + 4)))
  }

  add(prints: Int32Array, place: Place): void {
    const number = this.#places.push(place)
    for (const print of prints) this.#put(print, number)
  }

  /** Returns whether any of them was already present. */
  addAll(others: Prints<Place>): boolean {
    const before = this.size + others.size
    const places = this.#places.length
    this.#places.push(...others.#places)
    for (let at = 0; at < others.#table.length; at += 2) {
      const number = others.#table[at + 1]!
      if (number !== 0) this.#put(others.#table[at]!, places + number)
    }
    return this.size < before
  }

  #put(print: number, number: number): void {
    // Keep most of the table free, so that lookups take few steps.
    if (4 * this.size >= this.#table.length) this.#grow()
    if (put(this.#table, print, number)) this.size++
  }

  get(print: number): Place | undefined {
    const number = this.#table[slotOf(this.#table, print) + 1]!
    return number === 0 ? undefined : this.#places[number - 1]
  }

  #grow(): void {
    const table = new Int32Array(2 * this.#table.length)
    for (let at = 0; at < this.#table.length; at += 2)
      if (this.#table[at + 1] !== 0) put(table, this.#table[at]!, this.#table[at + 1]!)
    this.#table = table
  }
}

/** Fingerprints of the texts in a thread, and the message each was last seen in. */
export class ThreadPrints extends Prints<MessageWords> {
  /** Message count of the thread; a different count reveals messages added elsewhere. */
  count = 0
  #letters = 0

  override add(prints: Int32Array, message: MessageWords): void {
    super.add(prints, message)
    this.#letters += message.newText.length
  }

  override addAll(others: ThreadPrints): boolean {
    this.#letters += others.#letters
    return super.addAll(others)
  }

  /** Memory cost in units of one print. Letters count, as few words may be long; so does a thread without prints. */
  get weight(): number {
    return 20 + this.size + Math.ceil(this.#letters / 16)
  }
}

/** Returns whether the print is new in the table. */
function put(table: Int32Array, print: number, number: number): boolean {
  const slot = slotOf(table, print)
  const isNew = table[slot + 1] === 0
  table[slot] = print
  table[slot + 1] = number
  return isNew
}

/** Random per process, so that no sender can craft mail whose prints all fall into one slot. */
const multiplier = randomInt(2 ** 31) * 2 + 1

/** The slot of a print, or the free slot where it belongs. */
function slotOf(table: Int32Array, print: number): number {
  const last = table.length - 1
  let slot = 2 * (Math.imul(print, multiplier) >>> Math.clz32(last >> 1))
  while (table[slot + 1] !== 0 && table[slot] !== print) slot = (slot + 2) & last
  return slot
}
