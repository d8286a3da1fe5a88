/** Text that is already markup; anything else is escaped when it enters a template. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Piece = Markup | string | number | null | readonly Piece[]

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(strings.map((text, index) => text + write(pieces[index] ?? null)).join(''))
}

function write(piece: Piece): string {
  if (piece === null) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map(write).join('')
  return escape(String(piece))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char]!)
}

/** The bit of Markdown that descriptions use: paragraphs, and code in backticks. */
export function prose(text: string): Markup {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

export function inline(text: string): Markup {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
