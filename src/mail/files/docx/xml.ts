/** Reads the XML of an office document. Nothing outside it is ever loaded: a DOCTYPE is an error. */

export interface Element {
  /** Its name with the usual prefix of its namespace, whichever prefix the file uses. */
  name: string
  /** Names as in `name`; values are decoded. */
  attributes: Record<string, string>
  children: (Element | string)[]
}

/** Both the older and the strict namespaces. */
const prefixes: [string, RegExp][] = [
  [
    'w',
    /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/wordprocessingml\/(?:2006\/)?main$/,
  ],
  ['wp', /\/drawingml\/(?:2006\/)?wordprocessingDrawing$/],
  ['a', /\/drawingml\/(?:2006\/)?main$/],
  ['m', /\/officeDocument\/(?:2006\/)?math$/],
  ['mc', /\/markup-compatibility\/2006$/],
  ['w14', /\/office\/word\/2010\/wordml$/],
  ['v', /^urn:schemas-microsoft-com:vml$/],
  // Forms that need one of these are those that Word shows.
  [
    'known',
    /^http:\/\/schemas\.microsoft\.com\/office\/(?:word\/(?:2010\/wordprocessing(?:Shape|Group|Canvas|Ink)|201[2568]\/wordml(?:\/symex|\/cid|\/cex)?)|drawing\/(?:2010\/main|2014\/chartex|2016\/ink|2017\/model3d|2016\/SVG\/main))$/,
  ],
]
/** In place of what a form requires, if that is not known. */
export const unknown = '?'

const deepest = 300
const tokens =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([^\s<>/="'!?]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/y
const pairs = /([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

export function parseXml(source: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [{ element: root, spaces: new Map<string, string>() }]
  tokens.lastIndex = 0
  while (tokens.lastIndex < source.length) {
    const token = tokens.exec(source)
    if (!token) throw new Error('not XML')
    const [, data, closes, name, written, closed, text] = token
    const { element, spaces } = open.at(-1)!
    if (data !== undefined) element.children.push(data)
    else if (text !== undefined) element.children.push(decodeText(text))
    else if (closes) {
      if (open.length === 1) throw new Error('not XML')
      open.pop()
    } else if (name !== undefined) {
      const child = readElement(name, written ?? '', spaces)
      element.children.push(child.element)
      if (!closed) open.push(child)
      if (open.length > deepest) throw new Error('too deep')
    }
  }
  const first = root.children.find((child) => typeof child !== 'string')
  if (!first || open.length > 1) throw new Error('not XML')
  return first
}

function readElement(name: string, written: string, around: Map<string, string>) {
  const given = [...written.matchAll(pairs)].map(
    ([, key = '', one, other]) => [key, decodeText(one ?? other ?? '')] as const,
  )
  let spaces = around
  for (const [key, value] of given)
    if (key === 'xmlns' || key.startsWith('xmlns:')) {
      if (spaces === around) spaces = new Map(around)
      spaces.set(key.slice(6), prefixes.find(([, pattern]) => pattern.test(value))?.[0] ?? unknown)
    }
  const known = (qualified: string, isAttribute: boolean): string => {
    const colon = qualified.indexOf(':')
    if (colon === -1 && isAttribute) return qualified
    const prefix = spaces.get(qualified.slice(0, Math.max(0, colon)))
    return `${prefix ?? unknown}:${qualified.slice(colon + 1)}`
  }
  const attributes: Record<string, string> = {}
  for (const [key, value] of given) attributes[known(key, true)] = value
  const [called, required] = [known(name, false), attributes['Requires']]
  if (called === 'mc:Choice' && required !== undefined) {
    const needs = required.trim().split(/\s+/)
    if (needs.some((prefix) => (spaces.get(prefix) ?? unknown) === unknown)) attributes['Requires'] = unknown
  }
  return { element: { name: called, attributes, children: [] } as Element, spaces }
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeText(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? ''
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The first child of that name. */
export function childOf({ children }: Element, name: string): Element | null {
  for (const child of children) if (typeof child !== 'string' && child.name === name) return child
  return null
}

/** The first element of that name anywhere below. */
export function findIn({ children }: Element, name: string): Element | null {
  for (const child of children) {
    if (typeof child === 'string') continue
    const found = child.name === name ? child : findIn(child, name)
    if (found) return found
  }
  return null
}
