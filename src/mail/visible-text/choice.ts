/** Of a list to choose from, only the choice is shown. */

import { attribute, isElement, parentElement } from '../html-document.ts'
import type { Element } from '../html-document.ts'

const choices = new WeakMap<Element, Element | 'all'>()

export function isUnchosen(element: Element): boolean {
  if (element.tagName !== 'option') return false
  let list = parentElement(element)
  if (list?.tagName === 'optgroup') list = parentElement(list)
  if (list?.tagName !== 'select') return false
  const choice = choices.get(list) ?? findChoice(list)
  choices.set(list, choice)
  return choice !== 'all' && choice !== element
}

function findChoice(list: Element): Element | 'all' {
  if (attribute(list, 'multiple') !== null || Number(attribute(list, 'size') ?? 1) > 1) return 'all'
  const options = list.childNodes
    .flatMap((child) => (child.nodeName === 'optgroup' && isElement(child) ? child.childNodes : [child]))
    .filter((child): child is Element => child.nodeName === 'option' && isElement(child))
  return options.findLast((option) => attribute(option, 'selected') !== null) ?? options[0] ?? 'all'
}
