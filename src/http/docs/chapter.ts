import type { Markup } from './html.ts'

/** A chapter of the guide: text with an example beside it. */
export interface Chapter {
  anchor: string
  title: string
  text: Markup
  sample: Markup
}
