/** Builds plain text: lines, quotes, lists, cells. */

interface Level {
  prefix: string
  marker: string
}

/** Deeper quotes and lists are not indented further. */
const deepest = 12

/** On both sides of a seam: what reads as one word, and as one number. */
const word = /[\p{L}\p{N}]\n[\p{L}\p{N}]/u
const number = /\p{N}\n\p{N}/u

export class Lines {
  readonly #lines: string[] = []
  #line = ''
  /** Whether anything was written into the current line. */
  #begun = false
  /** Whether the line ends in white space; checking a long line each time would be slow. */
  #endsInSpace = false
  #breaks = 0
  #space = false
  /** Whether a letter that follows a letter gets a space before it. */
  #apart = false
  /** How many cells end before the next text. */
  #tabs = 0
  /** Differs between words on the line, raised words and lowered ones. */
  height = 0
  /** That of the last words. */
  #height = 0
  readonly #levels: Level[] = []
  /** The line each open cell began on; null before its first text. */
  readonly #cells: { line: number | null }[] = []

  finish(): string {
    if (this.#begun) this.#lines.push(this.#line.trimEnd())
    return this.#lines.join('\n')
  }

  openLevel(prefix: string, marker: string): void {
    this.#levels.push({ prefix, marker })
  }

  closeLevel(): void {
    this.#levels.pop()
  }

  openCell(): void {
    this.#cells.push({ line: null })
  }

  /** After a cell of a single line, the row continues on that line. Returns whether the cell has text. */
  closeCell(): boolean {
    const start = this.#cells.pop()
    this.#space = false
    if (!start || start.line === null) return false
    if (this.#lines.length === start.line) {
      this.#breaks = 0
      this.#tabs = 1
    } else this.endBlock(1)
    return true
  }

  skipCell(): void {
    this.#tabs += 1
  }

  closeRow(): void {
    this.#tabs = 0
    this.endBlock(1)
  }

  endLine(): void {
    // A cell that is empty but for a break.
    if (this.#tabs > 0 && this.#cells.at(-1)?.line === null) return
    this.#tabs = 0
    this.#space = false
    this.#breaks = Math.min(3, this.#breaks + 1)
  }

  endBlock(lines: number): void {
    this.#space = false
    if (this.#tabs > 0) return
    // The margin of a cell's first block is inside the cell.
    const atCellStart = this.#cells.length > 0 && this.#cells.at(-1)?.line === null
    this.#breaks = Math.max(this.#breaks, atCellStart ? 1 : lines)
  }

  space(): void {
    if (this.#begun && this.#breaks === 0) this.#space = true
  }

  /** Letters before and after this are apart, though no white space is between them. */
  part(): void {
    this.#apart = true
  }

  /** This and `writeCollapsed` return the line that the text is on; -1 for none. */
  writeKept(text: string): number {
    return text === '' ? -1 : this.#put(text.replaceAll('\u00A0', ' '))
  }

  /** `text` contains no white space except single spaces. */
  writeCollapsed(text: string): number {
    if (text === ' ') {
      this.space()
      return -1
    }
    const leads = text.startsWith(' ')
    const trails = text.endsWith(' ')
    const body = text.slice(leads ? 1 : 0, trails ? -1 : undefined)
    if (leads) this.space()
    const line = body === '' ? -1 : this.#put(body.replaceAll('\u00A0', ' '))
    if (trails) this.#space = true
    return line
  }

  #put(text: string): number {
    if (!this.#begun && text.trim() === '') return -1
    if (this.#breaks > 0 && this.#begun) this.#breakLines()
    if (!this.#begun) {
      this.#begun = true
      this.#line = this.#startOfLine()
      this.#space = false
    } else if (this.#tabs > 0) this.#line += '\t'.repeat(this.#tabs)
    else if (this.#space ? !this.#endsInSpace : this.#isApart(text)) this.#line += ' '
    this.#tabs = 0
    this.#space = this.#apart = false
    this.#breaks = 0
    this.#height = this.height
    this.#line += text
    this.#endsInSpace = /\s$/.test(text)
    for (let at = this.#cells.length - 1; at >= 0; at -= 1) {
      const cell = this.#cells[at]
      if (!cell || cell.line !== null) break
      cell.line = this.#lines.length
    }
    return this.#lines.length
  }

  #isApart(text: string): boolean {
    const seam = `${this.#line.slice(-2)}\n${text.slice(0, 2)}`
    return (this.#apart && word.test(seam)) || (this.#height !== this.height && number.test(seam))
  }

  #breakLines(): void {
    this.#lines.push(this.#line.trimEnd())
    const next = this.#startOfLine()
    const quotes = (line: string) => /^(?:> ?)*/.exec(line)?.[0].trimEnd() ?? ''
    const before = quotes(this.#line)
    const after = quotes(next)
    for (let count = 1; count < this.#breaks; count += 1)
      this.#lines.push(before.length < after.length ? before : after)
    this.#line = next
    this.#space = false
  }

  #startOfLine(): string {
    let start = ''
    for (const level of this.#levels.slice(0, deepest)) {
      start += level.marker === '' ? level.prefix : level.marker
      level.marker = ''
    }
    return start
  }
}
