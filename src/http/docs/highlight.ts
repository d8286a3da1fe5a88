import { html, type Markup } from './html.ts'
import type { Language } from './snippets.ts'

export type Notation = Language | 'TypeScript' | 'JSON' | 'HTTP'

const quoted = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60`
const literal = String.raw`\b(?:true|false|null|True|False|None)\b|(?<![\w.])-?\d+(?:\.\d+)?\b`

function anyOf(text: string): string {
  return String.raw`(?<![\w.-])(?:${text.replaceAll(' ', '|')})\b`
}

const script = new RegExp(
  `(?<comment>//.*)|(?<string>${quoted})|(?<word>${anyOf('import from const let await if throw new for of do while')})|(?<literal>${literal})`,
  'g',
)

/** What is coloured in each language; group names become CSS classes. */
const patterns: Record<Notation, RegExp> = {
  curl: new RegExp(
    `(?<comment>(?<=^|\\s)#.*)|(?<string>${quoted})|(?<word>${anyOf('curl export while do done sed npm')})`,
    'gm',
  ),
  JavaScript: script,
  TypeScript: script,
  Python: new RegExp(
    `(?<comment>#.*)|(?<string>${quoted})|(?<word>${anyOf('import from with as while is not None for in and')})|(?<literal>${literal})`,
    'g',
  ),
  JSON: new RegExp(`(?<key>${quoted})(?=\\s*:)|(?<string>${quoted})|(?<literal>${literal})`, 'g'),
  HTTP: /(?<key>^[\w-]+(?=: ))|(?<word>^HTTP.*)/gm,
}

export function highlight(code: string, notation: Notation): Markup {
  const pieces: (Markup | string)[] = []
  let end = 0
  for (const match of code.matchAll(patterns[notation])) {
    const [kind] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    pieces.push(code.slice(end, match.index), html`<span class="${kind}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${[...pieces, code.slice(end)]}`
}
