import { builtinModules } from 'node:module'
import { posix } from 'node:path'

/** Source text by path relative to the project root, with forward slashes. */
export type Tree = Map<string, string>

/** Allowed imports, keyed by the folder or file directly under `src`. Every place may import itself. */
const mayImport: Record<string, string[]> = {
  model: [],
  config: ['model'],
  store: ['model'],
  core: ['store', 'model'],
  mail: ['model'],
  webhook: ['model'],
  // Uses the network guard in `webhook`.
  fetch: ['webhook', 'model'],
  // Tests connections through `mail`.
  http: ['contract', 'core', 'mail', 'model'],
  // src/http/contract: the contract between the page and the server.
  contract: ['model'],
  mcp: ['core', 'model'],
  workers: ['core', 'mail', 'webhook', 'model'],
  app: ['config', 'model', 'store', 'core', 'mail', 'webhook', 'fetch', 'http', 'mcp', 'workers'],
  cli: ['core', 'mail', 'mcp', 'app', 'model', 'config', 'demo'],
  // The sample mail of `spool demo`.
  demo: [],
  main: ['cli', 'config'],
  web: ['contract', 'model'],
}

const readsEnvironment = new Set(['src/config.ts', 'src/main.ts'])
const noFolders = new Set(['utils', 'helpers', 'services', 'lib', 'common'])
const mostLines = 400

/** Returns every violation of the architecture rules, one sentence each. When in doubt, it complains. */
export function findViolations(tree: Tree): string[] {
  const imports = new Map([...tree].map(([path, source]) => [path, readImports(path, source)]))
  return [
    ...[...tree.keys()].flatMap((path) => checkPath(path)),
    ...[...tree].flatMap(([path, source]) => checkText(path, source)),
    ...[...imports].flatMap(([path, targets]) => checkImports(path, targets)),
    ...[...tree].flatMap(([path, source]) => checkPageImports(path, source, tree)),
    ...findCycles(imports),
    ...findFolderCycles(imports),
    ...findCrowds(tree),
  ]
}

function checkPath(path: string): string[] {
  const folders = path.split('/').slice(0, -1)
  const found = folders.filter((folder) => noFolders.has(folder))
  const complaints = found.map((folder) => `${path}: a folder named ${folder} says nothing`)
  if (/\/index\.tsx?$/.test(path)) complaints.push(`${path}: no barrels, so no index file`)
  const place = placeOf(path)
  if (place !== null && !Object.hasOwn(mayImport, place))
    complaints.push(`${path}: ${place} is not on the map`)
  return complaints
}

function checkText(path: string, source: string): string[] {
  const complaints: string[] = []
  const code = withoutComments(source)
  const lines = source.replace(/\n$/, '').split('\n').length
  if (lines > mostLines) complaints.push(`${path}: ${lines} lines are two files (${mostLines} at most)`)
  if (!/\.tsx?$/.test(path)) return complaints
  if (/^\s*export\s+(?:type\s+)?\*/m.test(code)) complaints.push(`${path}: export * makes a barrel`)
  if (usesAny(code)) complaints.push(`${path}: any`)
  if (/\bdescribe\(('[^']*'|`[^`]*`|\w+), async\b/.test(code))
    complaints.push(`${path}: tests declared after a pause belong to no suite`)
  if (!path.startsWith('src/')) return complaints
  if (readsEnv(code) && !readsEnvironment.has(path)) complaints.push(`${path}: reads process.env`)
  if (speaksSql(code) && placeOf(path) !== 'store') complaints.push(`${path}: SQL outside src/store`)
  return complaints
}

function checkImports(path: string, targets: string[]): string[] {
  const place = placeOf(path)
  if (place === null) return []
  const allowed = new Set([place, ...(mayImport[place] ?? [])])
  return targets.flatMap((target) => {
    if (target === unknown) return [`${path}: an import that only running it would tell`]
    if (!isOurs(target)) return place === 'web' && isNode(target) ? [`${path}: web imports ${target}`] : []
    if (target === 'package.json' && place !== 'model') return []
    const other = placeOf(target)
    return other !== null && allowed.has(other) ? [] : [`${path}: ${place} imports ${target}`]
  })
}

/** Schemas are for validation on the server. The page imports only their types, which keeps its bundle small. */
function checkPageImports(path: string, source: string, tree: Tree): string[] {
  if (placeOf(path) !== 'web') return []
  const withoutTypes = source.replace(/^\s*import type\b[^'"]*['"][^'"]+['"]/gm, '')
  return readImports(path, withoutTypes)
    .filter(
      (target) =>
        target === 'zod' ||
        /\bfrom ['"]zod['"]/.test(tree.get(target) ?? '') ||
        placeOf(target) === 'contract',
    )
    .map((target) => `${path}: web takes only types from ${target}`)
}

/** `http` for src/http/routes/v1/threads.ts, `app` for src/app.ts, `web` for everything in web, otherwise null. */
function placeOf(path: string): string | null {
  const [top, next] = path.split('/')
  if (top === 'web') return 'web'
  if (top !== 'src' || next === undefined) return null
  if (path.startsWith('src/http/contract/')) return 'contract'
  return next.replace(/\.tsx?$/, '')
}

const unknown = '?'

/** Returns own modules as paths from the root and packages by name, including modules named to start a worker. */
function readImports(path: string, source: string): string[] {
  if (!/\.[tj]sx?$|\.mjs$/.test(path)) return []
  const code = withoutComments(source)
  const quoted = String.raw`\s*(['"])([^'"\n]+)\1`
  const named = [
    new RegExp(String.raw`^\s*(?:import|export)\b[^'";]*?\bfrom${quoted}`, 'gm'),
    new RegExp(String.raw`^\s*import${quoted}`, 'gm'),
    new RegExp(String.raw`\b(?:import|require)\s*\(${quoted}`, 'g'),
    new RegExp(String.raw`\bnew URL\(${quoted}\s*,\s*import\.meta\.url`, 'g'),
  ].flatMap((pattern, kind) =>
    [...code.matchAll(pattern)]
      .map((match) => match[2]!)
      .filter((name) => kind < 3 || /\.[tj]sx?$/.test(name))
      .map((name) => (kind === 3 && !name.startsWith('.') ? `./${name}` : name)),
  )
  const hidden = /\bimport\s*\(\s*(?!['"\s])/.test(code) ? [unknown] : []
  const targets = named.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
  return [...new Set([...targets, ...hidden])]
}

function isOurs(target: string): boolean {
  return (
    /^(?:src|test|bench|web|examples|bin)\//.test(target) ||
    target === 'package.json' ||
    target.startsWith('..')
  )
}

function isNode(target: string): boolean {
  return target.startsWith('node:') || builtinModules.includes(target)
}

function findCycles(imports: Map<string, string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) cycles.push(`${[...trail.slice(at), path].join(' → ')}: a cycle`)
    if (at >= 0 || done.has(path)) return
    for (const target of imports.get(path) ?? []) if (imports.has(target)) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return cycles
}

/** Inside these folders, dependencies between subfolders must not form a cycle. */
const housesOfRooms = ['src/core', 'src/store', 'web/src']

function findFolderCycles(imports: Map<string, string[]>): string[] {
  return housesOfRooms.flatMap((house) => {
    const rooms = new Map<string, string[]>()
    for (const [path, targets] of imports) {
      const room = roomOf(house, path)
      const others = targets.flatMap((target) => roomOf(house, target) ?? [])
      if (room) rooms.set(room, [...(rooms.get(room) ?? []), ...others.filter((other) => other !== room)])
    }
    // Cycles between files are already reported by findCycles.
    return findCycles(rooms).filter((cycle) => /^[^→]*\/[^./]+ →|→ [^→]*\/[^./]+( →|:)/.test(cycle))
  })
}

/** `src/core/drafts` for src/core/drafts/view.ts; for a file outside every subfolder, its own path. */
function roomOf(house: string, path: string): string | null {
  if (!path.startsWith(`${house}/`)) return null
  const [name, ...inside] = path.slice(house.length + 1).split('/')
  return inside.length > 0 ? `${house}/${name}` : path
}

const mostFiles = 25
/** These folders hold many files by nature. */
const maybeCrowded = /\/migrations$|^src\/demo\//

function findCrowds(tree: Tree): string[] {
  const folders = Map.groupBy(
    [...tree.keys()].filter((path) => /^(src|web\/src)\//.test(path)),
    (path) => posix.dirname(path),
  )
  return [...folders]
    .filter(([folder, files]) => files.length > mostFiles && !maybeCrowded.test(folder))
    .map(([folder, files]) => `${folder}: ${files.length} files are two folders (${mostFiles} at most)`)
}

/** Strips only whole-line and end-of-line comments. A string that looks like a comment is rare and does little harm. */
function withoutComments(source: string): string {
  return source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').replace(/\s\/\/\s.*$/gm, '')
}

function usesAny(code: string): boolean {
  const ends = String.raw`(?=\s*(?:[=;,)\]}>|&[.{]|$))`
  return new RegExp(String.raw`(?::|\bas|[<,|&]|=>?)\s*any\b${ends}`, 'm').test(code)
}

function readsEnv(code: string): boolean {
  return (
    /\bprocess\s*(?:\?\.|\.)\s*(?:env|loadEnvFile)\b|\bprocess\s*\[/.test(code) ||
    /\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/.test(code) ||
    /\benv\b[^;'"]*\bfrom\s*['"](?:node:)?process['"]/.test(code)
  )
}

function speaksSql(code: string): boolean {
  return /\b(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\s*\(|\.prepare\s*[(<]|\bsql(?:<[^`;]*>)?`/.test(
    code,
  )
}
