import type { Concise } from './concise.ts'

/** The structured content in fewer words: a line of Spool's own fields, then the fenced letter; each row likewise. */
export function writeCompactText(
  { fence, ...head }: { fence: string } & Record<string, unknown>,
  rows: readonly Concise[],
  /** The cursor of the next page; omitted for results without pages. */
  cursor?: string | null,
): string {
  const first = `fence=${fence}${writeFields(head)}`
  const letter = typeof head['letter'] === 'string' ? `\n${head['letter']}` : ''
  const last = cursor === undefined ? [] : [writeEnd(cursor)]
  return [first + letter, ...rows.map(writeRow), ...last].join('\n\n')
}

export function writeEnd(cursor: string | null): string {
  return cursor === null ? 'No more.' : `More: call again with cursor=${cursor}`
}

function writeRow(row: Concise): string {
  const line = writeFields(row).trimStart()
  return row.letter === undefined ? line : `${line}\n${row.letter}`
}

/** Puts a space before each field; ids and types are written without a name. */
export function writeFields(fields: Record<string, unknown>): string {
  let line = ''
  for (const name in fields) {
    const value = fields[name]
    if (name === 'letter') continue
    if (name === 'id' || name === 'type') line += ` ${String(value)}`
    else line += value === true ? ` ${name}` : ` ${name}=${writeValue(value)}`
  }
  return line
}

/** Text escaped as in a JSON string, without the quotes. */
export function quoteWithin(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Quotes values such as names with spaces, so that nothing can look like another field. */
function writeValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return /^[\w@.,:+-]+$/.test(text) ? text : JSON.stringify(text)
}
