/** The text of a Word document as a person sees it. */

import { countText } from '../../../model/invisible.ts'
import { count, type Doubt, type Reason, type Sight } from '../sight.ts'
import {
  hides,
  isAlike,
  isLight,
  isOn,
  isSquashed,
  readGround,
  type Around,
  type Look,
  type Styles,
} from './looks.ts'
import { childOf, findIn, unknown, type Element } from './xml.ts'

/** What holds for everything in some place. */
interface Place extends Around {
  hidden: Reason | null
  doubt: Doubt | null
  /** Null where the colour cannot be told. */
  ground: string | null
}

/** In points: narrower letters cannot be read. */
const leastLetter = 1
const leastRuby = 3
/** In EMU, of which a point has 12,700. */
const [leastBox, farthestBox] = [4 * 12_700, 12_000_000]

export class Body implements Sight {
  readonly hidden: Sight['hidden'] = {}
  readonly doubts: Sight['doubts'] = {}
  /** The notes that the text refers to, in order. */
  readonly notes: { kind: 'w:footnote' | 'w:endnote'; id: string }[] = []
  text = ''
  readonly #styles: Styles
  /** For each field that is open, whether its code is being read, which is not shown. */
  #fields: boolean[] = []

  constructor(styles: Styles) {
    this.#styles = styles
  }

  read(root: Element, ground: string | null = 'ffffff'): void {
    this.#fields = []
    this.#readAll(root, { hidden: null, doubt: null, ground, paragraph: null, table: null })
  }

  #readAll({ children }: Element, place: Place): void {
    for (const child of children) if (typeof child !== 'string') this.#readOne(child, place)
  }

  #readOne(element: Element, place: Place): void {
    switch (element.name) {
      case 'w:p':
        return this.#paragraph(element, place)
      case 'w:r':
      case 'm:r':
        return this.#run(element, place)
      case 'w:tbl':
        return this.#readAll(element, this.#inTable(element, place))
      case 'w:tr':
        return this.#readAll(element, inRow(element, place))
      case 'w:tc':
        return this.#readAll(element, withGround(place, readGround(propertyOf(element, 'w:tcPr', 'w:shd'))))
      case 'w:del':
      case 'w:moveFrom':
        return this.#readAll(element, { ...place, hidden: place.hidden ?? 'deleted' })
      case 'mc:AlternateContent':
        return this.#choose(element, place)
      case 'w:ruby':
        return this.#ruby(element, place)
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.#readAll(element, inBox(element, place))
      case 'w:pPr':
      case 'w:rPr':
      case 'w:tblPr':
      case 'w:trPr':
      case 'w:tcPr':
      case 'w:sdtPr':
      case 'w:sectPr':
        return
      default:
        return this.#readAll(element, place)
    }
  }

  #paragraph(element: Element, place: Place): void {
    const properties = childOf(element, 'w:pPr')
    const style = (properties && childOf(properties, 'w:pStyle')?.attributes['w:val']) ?? null
    const squashed = this.#styles.isSquashed(style) || (properties !== null && isSquashed(properties))
    const inside = withGround(place, properties ? readGround(childOf(properties, 'w:shd')) : undefined)
    this.#readAll(element, {
      ...inside,
      paragraph: style,
      hidden: place.hidden ?? (squashed ? 'small' : null),
    })
    this.text += '\n\n'
  }

  /** Programs show the first form of which they know what it needs; which these are can only be guessed. */
  #choose(element: Element, place: Place): void {
    const choices = element.children.filter(
      (child) => typeof child !== 'string' && child.name === 'mc:Choice',
    )
    const [first] = choices as Element[]
    const isKnown = first && first.attributes['Requires'] !== unknown
    const form = (isKnown ? first : childOf(element, 'mc:Fallback')) ?? first ?? element
    this.#readAll(form, isKnown ? place : { ...place, doubt: place.doubt ?? 'form' })
  }

  #ruby(element: Element, place: Place): void {
    const size = Number(propertyOf(element, 'w:rubyPr', 'w:hps')?.attributes['w:val']) / 2
    for (const child of element.children)
      if (typeof child !== 'string')
        this.#readAll(
          child,
          child.name === 'w:rt' && size < leastRuby ? { ...place, hidden: place.hidden ?? 'small' } : place,
        )
  }

  #inTable(element: Element, place: Place): Place {
    const table = propertyOf(element, 'w:tblPr', 'w:tblStyle')?.attributes['w:val'] ?? null
    const inside = { ...withGround(place, readGround(propertyOf(element, 'w:tblPr', 'w:shd'))), table }
    if (this.#styles.isPartlyHidden(table)) inside.doubt ??= 'form'
    return this.#styles.isShaded(table) ? { ...inside, ground: null } : inside
  }

  #run(element: Element, place: Place): void {
    const properties = childOf(element, 'w:rPr')
    const look = this.#styles.look(place, properties)
    const letters = (): number =>
      element.children.reduce(
        (sum, child) => sum + countText((typeof child !== 'string' && textOf(child)) || ''),
        0,
      )
    const isPressed = look.fit !== undefined && look.fit < leastLetter * letters()
    const reason = place.hidden ?? hides(look) ?? (isPressed ? 'small' : null)
    for (const child of element.children) {
      if (typeof child === 'string') continue
      const text = textOf(child)
      if (text !== null) this.#write(text, this.#fields.includes(true) ? 'invisible' : reason, look, place)
      else if (child.name === 'w:fldChar') this.#field(child.attributes['w:fldCharType'])
      else if (child.name === 'w:footnoteReference' || child.name === 'w:endnoteReference') {
        const kind = child.name === 'w:footnoteReference' ? 'w:footnote' : 'w:endnote'
        if (reason === null) this.notes.push({ kind, id: child.attributes['w:id'] ?? '' })
      } else if (child.name === 'w:delText') count(this.hidden, 'deleted', countText(textIn(child)))
      else if (child.name !== 'w:rPr' && child.name !== 'w:instrText')
        this.#readOne(child, { ...place, hidden: reason })
    }
  }

  #field(type: string | undefined): void {
    if (type === 'begin') this.#fields.push(true)
    else if (type === 'separate') this.#fields[this.#fields.length - 1] = false
    else this.#fields.pop()
  }

  #write(text: string, hidden: Reason | null, look: Look, place: Place): void {
    const letters = countText(text)
    const ground = look.ground === undefined ? place.ground : look.ground
    const { color = 'auto' } = look
    const reason = hidden ?? (color !== 'auto' && ground !== null && isAlike(color, ground) ? 'faint' : null)
    if (reason !== null) {
      if (letters > 0) count(this.hidden, reason, letters)
      return
    }
    // Dark letters are usual, so an unknown ground says nothing about them.
    const doubt = place.doubt ?? (ground === null && isLight(color) ? 'ground' : null)
    if (doubt !== null && letters > 0) count(this.doubts, doubt, letters)
    this.text += text
  }
}

function textOf(element: Element): string | null {
  switch (element.name) {
    case 'w:t':
    case 'm:t':
      return textIn(element)
    case 'w:tab':
    case 'w:ptab':
      return '\t'
    case 'w:br':
    case 'w:cr':
      return '\n'
    case 'w:noBreakHyphen':
      return '-'
    default:
      return null
  }
}

const textIn = ({ children }: Element): string =>
  children.filter((child) => typeof child === 'string').join('')

function propertyOf(element: Element, properties: string, name: string): Element | null {
  const found = childOf(element, properties)
  return found && childOf(found, name)
}

function withGround(place: Place, ground: string | null | undefined): Place {
  return ground === undefined ? place : { ...place, ground }
}

function inRow(element: Element, place: Place): Place {
  const height = propertyOf(element, 'w:trPr', 'w:trHeight')?.attributes
  const isFlat = height?.['w:hRule'] === 'exact' && Number(height['w:val']) < 80
  if (isFlat || isOn(propertyOf(element, 'w:trPr', 'w:hidden')))
    return { ...place, hidden: place.hidden ?? 'small' }
  return propertyOf(element, 'w:trPr', 'w:del') ? { ...place, hidden: place.hidden ?? 'deleted' } : place
}

/** A drawing may stand anywhere on the page, behind the text, and have any ground. */
function inBox(element: Element, place: Place): Place {
  const extent = findIn(element, 'wp:extent')?.attributes
  const offsets = [findIn(element, 'wp:positionH'), findIn(element, 'wp:positionV')].map((position) =>
    Number(position && findIn(position, 'wp:posOffset')?.children.join('')),
  )
  const anchor = findIn(element, 'wp:anchor')?.attributes
  const styles = shapes.map((name) => findIn(element, name)?.attributes['style'] ?? '')
  const isGone =
    isOnValue(findIn(element, 'wp:docPr')?.attributes['hidden']) ||
    isOnValue(anchor?.['hidden']) ||
    Number(extent?.['cx']) < leastBox ||
    Number(extent?.['cy']) < leastBox ||
    offsets.some((offset) => Math.abs(offset) > farthestBox) ||
    styles.some(isGoneShape)
  if (isGone) return { ...place, hidden: place.hidden ?? 'invisible' }
  const isBehind = isOnValue(anchor?.['behindDoc']) || styles.some((style) => /z-index:\s*-/.test(style))
  return { ...place, ground: null, doubt: isBehind ? 'behind' : place.doubt }
}

const shapes = ['v:group', 'v:shape', 'v:rect', 'v:roundrect', 'v:oval', 'v:textbox']
const points: Record<string, number> = { pt: 1, px: 0.75, in: 72, cm: 28.3, mm: 2.83, pc: 12, '': 0.75 }

function isGoneShape(style: string): boolean {
  if (/visibility:\s*hidden|display:\s*none|(?:left|top):\s*-?\d{4,}/.test(style)) return true
  const sides = style.matchAll(/(?:^|;)\s*(?:width|height):\s*([\d.]{1,20})(pt|px|in|cm|mm|pc|)\s*(?=;|$)/g)
  return [...sides].some(([, size, unit]) => Number(size) * points[unit!]! < 4)
}

const isOnValue = (value: string | undefined): boolean => value === '1' || value === 'true'
