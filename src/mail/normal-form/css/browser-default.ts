/** Browser defaults before any author style: display by tag, sizes and margins, link colours, legacy attributes. */

import { attribute, isHtml, type Element } from '../../html-document.ts'
import { readLegacy, writeColor } from './color.ts'

const displays = new Map<string, string>()
function display(value: string, tags: string): void {
  for (const tag of tags.split(' ')) displays.set(tag, value)
}
display(
  'block',
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu nav ol optgroup option p ' +
    'plaintext pre search section summary ul xmp textarea',
)
display('list-item', 'li')
display('table', 'table')
display('table-row-group', 'tbody thead tfoot')
display('table-row', 'tr')
display('table-cell', 'td th')
display('table-caption', 'caption')
display('inline-block', 'button select marquee')
/** Elements that no browser paints, or that the normal form cannot represent. */
display(
  'none',
  'head title script style template noembed noframes datalist area base basefont link meta param rp source track ' +
    'col colgroup input iframe frame video audio canvas meter progress embed',
)

const unpainted =
  /^(?:defs|desc|title|metadata|symbol|clippath|mask|pattern|marker|lineargradient|radialgradient|filter|script|style|annotation|annotation-xml)$/i

export function defaultDisplay(element: Element): string {
  const { tagName } = element
  if (!isHtml(element)) return unpainted.test(tagName) ? 'none' : 'inline'
  if (element.attrs.length > 0) {
    if (attribute(element, 'hidden') !== null || attribute(element, 'popover') !== null) return 'none'
  }
  if (tagName === 'dialog' && attribute(element, 'open') === null) return 'none'
  return displays.get(tagName) ?? 'inline'
}

type Hints = [name: string, value: string][]

const byTag: Record<string, Hints | undefined> = Object.create(null) as Record<string, Hints | undefined>
function hint(tags: string, ...hints: Hints): void {
  for (const tag of tags.split(' ')) byTag[tag] = [...(byTag[tag] ?? []), ...hints]
}
const apart = (margin: string): Hints => [
  ['margin-top', margin],
  ['margin-bottom', margin],
]
hint('p ul ol dl dir menu', ...apart('1em'))
hint('blockquote figure', ...apart('1em'), ['margin-left', '40px'], ['margin-right', '40px'])
hint('pre listing xmp plaintext', ...apart('1em'), ['white-space', 'pre'], ['font-family', 'monospace'])
hint('textarea', ['white-space', 'pre-wrap'], ['font-family', 'monospace'])
hint('ul ol dir menu', ['padding-left', '40px'])
hint('dd', ['margin-left', '40px'])
hint('h1', ['font-size', '2em'], ...apart('.67em'))
hint('h2', ['font-size', '1.5em'], ...apart('.83em'))
hint('h3', ['font-size', '1.17em'], ...apart('1em'))
hint('h4', ...apart('1.33em'))
hint('h5', ['font-size', '.83em'], ...apart('1.67em'))
hint('h6', ['font-size', '.67em'], ...apart('2.33em'))
hint('h1 h2 h3 h4 h5 h6 b strong th', ['font-weight', 'bold'])
hint('i em cite dfn var address', ['font-style', 'italic'])
hint('code kbd samp tt', ['font-family', 'monospace'])
hint('u ins', ['text-decoration-line', 'underline'])
hint('s del strike', ['text-decoration-line', 'line-through'])
hint('small sub sup', ['font-size', 'smaller'])
hint('sub', ['vertical-align', 'sub'])
hint('sup', ['vertical-align', 'super'])
hint('big', ['font-size', 'larger'])
hint('rt', ['font-size', '70%'])
hint('center', ['text-align', '-webkit-center'])
hint('th caption', ['text-align', 'center'])
hint('table', ['text-indent', '0'])
hint('td th', ['vertical-align', 'middle'])
hint('ol', ['list-style-type', 'decimal'])
hint('mark', ['background-color', 'mark'], ['color', 'marktext'])
hint('dialog', ['background-color', 'canvas'], ['color', 'canvastext'])
hint(
  'button select textarea',
  ['font-size', '13.333px'],
  ['color', 'buttontext'],
  ['background-color', 'buttonface'],
  ['padding-left', '6px'],
  ['padding-right', '6px'],
  ['text-transform', 'none'],
)
/** Without a doctype, a table does not inherit font and text properties. */
const quirkyTable: Hints = [
  ['text-indent', '0'],
  ['font-size', 'medium'],
  ['font-weight', 'normal'],
  ['font-style', 'normal'],
  ['line-height', 'normal'],
  ['white-space', 'normal'],
  ['text-align', 'start'],
]

const fontSizes = ['x-small', 'x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large']

/** Link colours set on `<body>`. */
export interface LinkColors {
  link: string
}

/** Declarations of the browser and of legacy attributes, which any author style overrides; null if there are none. */
export function hintsFor(element: Element, quirkyTables: boolean, links: LinkColors): Hints | null {
  const { tagName, attrs } = element
  if (!isHtml(element)) return null
  let hints: Hints | null = byTag[tagName] ?? null
  if (quirkyTables && tagName === 'table') hints = quirkyTable
  if (hints && isList.test(tagName) && isInList(element))
    hints = hints.filter(([name]) => !name.startsWith('margin'))
  if (attrs.length === 0) return hints
  const more: Hints = []
  for (const { name, value } of attrs) addHint(more, tagName, name, value, links)
  if (more.length === 0) return hints
  return hints ? [...hints, ...more] : more
}

const isList = /^(?:ul|ol|dl|dir|menu)$/

/** Nested lists have no margins. */
const isInList = ({ parentNode }: Element) =>
  parentNode !== null && /^(?:li|ul|ol|dir|menu)$/.test(parentNode.nodeName)

const colored = /^(?:body|table|tr|td|th|thead|tbody|tfoot|marquee)$/
const sized = /^(?:table|td|th|img|hr)$/

function addHint(hints: Hints, tagName: string, name: string, value: string, links: LinkColors): void {
  const word = () => value.trim().toLowerCase()
  if (name === 'bgcolor' && colored.test(tagName)) addColor(hints, 'background-color', value)
  else if (name === 'background' && colored.test(tagName) && word() !== '')
    hints.push(['background-image', 'url()'])
  else if ((name === 'text' && tagName === 'body') || (name === 'color' && tagName === 'font'))
    addColor(hints, 'color', value)
  else if (name === 'link' && tagName === 'body') links.link = cssColor(value) ?? links.link
  else if (name === 'href' && tagName === 'a')
    hints.push(['color', links.link], ['text-decoration-line', 'underline'])
  else if (name === 'size' && tagName === 'font') addFontSize(hints, value)
  else if (name === 'face' && tagName === 'font') hints.push(['font-family', word()])
  else if ((name === 'width' || name === 'height') && sized.test(tagName)) {
    const size = /^\s*(\d+(?:\.\d+)?)(%?)/.exec(value)
    if (size && Number(size[1]) > 0) hints.push([name, size[1] + (size[2] || 'px')])
  } else if (name === 'wrap' && tagName === 'pre') hints.push(['white-space', 'pre-wrap'])
  else if (name === 'align') addAlign(hints, tagName, word())
  else if (name === 'valign' && /^(?:top|middle|bottom)$/.test(word())) hints.push(['vertical-align', word()])
  else if (name === 'dir' && /^(?:rtl|ltr)$/.test(word())) hints.push(['direction', word()])
  else if (name === 'type' && /^(?:ul|ol|li)$/.test(tagName)) hints.push(['list-style-type', word()])
  else if (name === 'border' && tagName === 'table' && Number.parseInt(value, 10) !== 0)
    hints.push(['border-spacing', '2px'])
}

/** On a table, `align` places the table itself; elsewhere it places the content, including tables. */
function addAlign(hints: Hints, tagName: string, value: string): void {
  if (!/^(?:left|right|center|middle|justify)$/.test(value)) return
  const side = value === 'middle' ? 'center' : value
  if (tagName === 'img') return
  if (tagName !== 'table') hints.push(['text-align', side === 'justify' ? side : `-webkit-${side}`])
  else if (side === 'center') hints.push(['margin-left', 'auto'], ['margin-right', 'auto'])
  else if (side !== 'justify') hints.push(['float', side])
}

function cssColor(value: string): string | null {
  const color = readLegacy(value)
  return color && writeColor(color)
}

function addColor(hints: Hints, name: string, value: string): void {
  const color = cssColor(value)
  if (color) hints.push([name, color])
}

function addFontSize(hints: Hints, value: string): void {
  const match = /^\s*([+-]?)(\d+)/.exec(value)
  if (!match) return
  const number = Number(match[2])
  const size = match[1] === '+' ? 3 + number : match[1] === '-' ? 3 - number : number
  hints.push(['font-size', fontSizes[Math.min(7, Math.max(1, size))] ?? 'medium'])
}
