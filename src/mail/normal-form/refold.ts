/** Changes which lines are marked for folding in HTML written from a form, once the thread shows what is history. */

import { defaultTreeAdapter, parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { attribute, createElement, isElement } from '../html-document.ts'

const mark = 'spool-fold'

/** Null if the HTML and `text` do not match, character by character. */
export function refoldHtml(html: string, text: string, isNew: (line: number) => boolean): string | null {
  const root = parseFragment(html)
  const letters = new Letters(text)
  const age = fold(root, letters, isNew)
  if (age === null || !letters.atEnd) return null
  for (const child of root.childNodes) if (isElement(child)) setFolded(child, false)
  return serialize(root)
}

type Age = 'new' | 'old' | 'neither'

/** Null once characters differ. Recursion is safe: a fragment of a form nests no deeper than the form. */
function fold(parent: Tree.ParentNode, letters: Letters, isNew: (line: number) => boolean): Age | null {
  const ages: Age[] = []
  for (const child of parent.childNodes) {
    const age = ageOf(child, letters, isNew)
    if (age === null) return null
    ages.push(age)
  }
  const isMixed = ages.includes('new') && ages.includes('old')
  const [before, after] = [agesBefore(ages), agesBefore(ages.toReversed()).toReversed()]
  parent.childNodes = parent.childNodes.map((child, at) => {
    // Breaks and pictures within old text are folded with it.
    const isOld =
      ages[at] === 'old' || (ages[at] === 'neither' && before[at] === 'old' && after[at] !== 'new')
    if (isElement(child)) setFolded(child, isMixed && isOld)
    else if (isMixed && ages[at] === 'old') return wrap(parent, child)
    return child
  })
  if (ages.includes('new')) return 'new'
  return ages.includes('old') ? 'old' : 'neither'
}

/** For each place, the nearest age before it that is not `neither`. */
function agesBefore(ages: readonly Age[]): Age[] {
  let nearest: Age = 'neither'
  return ages.map((age) => {
    const before = nearest
    if (age !== 'neither') nearest = age
    return before
  })
}

function ageOf(node: Tree.ChildNode, letters: Letters, isNew: (line: number) => boolean): Age | null {
  if (node.nodeName === '#text') return letters.take((node as Tree.TextNode).value, isNew)
  if (!isElement(node) || node.tagName === 'style') return 'neither'
  if (node.tagName === 'hr') return letters.take('---', isNew)
  return fold(node, letters, isNew)
}

function setFolded(element: Tree.Element, folded: boolean): void {
  const names = (attribute(element as never, 'class') ?? '')
    .split(' ')
    .filter((name) => name !== mark && name !== '')
  if (folded) names.push(mark)
  element.attrs = element.attrs.filter(({ name }) => name !== 'class')
  if (names.length > 0) element.attrs.unshift({ name: 'class', value: names.join(' ') })
}

function wrap(parent: Tree.ParentNode, child: Tree.ChildNode): Tree.Element {
  const span = createElement('span', (parent as Tree.Element).namespaceURI, [{ name: 'class', value: mark }])
  span.parentNode = parent
  defaultTreeAdapter.appendChild(span, child)
  return span
}

/** The characters of `text` in order; quote and list markers are in it but not in the HTML. */
class Letters {
  readonly #text: string
  #at = 0
  #line = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#text.slice(this.#at).trim() === ''
  }

  take(value: string, isNew: (line: number) => boolean): Age | null {
    let age: Age = 'neither'
    for (const letter of value) {
      if (/\s/.test(letter)) continue
      if (!this.#find(letter)) return null
      if (age !== 'new') age = isNew(this.#line) ? 'new' : 'old'
    }
    return age
  }

  /** Skips white space and the characters of quote and list markers. */
  #find(letter: string): boolean {
    const text = this.#text
    for (; this.#at < text.length; this.#at += 1) {
      if (text.startsWith(letter, this.#at)) {
        this.#at += letter.length
        return true
      }
      const other = text[this.#at]!
      if (other === '\n') this.#line += 1
      else if (!/[\s>\-\d.]/.test(other)) return false
    }
    return false
  }
}
