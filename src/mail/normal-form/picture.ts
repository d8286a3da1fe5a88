/** Pictures: their alt text is real text next to them, in a box that grows; a browser would cut off an `alt`. */

import { countText, removeInvisible } from '../../model/invisible.ts'
import { attribute, type Element } from '../html-document.ts'
import { cleanImageSource } from './addresses.ts'
import type { Computed } from './css/style.ts'
import { readLooks, type Display } from './looks.ts'
import { makeBox, noLooks, type FormNode, type Picture } from './tree.ts'
import { addWords } from './words.ts'
import { areHiddenWords } from './hiding.ts'

export type InlineImage = (contentId: string, isLarge: boolean) => string | null

const longestLabel = 120
const mostPixels = 2000
/** In pixels; narrower captions would break words. */
const leastCaption = 160
/** In pixels; nobody can tell what is in a narrower picture. */
const leastSeen = 8

/** `node` is null if nothing is shown: a tracking pixel or spacer, or a missing picture without alt text. */
export function readPicture(
  element: Element,
  { style, declared }: Computed,
  display: Display,
  inlineImage: InlineImage,
  quirks: boolean,
): { node: FormNode | null; hidden: number } {
  const looks = readLooks(declared, style, quirks)
  // With a percentage width, its maximum width counts: the form shrinks it from there.
  const width = looks.width ?? (looks.share === null ? null : looks.maxWidth)
  const picture = sourceOf(element, width, looks.height, inlineImage)
  const { text, removed } = removeInvisible(
    (attribute(element, 'alt') ?? '').replaceAll(/\s+/g, ' ').trim(),
    'mail',
  )
  if (picture === 'dot') return { node: null, hidden: countText(text) }
  const isBlock = display.level === 'block'
  const isWordless =
    text === '' || areHiddenWords({ ...style, fontSize: Math.max(style.fontSize, 12) }, style.indent)
  if (isWordless && !isBlock) return { node: picture, hidden: removed }
  const box = isBlock
    ? makeBox('div', 'block', { ...style, align: looks.place ?? style.align })
    : makeBox('span', 'inline-block', style)
  if (picture) box.children.push(picture)
  if (isWordless) return { node: picture && box, hidden: removed }
  if (picture) picture.captioned = true
  if (isBlock && width !== null)
    box.looks = {
      ...noLooks,
      width: Math.max(width, leastCaption),
      place: box.style.align === 'center' ? 'center' : looks.place,
    }
  const fontSize = Math.max(12, Math.min(style.fontSize, 14))
  box.style = { ...box.style, fontSize, sized: true, spaces: 'collapse', letters: 'as-is' }
  const label = text.length > longestLabel ? `${text.slice(0, longestLabel - 1).toWellFormed()}…` : text
  addWords(box, `[picture: ${label}]`, box.style)
  return { node: box, hidden: removed + countText(text.slice(label.length)) }
}

function sourceOf(
  element: Element,
  width: number | null,
  height: number | null,
  inlineImage: InlineImage,
): Picture | 'dot' | null {
  const isLarge = width === null || width >= leastSeen
  const source = cleanImageSource(attribute(element, 'src') ?? '', (id) => inlineImage(id, isLarge))
  if (source.kind === 'missing') return null
  const isDot = (name: string) => /^\s*0*[01](?:px)?\s*$/.test((attribute(element, name) ?? '').slice(0, 20))
  const spaces = (attribute(element, 'alt') ?? '').trim() === ''
  if (
    source.kind === 'remote' &&
    (spaces ? isDot('width') || isDot('height') : isDot('width') && isDot('height'))
  )
    return 'dot'
  const side = (pixels: number | null) => (pixels === null ? null : Math.min(mostPixels, Math.max(1, pixels)))
  return {
    kind: 'picture',
    folded: false,
    source: source.kind === 'shown' ? source.src : source.address,
    remote: source.kind === 'remote',
    captioned: false,
    width: side(width),
    height: side(height),
  }
}
