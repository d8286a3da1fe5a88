/**
 * Checks text colour ("ink") against the background ("ground") written with it. However a mail's style was interpreted,
 * the text that remains can be told from its background; text that cannot is left out of every output.
 */

import { countText } from '../../model/invisible.ts'
import { spend } from '../work.ts'
import { contrast, looksAlike, paint, white, type Color } from './css/color.ts'
import { pageInk, type Style } from './css/style.ts'
import { isBlank, type Box, type FormNode, type Words } from './tree.ts'

/** Text with less contrast is written in another colour. */
const leastContrast = 1.8
const darkGround: Color = { r: 51, g: 51, b: 51, a: 1 }

interface Place {
  ground: Color
  /** All enclosing boxes have the same background, so words that overflow are on it as well. */
  even: boolean
  /** An inline box paints it: only as high as that box's own letters, and only where they are. */
  inline: boolean
  /** The background replaces a picture or a gradient: no text is left out because of it. */
  guessed: boolean
}

/** Returns how many characters were left out. */
export function judgeInk(root: Box): number {
  let gone = 0
  const pending: { box: Box; place: Place }[] = [
    { box: root, place: { ground: white, even: true, inline: false, guessed: false } },
  ]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { box } = next
    spend(2 + box.children.length)
    const place = layGround(box, next.place)
    for (const child of box.children) {
      if (child.kind === 'box') pending.push({ box: child, place })
      else if (child.kind === 'words') gone += judgeWords(child, place)
    }
  }
  return gone
}

/** The text left out before the first visible word. */
export function goneBefore(box: Box): { text: string; ended: boolean } {
  spend(2 + box.children.length)
  let text = ''
  for (const child of box.children) {
    if (child.kind === 'words' && child.gone) text += child.text
    else if (child.kind === 'words' && child.text.trim() !== '') return { text, ended: true }
    else if (child.kind === 'box') {
      const inside = goneBefore(child)
      text += inside.text
      if (inside.ended) return { text, ended: true }
    }
  }
  return { text, ended: false }
}

function layGround(box: Box, place: Place): Place {
  const { looks, style } = box
  const own = ownGround(box, place.ground)
  // Tables and inline blocks may overflow the boxes around them, so they repeat the background.
  const overflows = !place.even && (box.level === 'table' || box.level === 'inline-block')
  // Larger, raised or lowered words leave the background of an inline box around them.
  const bringsAlong = overflows || (place.inline && box.level === 'inline' && box.children.some(isInk))
  box.ground = own ?? place.ground
  box.painted = own !== null || bringsAlong
  if (!own) return place.inline && box.level !== 'inline' ? { ...place, inline: false } : place
  const same = looksAlike(own, place.ground)
  const guessed =
    looks.background === null || looks.background.a * style.opacity < 0.5
      ? place.guessed || looks.backgroundImage !== null
      : false
  const inline = box.level === 'inline'
  return { ground: own, even: place.even && same && !inline, inline, guessed }
}

const isInk = (node: FormNode) => node.kind === 'words' && !isBlank(node)

/** Its own background, painted on the one around it; null if it has none. */
function ownGround({ looks, style, light, dark }: Box, around: Color): Color | null {
  const { background, backgroundImage } = looks
  const color =
    background && background.a > 0 ? paint({ ...background, a: background.a * style.opacity }, around) : null
  if (backgroundImage === null || light + dark === 0) return color && opaque(color)
  // Pictures are not loaded, and a gradient becomes one colour: the one with the best contrast to most text on it.
  const ink = light > dark ? white : pageInk
  const grounds = [...(color ? [color] : []), ...backgroundImage.map((stop) => paint(stop, around))]
  const best = grounds.toSorted((one, other) => contrast(other, ink) - contrast(one, ink))[0]
  if (best && contrast(best, ink) >= leastContrast) return opaque(best)
  if (color && backgroundImage.length === 0) return opaque(color)
  return ink === white ? darkGround : contrast(around, ink) >= leastContrast ? null : white
}

const opaque = ({ r, g, b }: Color): Color => ({ r: Math.round(r), g: Math.round(g), b: Math.round(b), a: 1 })

function judgeWords(words: Words, { ground, guessed }: Place): number {
  const ink = inkOf(words.style, ground)
  if (contrast(ink, ground) >= leastContrast) words.ink = ink
  // Where the sender sets no colour, other programs have a blacker one: they show it on a dark ground.
  else if (!guessed && isChosen(words.style) && looksAlike(ink, ground) && words.text.trim() !== '') {
    words.gone = true
    return countText(words.text)
  } else words.ink = plainInk(ground)
  return 0
}

const isChosen = ({ color, doubtful }: Style) => color !== pageInk && !doubtful

/** The ink of a list marker, which has no words to be judged by. */
export function markerInk({ style, ground }: Box): Color {
  const ink = inkOf(style, ground)
  return contrast(ink, ground) >= leastContrast ? ink : plainInk(ground)
}

const plainInk = (ground: Color): Color =>
  contrast(pageInk, ground) >= contrast(white, ground) ? pageInk : white

function inkOf({ color, opacity }: Style, ground: Color): Color {
  return opaque(paint({ ...color, a: color.a * opacity }, ground))
}
