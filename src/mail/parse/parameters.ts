import { closing } from './addresses.ts'
import { decodeText } from './charset.ts'
import { decodeWords } from './encoded-words.ts'
import { decodeField } from './header.ts'

/** A value such as `text/plain; charset=utf-8`; value and parameter names are in lower case. */
export interface ParameterValue {
  value: string
  parameters: Map<string, string>
}

const mostParameters = 200

/** Splits a structured field at its semicolons, except those in quotes. */
function splitAtSemicolons(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  let quoted = false
  for (let i = 0; i < text.length && pieces.length < mostParameters; i++) {
    const c = text[i]
    if (c === '\\' && quoted) i++
    else if (c === '"') quoted = !quoted
    else if (c === ';' && !quoted) {
      pieces.push(text.slice(start, i))
      start = i + 1
    }
  }
  // An unclosed quote would swallow what follows it, including the boundary.
  if (quoted && text.indexOf(';', start) !== -1) pieces.push(...text.slice(start).split(';', mostParameters))
  else pieces.push(text.slice(start))
  return pieces
}

export function readParameters(field: string): ParameterValue {
  const [first = '', ...rest] = splitAtSemicolons(field).flatMap(splitAtBlank)
  const written = new Map<string, string>()
  for (const piece of rest) {
    const equals = piece.indexOf('=')
    if (equals === -1) continue
    const name = withoutComments(piece.slice(0, equals)).trim().toLowerCase()
    if (name !== '' && !written.has(name)) written.set(name, unquote(piece.slice(equals + 1).trim()))
  }
  return {
    value: withoutComments(first).replace(/["\s]/g, '').toLowerCase(),
    parameters: joinSections(written),
  }
}

/** Some programs omit the semicolon before a boundary, on which everything depends. */
function splitAtBlank(piece: string): string[] {
  const forgotten = /^([^"]*\S)\s+(boundary\s*=[^]*)$/i.exec(piece)
  return forgotten ? [forgotten[1]!, forgotten[2]!] : [piece]
}

const withoutComments = (text: string) => text.replace(/\([^()]*\)/g, '')

function unquote(value: string): string {
  if (!value.startsWith('"')) return value.endsWith(')') ? value.split(' (', 1)[0]!.trimEnd() : value
  return value.slice(1, closing(value, 0, '"')).replace(/\\([^])/g, '$1')
}

interface Section {
  number: number
  value: string
  encoded: boolean
}

/** RFC 2231: `name*0*=utf-8''…; name*1=…` is one value, and wins over a plain `name`. */
function joinSections(written: Map<string, string>): Map<string, string> {
  const values = new Map<string, string>()
  const sections = new Map<string, Section[]>()
  for (const [name, value] of written) {
    const match = /^([^*]+)\*(?:(\d{1,4})(\*?))?$/.exec(name)
    if (match === null) {
      if (!values.has(name)) values.set(name, value)
      continue
    }
    const list = sections.get(match[1]!) ?? []
    list.push({ number: Number(match[2] ?? 0), value, encoded: match[2] === undefined || match[3] === '*' })
    sections.set(match[1]!, list)
  }
  for (const [name, list] of sections)
    values.set(name, decodeSections(list.sort((a, b) => a.number - b.number)))
  return values
}

function decodeSections(sections: Section[]): string {
  let charset = ''
  let bytes = ''
  for (const [index, { value, encoded }] of sections.entries()) {
    let text = value
    const announced = index === 0 && encoded ? /^([^']*)'[^']*'/.exec(value) : null
    if (announced !== null) {
      charset = announced[1]!
      text = value.slice(announced[0].length)
    }
    bytes += encoded
      ? text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      : text
  }
  return decodeText(Buffer.from(bytes, 'latin1'), charset)
}

/** A parameter for display, such as a file name: encoded words are forbidden there but found everywhere. */
export function parameterText({ parameters }: ParameterValue, name: string, charset = ''): string {
  const value = parameters.get(name) ?? ''
  return decodeWords(/[^\0-\xff]/.test(value) ? value : decodeField(value, charset))
}
