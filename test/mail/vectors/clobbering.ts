import { named } from './vector.ts'
import type { Vector } from './vector.ts'

/** Names that scripts of a page may look up on `window` or `document`. */
const lookedUp = ['cookie', 'body', 'forms', 'getElementById', 'config', 'user', 'spool', 'currentScript']

export function clobberingVectors(): Vector[] {
  return named(
    'clobbering',
    lookedUp.flatMap((name) => [
      `<img name=${name}>`,
      `<form name=${name}><input name=action></form>`,
      `<embed name=${name}>`,
      `<a id=${name}></a><a id=${name} name=href href="https://a.example/"></a>`,
      `<form id=${name}><button name=submit>b</button></form>`,
      `<iframe name=${name}></iframe>`,
      `<object id=${name}></object>`,
      `<div id="${name}">text</div>`,
    ]),
  )
}
