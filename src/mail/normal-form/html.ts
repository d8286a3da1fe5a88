/** Writes a form as HTML: tags of the closed list, properly nested, generated classes and no markup of the sender's. */

import { hash } from 'node:crypto'
import { spend, TooMuchWork } from '../work.ts'
import { writeColor } from './css/color.ts'
import { boxDeclarations, inheritedDeclarations, pageSize, type Room, type Written } from './declarations.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { markerInk } from './ink.ts'
import { isBlank, type Box, type FormNode, type Picture, type Words } from './tree.ts'
import { longestWord } from './words.ts'

const mostBytes = 1_000_000
/** Pixels of padding and margins at the sides, over all nested boxes. */
const sideways = 160

export class HtmlWriter {
  readonly #scope: string
  readonly #pieces: string[] = []
  #left: number
  readonly #classes = new Map<string, string>()
  readonly #stacks = new Set<number>()

  constructor(source: string) {
    this.#scope = `spool-form-${hash('sha256', source).slice(0, 12)}`
    this.#left = Math.min(mostBytes, 2 * source.length + 4000)
  }

  write(root: Box): string {
    const color = writeColor(root.style.color)
    const written: Written = {
      color,
      size: pageSize,
      line: '1.5',
      bold: false,
      italic: false,
      family: null,
      align: 'start',
      keeps: false,
      rtl: false,
      strokes: [],
    }
    const base = `background-color:${writeColor(root.ground)};color:${color};font-size:${pageSize}px;line-height:1.5;overflow-wrap:break-word`
    this.#children(root, root, written, { left: sideways })
    const html = `<div class="spool-form ${this.#scope}"><style>\n${this.#sheet(base)}</style>${this.#pieces.join('')}</div>`
    if (Buffer.byteLength(html) > mostBytes) throw new TooMuchWork()
    return html
  }

  #sheet(base: string): string {
    const scope = `.${this.#scope}`
    let css = `${scope}{${base}}\n${scope} img{max-width:100%;height:auto;vertical-align:middle}\n`
    for (const [declarations, name] of this.#classes) css += `${scope} .${name}{${declarations}}\n`
    // Generated rules: they make the form fit, and hide nothing.
    for (const width of [...this.#stacks].toSorted((a, b) => b - a)) {
      const table = `${scope} .t${width}`
      css += `@media (max-width:${width}px){${table},${table}>tbody,${table}>tbody>tr,${table}>tbody>tr>td{display:block;width:auto;max-width:100%;height:auto}}\n`
    }
    return css
  }

  #put(piece: string): void {
    this.#left -= piece.length
    if (this.#left < 0) throw new TooMuchWork()
    this.#pieces.push(piece)
  }

  #children(box: Box, parent: Box, written: Written, room: Room): void {
    spend(4 + 2 * box.children.length)
    for (const child of box.children) this.#node(child, box, parent, written, room)
  }

  #node(node: FormNode, box: Box, parent: Box, written: Written, room: Room): void {
    switch (node.kind) {
      case 'box':
        return this.#box(node, box.level === 'row' ? parent : box, written, room, box)
      case 'words':
        return this.#words(node, written)
      case 'break':
        return this.#put(node.folded ? '<br class="spool-fold">' : node.raw && written.keeps ? '\n' : '<br>')
      case 'rule':
        return this.#put(node.folded ? '<hr class="spool-fold">' : '<hr>')
      case 'picture':
        return this.#picture(node)
    }
  }

  /** `holder` is the box that widths and paddings refer to: for a cell, its table. */
  #box(box: Box, holder: Box, above: Written, room: Room, parent: Box): void {
    const written = { ...above }
    forgetDefaults(box, written)
    const inner: Room = { left: room.left }
    const own = directInk(box)
    let css = boxDeclarations(box, holder, inner, written)
    if (box.level === 'inline') written.align = box.style.align
    if (own) css += inheritedDeclarations(box.style, own.ink, written)
    // The underline has the colour of the link, whatever the link contains.
    else if (box.tag === 'a') css += `color:${(written.color = writeColor(box.style.color))};`
    else if (box.tag === 'li') css += `color:${(written.color = writeColor(markerInk(box)))};`
    else if (box.level !== 'inline' && box.style.align !== written.align)
      css += `text-align:${(written.align = box.style.align)};`
    const attributes = this.#attributes(box, css, written)
    if (attributes === '' && box.tag === 'div' && isOnlyChild(box, parent))
      return this.#children(box, holder, written, inner)
    this.#put(`<${box.tag}${attributes}>`)
    if (box.tag === 'table') this.#put('<tbody>')
    this.#children(box, holder, written, inner)
    if (box.tag === 'table') this.#put('</tbody>')
    this.#put(`</${box.tag}>`)
  }

  #attributes(box: Box, css: string, written: Written): string {
    if (box.stackedBelow > 0) this.#stacks.add(box.stackedBelow)
    let attributes = classAttribute(
      this.#classOf(css),
      box.stackedBelow > 0 ? `t${box.stackedBelow}` : '',
      box.folded ? 'spool-fold' : '',
      hasCaption(box) ? 'spool-picture' : '',
    )
    if (box.style.rtl !== written.rtl) attributes += ` dir="${box.style.rtl ? 'rtl' : 'ltr'}"`
    written.rtl = box.style.rtl
    if (box.tag === 'td') {
      if (box.colspan > 1) attributes += ` colspan="${box.colspan}"`
      if (box.rowspan > 1) attributes += ` rowspan="${box.rowspan}"`
    }
    if (box.tag === 'table' && box.cellPadding !== 1) attributes += ` cellpadding="${box.cellPadding}"`
    if (box.tag === 'ol' && box.number !== null && box.number !== 1) attributes += ` start="${box.number}"`
    if (box.tag === 'li' && box.numbered) attributes += ` value="${box.number}"`
    if (box.tag === 'a' && box.href !== null)
      attributes += ` href="${escapeAttribute(box.href)}" target="_blank" rel="noopener noreferrer nofollow"`
    return attributes
  }

  #classOf(css: string): string {
    if (css === '') return ''
    const declarations = css.slice(0, -1)
    let name = this.#classes.get(declarations)
    if (name === undefined) {
      name = `m${this.#classes.size.toString(36)}`
      this.#classes.set(declarations, name)
      this.#left -= declarations.length + this.#scope.length + 10
    }
    return name
  }

  #words(words: Words, above: Written): void {
    if (words.gone) return
    spend(2 + (words.text.length >> 2))
    const text = withBreaks(words.text)
    if (isBlank(words)) return this.#put(text)
    const written = { ...above, align: words.style.align }
    const css = inheritedDeclarations(words.style, words.ink, written)
    let attributes = classAttribute(this.#classOf(css), words.folded ? 'spool-fold' : '')
    if (words.style.rtl !== above.rtl) attributes += ` dir="${words.style.rtl ? 'rtl' : 'ltr'}"`
    this.#put(attributes === '' ? text : `<span${attributes}>${text}</span>`)
  }

  #picture({ source, remote, width, height, folded, captioned }: Picture): void {
    // With a caption, only a percentage width lets it shrink with the cell that contains it.
    const size = captioned && width !== null ? this.#classOf(`width:100%;max-width:${width}px;`) : ''
    let tag = `<img alt=""${classAttribute(size, folded ? 'spool-fold' : '')}`
    if (width !== null) tag += ` width="${width}"`
    if (height !== null) tag += ` height="${height}"`
    const piece = `${tag} ${remote ? 'data-remote-src' : 'src'}="${escapeAttribute(source)}">${captioned ? '<br>' : ''}`
    // An embedded picture is written at its original length, so it does not count against the limit.
    this.#left += source.length
    this.#put(piece)
  }
}

function classAttribute(...names: string[]): string {
  const classes = names.filter((name) => name !== '').join(' ')
  return classes === '' ? '' : ` class="${classes}"`
}

/** Properties that the browser's default sheet changes for a tag have to be written again. */
function forgetDefaults({ tag }: Box, written: Written): void {
  if (tag === 'a') written.color = null
  if (tag === 'b') written.bold = true
  if (tag === 'i') written.italic = true
  if (/^h\d$/.test(tag)) written.bold = written.size = null
  if (tag === 'code') {
    written.family = 'monospace'
    written.size = null
  }
  if (tag === 'sup' || tag === 'sub') written.size = written.line = null
}

/** The first visible words directly in the box and in its style: the box is written to suit them. */
function directInk(box: Box): Words | null {
  for (const child of box.children)
    if (child.kind === 'words' && !child.gone && child.style === box.style && !isBlank(child)) return child
  return null
}

function hasCaption({ children: [first] }: Box): boolean {
  return first?.kind === 'picture' && first.captioned
}

function isOnlyChild(box: Box, parent: Box): boolean {
  if (parent.tag !== 'div' && parent.tag !== 'td') return false
  return box.level === 'block' && parent.children.every((child) => child === box || isBlank(child))
}

const tooLong = new RegExp(`\\S{${longestWord + 1}}`)
const runs = new RegExp(
  `\\S{${longestWord}}(?=[^\\s\\p{M}\\p{Default_Ignorable_Code_Point}])(?<!\\u200d)`,
  'gu',
)

function withBreaks(text: string): string {
  if (!tooLong.test(text)) return escapeText(text)
  return text.replaceAll(runs, '$&\u0000').split('\u0000').map(escapeText).join('<wbr>')
}
