import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { makeRandom, shuffle } from '../support/random.ts'

/** A small change of one place in a file. */
export interface Edit {
  file: string
  /** Where it begins, in characters. */
  at: number
  line: number
  was: string
  put: string
}

interface SyntaxNode {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const otherOperators: Record<string, string> = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

/** The same edits for the same seed: a few of every file rather than many of a large one. */
export function drawEdits(root: string, seed: number, count: number, places: readonly string[]): Edit[] {
  const random = makeRandom(seed)
  const files = globSync('src/core/**/*.ts', { cwd: root })
    .filter((file) => places.length === 0 || places.some((place) => file.includes(place)))
    .sort()
  const edits = files.flatMap((file) => findEdits(file, readFileSync(join(root, file), 'utf8')))
  return shuffle(edits, random).slice(0, count)
}

/** Every edit that could be made in a file: a condition negated, a call left out, an operator or a constant changed. */
export function findEdits(file: string, text: string): Edit[] {
  const edits: Edit[] = []
  const add = (start: number, end: number, put: string): void => {
    const line = text.slice(0, start).split('\n').length
    edits.push({ file, at: start, line, was: text.slice(start, end), put })
  }
  const visit = (node: SyntaxNode): void => {
    if (isOfTypes(node)) return
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const { start, end } = node['test'] as SyntaxNode
      add(start, end, `!(${text.slice(start, end)})`)
    }
    if (node.type === 'ExpressionStatement' && isCall(node['expression'] as SyntaxNode))
      add(node.start, node.end, 'void 0')
    if (node.type === 'LogicalExpression' || node.type === 'BinaryExpression') {
      const other = otherOperators[node['operator'] as string]
      const left = (node['left'] as SyntaxNode).end
      const at = text.indexOf(node['operator'] as string, left)
      if (other) add(at, at + (node['operator'] as string).length, other)
    }
    if (node.type === 'Literal' && typeof node['value'] === 'number')
      add(node.start, node.end, String(node['value'] + 1))
    if (node.type === 'Literal' && typeof node['value'] === 'boolean')
      add(node.start, node.end, String(!node['value']))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as SyntaxNode)
  return edits
}

/** Types and imports are gone when it runs; `as`, `satisfies` and `!` have an expression inside. */
function isOfTypes({ type }: SyntaxNode): boolean {
  return type === 'ImportDeclaration' || (type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)Exp/.test(type))
}

function isCall({ type, argument }: SyntaxNode): boolean {
  if (type === 'AwaitExpression') return isCall(argument as SyntaxNode)
  return type === 'CallExpression'
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
