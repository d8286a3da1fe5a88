/** Reads normal-form HTML as a browser does, from the string alone and independently of the code that wrote it. */

import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

export interface WrittenWords {
  text: string
  /** Format: `#rrggbb`. */
  ink: string
  ground: string
  size: number
  tags: string[]
}

export interface WrittenForm {
  words: WrittenWords[]
  tags: Set<string>
  properties: Set<string>
}

interface Looks {
  ink: string
  ground: string
  size: number
}

const rulePattern = /^\.(\S+)(?: \.(m\w+))?\{(.*)\}$/gm
/** Browser default font sizes. */
const defaultSizes: Record<string, number> = {
  h1: 2,
  h2: 1.5,
  h3: 1.17,
  h5: 0.83,
  h6: 0.67,
  sup: 0.83,
  sub: 0.83,
  code: 0.93,
}

export function readWritten(html: string): WrittenForm {
  const form: WrittenForm = { words: [], tags: new Set(), properties: new Set() }
  const sheets = new Map<string, Map<string, string>>()
  for (const [, css = ''] of html.matchAll(/<style>(.*?)<\/style>/gs)) {
    for (const [, scope = '', name = '', body = ''] of css.matchAll(rulePattern)) {
      const declarations = new Map(body.split(';').map((one) => one.split(':') as [string, string]))
      for (const property of declarations.keys()) form.properties.add(property)
      sheets.set(`${scope} ${name}`, declarations)
    }
  }
  const read = (nodes: Tree.ChildNode[], above: Looks, scope: string, tags: string[]): void => {
    for (const node of nodes) {
      if ('value' in node && node.value.trim() !== '') form.words.push({ text: node.value, ...above, tags })
      if (!('tagName' in node) || node.tagName === 'style') continue
      form.tags.add(node.tagName)
      const classes = (node.attrs.find(({ name }) => name === 'class')?.value ?? '')
        .split(' ')
        .filter(Boolean)
      const inner = classes.find((name) => name.startsWith('spool-form-')) ?? scope
      const looks = { ...above, size: above.size * (defaultSizes[node.tagName] ?? 1) }
      if (node.tagName === 'a') looks.ink = '#0000ee'
      for (const name of classes) {
        const declared = sheets.get(name === inner ? `${inner} ` : `${inner} ${name}`)
        looks.ink = declared?.get('color') ?? looks.ink
        looks.ground = declared?.get('background-color') ?? looks.ground
        looks.size = Number.parseFloat(declared?.get('font-size') ?? String(looks.size))
      }
      read(node.childNodes, looks, inner, [...tags, node.tagName])
    }
  }
  read(parseFragment(html).childNodes, { ink: '#000000', ground: '#ffffff', size: 16 }, '', [])
  return form
}

export const textOf = (html: string): string =>
  readWritten(html)
    .words.map(({ text }) => text)
    .join(' ')

/** Contrast ratio, from 1 (equal colours) to 21 (black on white). */
export function contrastOf(one: string, other: string): number {
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const [a, b] = [light(one), light(other)]
  return a > b ? a / b : b / a
}
