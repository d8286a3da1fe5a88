import { parseSync } from 'vite'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** Attributes that are shown or read aloud to users. */
const spoken = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label', 'hint'])
const letters = /\p{L}{2}/u
/** Two words starting with a capital, or an ending like a sentence's: class names and codes do not look like that. */
const sentence = /^\p{Lu}\p{L}*[,.:]? \p{L}|\p{L} \p{L}+.*[.…?!]$/u

/** Returns every user-visible text that a source file of the page hard-codes, one line each. */
export function findPageTexts(path: string, source: string): string[] {
  const found: string[] = []
  const add = ({ start }: Node, text: string): void => {
    found.push(`${path}:${source.slice(0, start).split('\n').length}: ${text.trim()}`)
  }
  const look = (node: Node, isShown: boolean): void => {
    const { type } = node
    if (type === 'ImportDeclaration') return
    if (type === 'JSXText' && letters.test(String(node['value']))) return add(node, String(node['value']))
    const text = textOf(node)
    if (text !== null && (isShown ? letters : sentence).test(text)) return add(node, text)
    for (const child of childrenOf(node)) look(child, shows(node, child) ?? isShown)
  }
  look(parseSync(path, source).program as unknown as Node, false)
  return found
}

function textOf({ type, value }: Node): string | null {
  if (type === 'Literal' && typeof value === 'string') return value
  return type === 'TemplateElement' ? (value as { cooked: string }).cooked : null
}

/** Whether the content below an element or attribute is shown as is; null if the parent decides. */
function shows(node: Node, child: Node): boolean | null {
  if (node.type === 'JSXAttribute') return spoken.has(String((node['name'] as Node)['name']))
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return child.type === 'JSXExpressionContainer'
  // Text that is passed to a function, compared or computed is not shown as is.
  const passesOn = ['JSXExpressionContainer', 'ConditionalExpression', 'LogicalExpression', 'TemplateLiteral']
  if (!passesOn.includes(node.type)) return false
  return node.type === 'ConditionalExpression' && child === node['test'] ? false : null
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}
