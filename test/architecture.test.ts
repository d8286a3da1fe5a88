import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { findViolations, type Tree } from './support/architecture.ts'

const home = resolve(import.meta.dirname, '..')

function readTree(): Tree {
  const paths = globSync('{src,test,bench,web,examples}/**/*.{ts,tsx,js,mjs,css,html}', {
    cwd: home,
    exclude: ['**/node_modules/**', '**/dist/**', 'test/golden/**', 'bench/stores/**'],
  })
  return new Map(paths.map((path) => [path, readFileSync(join(home, path), 'utf8')]))
}

test('the code keeps the rules of the house', () => {
  const tree = readTree()
  assert.ok(tree.has('src/model/ids.ts') && tree.has('test/architecture.test.ts'), 'the tree was read')
  assert.deepEqual(findViolations(tree), [])
})

test('one file knows the JSON of a thread in a list', () => {
  const member = /"(?:sender|messageCount|noteCount|unread|webUrl)\\*":/
  const knowing = [...readTree()]
    .filter(([path, text]) => /^src\/(?!store\/migrations\/)/.test(path) && member.test(text))
    .map(([path]) => path)
  assert.deepEqual(knowing, ['src/store/threads/summary.ts'])
})

const from = (target: string) => `import { thing } from '${target}'\n`

const typeFrom = (target: string) => `import type { Thing } from '${target}'\n`

/** A tree in order, to which each test adds what breaks it. */
const sound = {
  'src/model/ids.ts': `import { randomBytes } from 'node:crypto'\nexport const id = randomBytes(8)\n`,
  'src/config.ts': `${from('./model/ids.ts')}export const port = process.env['SPOOL_PORT']\n`,
  'src/store/threads.ts': `${from('../model/ids.ts')}export const all = db.selectFrom('threads')\n`,
  'src/core/threads.ts': from('../store/threads.ts') + from('../model/ids.ts'),
  'src/core/receive.ts': from('./threads.ts'),
  'src/mail/parse.ts': from('../model/ids.ts') + from('postal-mime'),
  'src/webhook/sign.ts': from('../model/ids.ts'),
  'src/http/server.ts': from('./routes/v1/threads.ts'),
  'src/http/routes/v1/threads.ts':
    from('../../../core/threads.ts') + from('../../../mail/parse.ts') + from('../../contract/table.ts'),
  'src/http/contract/table.ts': from('../../model/draft.ts'),
  'src/model/draft.ts': from('zod'),
  'src/mcp/tools.ts': from('../core/threads.ts'),
  'src/workers/fetch-mail.ts':
    from('../core/receive.ts') + from('../mail/parse.ts') + from('../webhook/sign.ts'),
  'src/app.ts':
    from('./http/server.ts') + from('./store/threads.ts') + from('./config.ts') + from('./mcp/tools.ts'),
  'src/cli/serve.ts': from('../app.ts') + from('../config.ts') + from('../../package.json'),
  'src/main.ts': `${from('./cli/serve.ts')}console.log(process.env)\n`,
  'web/page.tsx': `${from('../src/model/ids.ts')}import './page.css'\n`,
  'web/api.ts': typeFrom('../src/http/contract/table.ts') + typeFrom('../src/model/draft.ts'),
  'web/page.css': 'body { margin: 0 }\n',
  'test/story.test.ts': `${from('../src/app.ts')}process.env['A'] = db.deleteFrom('threads')\n`,
}

function complaints(additions: Record<string, string>): string[] {
  return findViolations(new Map(Object.entries({ ...sound, ...additions })))
}

test('a tree in order brings no complaint', () => assert.deepEqual(complaints({}), []))

const forbidden: [path: string, target: string][] = [
  ['src/model/x.ts', '../store/threads.ts'],
  ['src/model/x.ts', '../config.ts'],
  ['src/model/x.ts', '../../package.json'],
  ['src/config.ts', './core/threads.ts'],
  ['src/store/x.ts', '../core/threads.ts'],
  ['src/store/x.ts', '../mail/parse.ts'],
  ['src/store/x.ts', '../config.ts'],
  ['src/core/x.ts', '../mail/parse.ts'],
  ['src/core/x.ts', '../http/server.ts'],
  ['src/core/x.ts', '../webhook/sign.ts'],
  ['src/mail/x.ts', '../core/threads.ts'],
  ['src/mail/x.ts', '../store/threads.ts'],
  ['src/webhook/x.ts', '../store/threads.ts'],
  ['src/webhook/x.ts', '../mail/parse.ts'],
  ['src/http/x.ts', '../store/threads.ts'],
  ['src/http/x.ts', '../mcp/tools.ts'],
  ['src/http/x.ts', '../webhook/sign.ts'],
  ['src/http/routes/app/x.ts', '../../../store/threads.ts'],
  ['src/mcp/x.ts', '../http/server.ts'],
  ['src/mcp/x.ts', '../store/threads.ts'],
  ['src/mcp/x.ts', '../mail/parse.ts'],
  ['src/workers/x.ts', '../store/threads.ts'],
  ['src/workers/x.ts', '../http/server.ts'],
  ['src/workers/x.ts', '../app.ts'],
  ['src/cli/x.ts', '../store/threads.ts'],
  ['src/cli/x.ts', '../workers/fetch-mail.ts'],
  ['src/cli/x.ts', '../main.ts'],
  ['src/app.ts', './cli/serve.ts'],
  ['src/main.ts', './app.ts'],
  ['src/core/x.ts', '../../test/story.test.ts'],
  ['src/http/x.ts', '../../web/page.tsx'],
  ['web/x.ts', '../src/core/threads.ts'],
  ['web/x.ts', '../src/http/server.ts'],
  ['src/http/contract/x.ts', '../../core/threads.ts'],
  ['src/http/contract/x.ts', '../server.ts'],
  ['src/core/x.ts', '../http/contract/table.ts'],
  ['web/x.ts', '../test/story.test.ts'],
]

for (const [path, target] of forbidden)
  test(`${path} may not import ${target}`, () => {
    const found = complaints({ [path]: from(target) }).filter((complaint) => !complaint.endsWith('a cycle'))
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0]!, /^\S+: \w+ imports /)
  })

test('an import is seen in every form it can take', () => {
  const forms = [
    `import '../store/threads.ts'`,
    `import * as threads from "../store/threads.ts"`,
    `import {\n  one,\n  two,\n} from '../store/threads.ts'`,
    `import type { Thread } from '../store/threads.ts'`,
    `export { one } from '../store/threads.ts'`,
    `const threads = await import('../store/threads.ts')`,
    `const threads = await import(\n  '../store/threads.ts'\n)`,
    `type Threads = typeof import('../store/threads.ts')`,
    `const threads = require('../store/threads.ts')`,
    `new Worker(new URL('../store/threads.ts', import.meta.url))`,
  ]
  for (const form of forms)
    assert.deepEqual(
      complaints({ 'src/http/x.ts': form }),
      ['src/http/x.ts: http imports src/store/threads.ts'],
      form,
    )
  assert.deepEqual(complaints({ 'src/http/x.ts': `// from '../store/threads.ts'` }), [])
  assert.match(complaints({ 'src/http/x.ts': 'await import(name)' })[0]!, /only running it/)
})

const word = 'any'
const late = 'async'
const broken: [what: string, path: string, source: string, complaint: RegExp][] = [
  ['a builtin on the page', 'web/x.ts', from('node:fs'), /web imports node:fs/],
  ['a builtin by its old name on the page', 'web/x.ts', from('path'), /web imports path/],
  ['the contract itself on the page', 'web/x.ts', from('../src/http/contract/table.ts'), /only types/],
  ['a schema on the page', 'web/x.ts', from('../src/model/draft.ts'), /only types/],
  ['a schema among types', 'web/x.ts', `import { Draft, type B } from '../src/model/draft.ts'`, /only types/],
  ['zod on the page', 'web/x.ts', from('zod'), /only types/],
  ['a place that is not on the map', 'src/extras/x.ts', '', /not on the map/],
  ['a loose file in src', 'src/extras.ts', '', /not on the map/],
  ['process.env', 'src/core/x.ts', 'const a = process.env.A', /reads process\.env/],
  ['process.env by parts', 'src/core/x.ts', 'const { env } = process', /reads process\.env/],
  ['process.env by import', 'src/core/x.ts', `import { env } from 'node:process'`, /reads process\.env/],
  ['a query', 'src/core/x.ts', `db\n  .selectFrom('t')`, /SQL outside/],
  ['an insert', 'src/http/x.ts', `db.insertInto('t')`, /SQL outside/],
  ['an update', 'src/cli/x.ts', `db.updateTable('t')`, /SQL outside/],
  ['a delete', 'src/workers/x.ts', `db.deleteFrom('t')`, /SQL outside/],
  ['a prepared statement', 'src/core/x.ts', 'db.prepare(text)', /SQL outside/],
  ['a statement in a template', 'src/core/x.ts', 'await sql`select 1`.execute(db)', /SQL outside/],
  ['a long file', 'src/core/x.ts', '\n'.repeat(401), /401 lines/],
  ['a long style sheet', 'web/x.css', '\n'.repeat(401), /401 lines/],
  ['a long test', 'test/x.test.ts', '\n'.repeat(401), /401 lines/],
  ['a barrel', 'src/core/x.ts', `export * from './threads.ts'`, /barrel/],
  ['an index file', 'src/core/index.ts', '', /barrels/],
  ['a folder of leftovers', 'src/core/utils/x.ts', '', /utils says nothing/],
  ['a folder of leftovers in the tests', 'test/helpers/x.ts', '', /helpers says nothing/],
  ['a type that is none', 'src/core/x.ts', `let a: ${word} = 1`, /: any$/],
  ['a cast to none', 'test/x.test.ts', `run(a as ${word})`, /: any$/],
  ['a list of none', 'web/x.ts', `const a: ${word}[] = []`, /: any$/],
  ['a suite that declares late', 'test/x.test.ts', `describe('x', ${late} () => {})`, /belong to no suite/],
  ['a type argument that is none', 'bench/x.ts', `new Map<string, ${word}>()`, /: any$/],
]

for (const [what, path, source, complaint] of broken)
  test(`complains about ${what}`, () => {
    const found = complaints({ [path]: source })
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0]!, complaint)
  })

test('complains about cycles, of types too', () => {
  const found = complaints({
    'src/core/a.ts': `import type { B } from './b.ts'`,
    'src/core/b.ts': from('./c.ts'),
    'src/core/c.ts': from('./a.ts'),
  })
  assert.deepEqual(found, ['src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts: a cycle'])
})

test('complains about folders that import each other, where no file does', () => {
  const found = complaints({
    'src/core/drafts/a.ts': from('../people/b.ts'),
    'src/core/people/b.ts': 'export const thing = 1\n',
    'src/core/people/c.ts': from('../drafts/d.ts'),
    'src/core/drafts/d.ts': 'export const thing = 1\n',
  })
  assert.deepEqual(found, ['src/core/drafts → src/core/people → src/core/drafts: a cycle'])
})

test('complains about a crowded folder', () => {
  const files = Array.from({ length: 26 }, (_, n) => [`web/src/inbox/${n}.ts`, ''])
  assert.deepEqual(complaints(Object.fromEntries(files)), [
    'web/src/inbox: 26 files are two folders (25 at most)',
  ])
})

test('leaves alone what only looks like a breach', () => {
  const text = `/** As any other; see process.env and .prepare( */\nconst a = 'such as any mail' // as any\nconst many = 1\n`
  assert.deepEqual(complaints({ 'src/core/x.ts': text, 'src/core/y.ts': '\n'.repeat(400) }), [])
})
