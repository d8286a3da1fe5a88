import type { Token } from 'parse5'
import { cleanImageSource, cleanLink } from './addresses.ts'
import { cleanStyle } from './declarations.ts'
import { escapeAttribute } from './escape.ts'
import { namePrefix } from './selectors.ts'

type Check = (value: string) => string | null

const longestValue = 1000
const accept = (pattern: RegExp): Check => {
  return (value) => (value.length <= longestValue && pattern.test(value.trim()) ? value.trim() : null)
}

const word = accept(/^[a-z0-9-]{1,35}$/i)
const length = accept(/^\d{1,5}(?:\.\d{1,3})?(?:%|px|pt|em)?$|^\*$/i)
const count = accept(/^\d{1,3}$/)
const size = accept(/^[+-]?\d{1,3}$/)
const colour = accept(/^#?[a-z0-9]{1,32}$|^rgb\([\d ,%]{1,30}\)$/i)
const flag: Check = () => ''
const text: Check = (value) => value.slice(0, longestValue)
const names: Check = (value) => {
  const kept = value.slice(0, longestValue).split(/[\t\n\f\r ]+/)
  return (
    kept
      .filter((name) => /^[\w-]{1,100}$/.test(name))
      .slice(0, 20)
      .map((name) => namePrefix + name)
      .join(' ') || null
  )
}

const everywhere: Record<string, Check> = {
  align: word,
  class: names,
  dir: word,
  hidden: flag,
  id: (value) => (/\s/.test(value.trim()) ? null : names(value)),
  lang: word,
  title: text,
  valign: word,
}

const cell = { abbr: text, bgcolor: colour, bordercolor: colour, colspan: count, height: length }
const cellOf = { ...cell, nowrap: flag, rowspan: count, scope: word, width: length }

const perElement: Record<string, Record<string, Check>> = {
  blockquote: { type: accept(/^cite$/i) },
  br: { clear: word },
  col: { bgcolor: colour, span: count, width: length },
  colgroup: { bgcolor: colour, span: count, width: length },
  details: { open: flag },
  font: { color: colour, face: text, size },
  hr: { color: colour, noshade: flag, size: length, width: length },
  img: { alt: text, border: length, height: length, hspace: length, vspace: length, width: length },
  li: { type: word, value: size },
  ol: { reversed: flag, start: size, type: word },
  table: {
    bgcolor: colour,
    border: length,
    bordercolor: colour,
    cellpadding: length,
    cellspacing: length,
    frame: word,
    height: length,
    role: accept(/^(?:presentation|none)$/i),
    rules: word,
    width: length,
  },
  tbody: { bgcolor: colour },
  td: cellOf,
  tfoot: { bgcolor: colour },
  th: cellOf,
  thead: { bgcolor: colour },
  time: { datetime: text },
  tr: { bgcolor: colour, bordercolor: colour, height: length },
  ul: { type: word },
}

export type InlineImage = (contentId: string) => string | null

/** The attributes an element keeps, ready to be written, each with a leading blank; null drops the element. */
export function cleanAttributes(
  name: string,
  attributes: readonly Token.Attribute[],
  inlineImage: InlineImage,
): string | null {
  let written = ''
  for (const { name: key, value, prefix } of attributes) {
    // `xlink:href` of a drawing is not `href`.
    if (prefix) continue
    const check = own(perElement, name)?.[key] ?? own(everywhere, key)
    const kept = key === 'style' ? cleanStyle(value) || null : (check?.(value) ?? null)
    if (kept !== null) written += writeAttribute(key, kept)
  }
  if (name === 'a') return written + linkAttributes(attributes)
  if (name === 'img') {
    const source = imageAttributes(attributes, inlineImage)
    return source === null ? null : written + source
  }
  return written
}

export interface BodyLooks {
  classes: string
  rest: string
}

/** `<body>` itself is not written; what it looked like goes to the wrapper. */
export function bodyAttributes(attributes: readonly Token.Attribute[]): BodyLooks {
  const value = (key: string) => attributes.find((attribute) => attribute.name === key)?.value
  const background = colour(value('bgcolor') ?? '')
  const ink = colour(value('text') ?? '')
  const style = [
    background && cleanStyle(`background-color:${background}`),
    ink && cleanStyle(`color:${ink}`),
    cleanStyle(value('style') ?? ''),
  ]
  const dir = word(value('dir') ?? '')
  const id = everywhere['id']!(value('id') ?? '')
  const looks = style.filter(Boolean).join(';')
  return {
    classes: names(value('class') ?? '') ?? '',
    rest:
      (id === null ? '' : writeAttribute('id', id)) +
      (dir === null ? '' : writeAttribute('dir', dir)) +
      (looks ? writeAttribute('style', looks) : ''),
  }
}

function linkAttributes(attributes: readonly Token.Attribute[]): string {
  const href = cleanLink(valueOf(attributes, 'href'))
  if (href === null) return ''
  return `${writeAttribute('href', href)} target="_blank" rel="noopener noreferrer nofollow"`
}

/** A picture that may not be shown keeps its place and alternative text; one that only counts readers goes. */
function imageAttributes(attributes: readonly Token.Attribute[], inlineImage: InlineImage): string | null {
  const source = cleanImageSource(valueOf(attributes, 'src'), inlineImage)
  if (source.kind === 'shown') return writeAttribute('src', source.src)
  if (source.kind === 'missing') return valueOf(attributes, 'alt').trim() ? '' : null
  const isDot = (key: string) => /^\s*0*[01](?:px)?\s*$/.test(valueOf(attributes, key).slice(0, 20))
  if (isDot('width') && isDot('height')) return null
  return writeAttribute('data-remote-src', source.address)
}

function valueOf(attributes: readonly Token.Attribute[], key: string): string {
  return attributes.find((attribute) => attribute.name === key && !attribute.prefix)?.value ?? ''
}

function writeAttribute(key: string, value: string): string {
  return value === '' ? ` ${key}=""` : ` ${key}="${escapeAttribute(value)}"`
}

function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
