/** Which elements a mail may keep, and how they nest. Every list here is an allowlist: what is not named goes. */

const words = (list: string) => new Set(list.split(' '))

const kept = words(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
    'details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd ' +
    'li main mark nav nobr ol p pre q rp rt ruby s samp section small span strike strong sub summary sup ' +
    'table tbody td tfoot th thead time tr tt u ul var wbr',
)

/** Written as a harmless element that looks the same, so that lines still break where they did. */
const replaced = new Map([
  ['image', 'img'],
  ['form', 'div'],
  ['fieldset', 'div'],
  ['legend', 'div'],
  ['marquee', 'div'],
  ['search', 'div'],
  ['dir', 'ul'],
  ['menu', 'ul'],
  ['acronym', 'abbr'],
  ['listing', 'pre'],
  ['xmp', 'pre'],
  ['plaintext', 'pre'],
])

/** The name under which an element is written, or null when only its content stays. */
export function writtenName(tagName: string): string | null {
  return kept.has(tagName) ? tagName : (replaced.get(tagName) ?? null)
}

/** Browsers do not show what these hold, so it goes with them. */
export const unseen = words('select datalist template video audio canvas')

/** Their content is no part of the page, or a page of its own. */
export const withheld = words('script style iframe noembed noframes title textarea')

export const voidElements = words('br col hr img wbr')

/** A browser reopens these after a block that cut them off, up to a limit of ours. */
export const formatting = words('a b big code em font i nobr s small strike strong tt u')

const tableParts = words('caption col colgroup tbody td tfoot th thead tr')
const cells = words('caption table td th')
const tableOnly = words('table')
const lists = words('blockquote caption center details dl figure ol section table td th ul')
const headings = words('h1 h2 h3 h4 h5 h6')
const closesParagraph = words(
  'address article aside blockquote center details div dl figcaption figure footer h1 h2 h3 h4 h5 h6 header ' +
    'hgroup hr li dd dt main nav ol p pre section summary table ul',
)

export const isTablePart = (name: string) => tableParts.has(name)
export const isHeading = (name: string) => headings.has(name)

/** The search for an open element stops at these. */
export function barrierOf(name: string): ReadonlySet<string> {
  if (name === 'table') return noBarrier
  return tableParts.has(name) ? tableOnly : cells
}
const noBarrier: ReadonlySet<string> = new Set()

export interface ImpliedEnd {
  names: readonly string[]
  barrier: ReadonlySet<string>
}

const sections = ['tbody', 'thead', 'tfoot', 'caption', 'colgroup']
const impliedEnds = new Map<string, ImpliedEnd>([
  ['li', { names: ['li'], barrier: lists }],
  ['dt', { names: ['dt', 'dd'], barrier: lists }],
  ['dd', { names: ['dt', 'dd'], barrier: lists }],
  ['td', { names: ['td', 'th', 'caption', 'colgroup'], barrier: tableOnly }],
  ['th', { names: ['td', 'th', 'caption', 'colgroup'], barrier: tableOnly }],
  ['tr', { names: ['tr', 'td', 'th', 'caption', 'colgroup'], barrier: tableOnly }],
  ...sections.map((name): [string, ImpliedEnd] => [
    name,
    { names: [...sections, 'tr', 'td', 'th'], barrier: tableOnly },
  ]),
  ['col', { names: ['caption'], barrier: tableOnly }],
  ['a', { names: ['a'], barrier: cells }],
  ['nobr', { names: ['nobr'], barrier: cells }],
])

/** Which open elements a start tag closes, outermost match first, as in a browser. */
export function impliedEndsOf(name: string): ImpliedEnd[] {
  const ends: ImpliedEnd[] = closesParagraph.has(name) ? [openParagraph] : []
  const own = impliedEnds.get(name)
  if (own) ends.push(own)
  return ends
}
const openParagraph: ImpliedEnd = { names: ['p'], barrier: cells }
