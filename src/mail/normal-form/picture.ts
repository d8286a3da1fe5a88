/** Pictures: their words are real text beside them, in a box that grows; a browser would cut off an `alt`. */

import { countText, removeInvisible } from '../../model/invisible.ts'
import { attribute } from '../html-document.ts'
import type { Element } from '../html-document.ts'
import { cleanImageSource } from './addresses.ts'
import type { Computed } from './css/style.ts'
import { readLooks } from './looks.ts'
import { makeBox } from './tree.ts'
import type { FormNode, Picture } from './tree.ts'
import { addWords } from './words.ts'
import { areHiddenWords } from './hiding.ts'

export type InlineImage = (contentId: string) => string | null

const longestLabel = 120
const mostPixels = 2000

/** Null where nothing of it is shown: a picture that only counts readers or keeps others apart, or one that is not there. */
export function readPicture(
  element: Element,
  { style, declared }: Computed,
  inlineImage: InlineImage,
  quirks: boolean,
): { node: FormNode | null; hidden: number } {
  const looks = readLooks(declared, style, quirks)
  const picture = sourceOf(element, looks.width, looks.height, inlineImage)
  const { text, removed } = removeInvisible((attribute(element, 'alt') ?? '').replaceAll(/\s+/g, ' ').trim())
  if (
    text === '' ||
    picture === 'dot' ||
    areHiddenWords({ ...style, fontSize: Math.max(style.fontSize, 12) })
  )
    return { node: picture === 'dot' ? null : picture, hidden: picture === 'dot' ? countText(text) : removed }
  const label = text.length > longestLabel ? `${text.slice(0, longestLabel - 1).toWellFormed()}…` : text
  const box = makeBox('span', 'inline', {
    ...style,
    fontSize: Math.max(12, Math.min(style.fontSize, 20)),
    sized: true,
    spaces: 'collapse',
    letters: 'as-is',
  })
  if (picture) box.children.push(picture)
  addWords(box, `[picture: ${label}]`, box.style)
  return { node: box, hidden: removed + countText(text.slice(label.length)) }
}

function sourceOf(
  element: Element,
  width: number | null,
  height: number | null,
  inlineImage: InlineImage,
): Picture | 'dot' | null {
  const source = cleanImageSource(attribute(element, 'src') ?? '', inlineImage)
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
    width: side(width),
    height: side(height),
  }
}
