import type { Concise } from './concise.ts'

/** The same as the structured content in fewer words: a line of Spool's own, then the letter in its fence. */
export function writeCompactText(
  { fence, ...head }: { fence: string } & Record<string, unknown>,
  rows: readonly Concise[],
  /** Of the next page; left out where there are no pages. */
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

/** Each after a blank; ids and types need no name. */
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

/** As it stands in a JSON string. */
export function quoteWithin(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Names of the team may have blanks in them, and nothing may look like another field. */
function writeValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return /^[\w@.,:+-]+$/.test(text) ? text : JSON.stringify(text)
}
