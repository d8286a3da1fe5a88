/** The colours that a document's theme gives to their names. */

import { childOf, findIn, type Element } from './xml.ts'

const names: Record<string, string> = {
  text1: 'dk1',
  text2: 'dk2',
  background1: 'lt1',
  background2: 'lt2',
  dark1: 'dk1',
  dark2: 'dk2',
  light1: 'lt1',
  light2: 'lt2',
  hyperlink: 'hlink',
  followedHyperlink: 'folHlink',
  tx1: 'dk1',
  tx2: 'dk2',
  bg1: 'lt1',
  bg2: 'lt2',
}
const usual: Record<string, string> = { lt1: 'ffffff' }

export class Theme {
  readonly #scheme: Element | null

  constructor(theme: Element | null) {
    this.#scheme = theme && findIn(theme, 'a:clrScheme')
  }

  /** Undefined if it has no such colour. */
  color(called: string): string | undefined {
    const name = Object.hasOwn(names, called) ? names[called]! : called
    const found = this.#scheme && childOf(this.#scheme, `a:${name}`)
    const value =
      (found && childOf(found, 'a:srgbClr')?.attributes['val']) ??
      (found && childOf(found, 'a:sysClr')?.attributes['lastClr'])
    return /^[\da-f]{6}$/i.test(value ?? '') ? value!.toLowerCase() : usual[name]
  }

  /** Of letters: Word takes the theme's colour, whatever else is stated beside it. */
  colorOf({ 'w:val': stated = 'auto', ...attributes }: Record<string, string>): string {
    const color = this.color(attributes['w:themeColor'] ?? '')
    if (color === undefined) return stated.toLowerCase()
    const part = (name: string): number => Number.parseInt(attributes[name] ?? 'ff', 16) / 255
    const [shade, tint] = [part('w:themeShade'), part('w:themeTint')]
    return [0, 2, 4]
      .map((at) => {
        const value = Number.parseInt(color.slice(at, at + 2), 16) * shade * tint + 255 * (1 - tint)
        return Math.round(Math.min(255, value)).toString(16).padStart(2, '0')
      })
      .join('')
  }
}
