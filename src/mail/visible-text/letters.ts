/** How much room letters take, roughly. */

import type { Style } from './css/style.ts'

/** In pixels, on one line; `perLetter` is a share of the letters' size. */
export function widthOf(text: string, style: Style, perLetter: number): number {
  const wide =
    text.match(/[\u1100-\u11FF\u2E80-\uA4CF\uAC00-\uD7AF\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFFEF]/g)?.length ??
    0
  return (
    ((text.length - wide) * perLetter + wide) * style.fontSize +
    text.length * Math.max(0, style.letterSpacing)
  )
}
