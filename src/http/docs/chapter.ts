import type { Markup } from './html.ts'

/** A part of the guide: words, and an example beside them. */
export interface Chapter {
  anchor: string
  title: string
  text: Markup
  sample: Markup
}
