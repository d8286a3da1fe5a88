/** How much text stands where no reader looks: comments and style sheets. */

import { countText } from '../../model/invisible.ts'

/** Markup inside a comment (as for Outlook) is no text; what is left of it is. */
export function countComment(data: string): number {
  if (data === '') return 0
  const text = data
    .replaceAll(/\[if [^\][]*\]>?|<!\[endif\]|^\[endif\]$|<!-*$/gi, '')
    .replaceAll(/<style\b[^<]*<\/style>/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
  return countText(text)
}

/** A style sheet is no text; something without a single rule in its place is. */
export function countStyleText(sheet: string): number {
  return sheet.includes('{') ? 0 : countText(sheet.replaceAll(/@[a-z-]+[^;@]*;|<!--|-->|\/\*|\*\//gi, ''))
}
