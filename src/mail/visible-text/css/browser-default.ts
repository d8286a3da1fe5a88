/** What browsers do before any author's style: display by tag, sizes of headings, colours of links, old attributes. */

import { attribute, isHtml, parentElement } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { parseLegacyColor } from './color.ts'

const displays = new Map<string, string>()
function display(value: string, tags: string): void {
  for (const tag of tags.split(' ')) displays.set(tag, value)
}
display(
  'block',
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu nav ol optgroup option p ' +
    'plaintext pre search section summary ul xmp',
)
display('list-item', 'li')
display('table', 'table')
display('table-row-group', 'tbody')
display('table-header-group', 'thead')
display('table-footer-group', 'tfoot')
display('table-row', 'tr')
display('table-cell', 'td th')
display('table-caption', 'caption')
display('table-column', 'col')
display('table-column-group', 'colgroup')
display('inline-block', 'button input select textarea meter progress marquee')
display(
  'none',
  'head title script style template noembed noframes datalist area base basefont link meta param rp source track',
)

export function defaultDisplay(element: Element): string {
  const { tagName } = element
  if (!isHtml(element)) {
    return tagName === 'annotation' || tagName === 'annotation-xml' ? 'none' : 'inline'
  }
  if (tagName === 'dialog' && attribute(element, 'open') === null) return 'none'
  if (tagName === 'audio' && attribute(element, 'controls') === null) return 'none'
  if (tagName === 'input' && attribute(element, 'type')?.toLowerCase() === 'hidden') return 'none'
  if (attribute(element, 'hidden') !== null && tagName !== 'embed') return 'none'
  if (attribute(element, 'popover') !== null) return 'none'
  return displays.get(tagName) ?? 'inline'
}

type Hints = [name: string, value: string][]

const byTag: Record<string, Hints | undefined> = {
  h1: [['font-size', '2em']],
  h2: [['font-size', '1.5em']],
  h3: [['font-size', '1.17em']],
  h5: [['font-size', '.83em']],
  h6: [['font-size', '.67em']],
  small: [['font-size', 'smaller']],
  big: [['font-size', 'larger']],
  sub: [['font-size', 'smaller']],
  sup: [['font-size', 'smaller']],
  rt: [['font-size', '50%']],
  nobr: [['white-space', 'nowrap']],
  mark: [
    ['background-color', 'mark'],
    ['color', 'marktext'],
  ],
  dialog: [
    ['background-color', 'canvas'],
    ['color', 'canvastext'],
  ],
}
for (const tag of ['pre', 'listing', 'xmp', 'plaintext']) byTag[tag] = [['white-space', 'pre']]
for (const tag of ['button', 'input', 'select', 'textarea']) {
  byTag[tag] = [
    ['font-size', '13.333px'],
    ['color', 'fieldtext'],
    ['background-color', tag === 'button' ? 'buttonface' : 'field'],
    ['text-indent', '0px'],
    ['letter-spacing', 'normal'],
    ['text-transform', 'none'],
    ['white-space', tag === 'textarea' ? 'pre-wrap' : 'normal'],
    ['text-shadow', 'none'],
  ]
}
/** Without a doctype, a table takes nothing of its surroundings' size of letters. */
const quirkyTable: Hints = [
  ['font-size', 'medium'],
  ['line-height', 'normal'],
  ['white-space', 'normal'],
]

const fontSizes = ['x-small', 'x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large']

/** Colours `<body>` gives to all links. */
export interface LinkColors {
  link: string
}

/** Declarations of the browser and of old attributes, which any author's style overrules; null for none. */
export function hintsFor(element: Element, quirkyTables: boolean, links: LinkColors): Hints | null {
  if (!isHtml(element)) return hintsOfSvg(element)
  const { tagName, attrs } = element
  let hints: Hints | null = byTag[tagName] ?? null
  if (quirkyTables && tagName === 'table') hints = quirkyTable
  if (attrs.length === 0) return hints
  const more: Hints = []
  for (const { name, value } of attrs) addHint(more, tagName, name, value, links)
  if (more.length === 0) return hints
  return hints ? [...hints, ...more] : more
}

function addHint(hints: Hints, tagName: string, name: string, value: string, links: LinkColors): void {
  switch (name) {
    case 'bgcolor':
      if (/^(?:body|table|tr|td|th|thead|tbody|tfoot|col|colgroup|marquee)$/.test(tagName)) {
        addColor(hints, 'background-color', value)
      }
      return
    case 'text':
      if (tagName === 'body') addColor(hints, 'color', value)
      return
    case 'color':
      if (tagName === 'font' || tagName === 'basefont') addColor(hints, 'color', value)
      return
    case 'link':
      if (tagName === 'body') links.link = cssColor(value) ?? links.link
      return
    case 'href':
      if (tagName === 'a') hints.push(['color', links.link])
      return
    case 'size':
      if (tagName === 'font') addFontSize(hints, value)
      return
    case 'width':
    case 'height':
      if (/^(?:table|td|th|img|col|iframe|object|embed|hr|video|canvas|marquee)$/.test(tagName)) {
        const size = /^\s*(\d+(?:\.\d+)?)(%?)/.exec(value)
        if (size) hints.push([name, size[1] + (size[2] || 'px')])
      }
      return
    case 'nowrap':
      if (tagName === 'td' || tagName === 'th') hints.push(['white-space', 'nowrap'])
      return
    case 'wrap':
      if (tagName === 'pre') hints.push(['white-space', 'pre-wrap'])
      return
    case 'dir':
      if (/^(?:rtl|ltr)$/i.test(value)) hints.push(['direction', value.toLowerCase()])
      return
  }
}

function cssColor(value: string): string | null {
  const color = parseLegacyColor(value)
  return color ? `rgb(${color.r} ${color.g} ${color.b})` : null
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

const svgNames = new Set(
  'fill fill-opacity opacity display visibility font-size stroke stroke-width clip-path mask'.split(' '),
)

function hintsOfSvg(element: Element): Hints | null {
  const hints: Hints = []
  for (const { name, value } of element.attrs) {
    if (svgNames.has(name))
      hints.push([name, name === 'font-size' && /^[\d.]+$/.test(value) ? `${value}px` : value.toLowerCase()])
  }
  const tag = element.tagName
  if (tag === 'mphantom') hints.push(['visibility', 'hidden'])
  return hints.length === 0 ? null : hints
}

const unpainted = new Set('template iframe video audio canvas meter progress img embed frame'.split(' '))

/** Elements whose children a browser never paints, whatever their style. */
export function neverPaints(element: Element): boolean {
  const { tagName } = element
  if (!isHtml(element)) {
    return /^(?:defs|desc|title|metadata|symbol|clipPath|mask|pattern|marker|linearGradient|radialGradient|filter|script|style|none)$/.test(
      tagName,
    )
  }
  if (tagName === 'object') return /^\s*data:/i.test(attribute(element, 'data') ?? '')
  return unpainted.has(tagName)
}

/** Closed `<details>` shows its first summary only. */
export function isFolded(element: Element): boolean {
  const parent = parentElement(element)
  if (!parent || parent.tagName !== 'details' || attribute(parent, 'open') !== null) return false
  if (element.tagName !== 'summary') return true
  const first = parent.childNodes.find((child) => child.nodeName === 'summary')
  return first !== element
}
