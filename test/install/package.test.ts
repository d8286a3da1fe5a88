import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { compile } from '../../deploy/pack.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { home } from '../support/home.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

interface Manifest {
  name: string
  files: string[]
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const read = (path: string): string => readFileSync(join(home, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest

test('the package has every module compiled, every file that modules read, and nothing else', async () => {
  const folder = join(scratchFolder('package'), 'dist')
  await compile(folder)
  // Declarations are for the compiler alone.
  const sources = globSync('src/**/*.*', { cwd: home, exclude: ['**/*.d.ts'] }).map((path) =>
    path.slice('src/'.length),
  )
  const wanted = sources.map((path) => path.replace(/\.ts$/, '.js'))
  assert.equal(new Set(wanted).size, sources.length, 'a file read at run time has the name of a module')
  const made = globSync('**/*.*', { cwd: folder })
  assert.deepEqual(made.toSorted(), wanted.toSorted())
  for (const path of made)
    assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /(?:from|import\() ?'\.[^']*\.ts'/, path)
})

test('the package brings what it runs, and depends on no development tool', () => {
  for (const path of ['bin', 'dist', 'web/dist', 'deploy']) assert.ok(manifest.files.includes(path), path)
  assert.match(manifest.scripts['prepack']!, /deploy\/pack\.ts/)
  const statement =
    /^(?:import|export)\s(?!type\s)(?:[\w*{},\s]+from\s)?'([^.'][^']*)'|import\('([^.'][^']*)'\)/gm
  const imported = globSync('src/**/*.ts', { cwd: home }).flatMap((path) =>
    [...read(path).matchAll(statement)].map(([, named, asked]) => named ?? asked!),
  )
  const packages = imported
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  assert.ok(packages.includes('fastify'))
  const missing = new Set(packages.filter((name) => !(name in manifest.dependencies)))
  assert.deepEqual([...missing], [])
})

test('what is installed is named exactly, comes from any registry, and runs no script', () => {
  const lockfile = read('package-lock.json')
  assert.doesNotMatch(lockfile, /"resolved": "[a-z+]+:/)
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> }
  for (const [path, { dev, hasInstallScript }] of Object.entries(packages))
    assert.ok(dev || !hasInstallScript, path)
  // Its own package.json says so too, but "npm ci" believes the lockfile, and "npm install" leaves it out there.
  assert.equal(packages['node_modules/better-sqlite3']!.gypfile, false, 'or npm ci compiles it; put it back')
  const page = (JSON.parse(read('web/package.json')) as Manifest).dependencies
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...page }
  for (const [name, version] of Object.entries(all))
    assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name)
})

/**
 * Bindings of development tools for other systems, of which the registry had no such version when they were locked. A
 * new version has to be locked with all of its checksums, or be named here.
 */
const unpublished: Readonly<Record<string, string>> = {
  '@oxfmt/binding-': '0.77.0',
  '@oxlint/binding-': '1.93.0',
  '@rolldown/binding-': '1.2.18',
}
const ourSystem = /-linux-(?:x64|arm64)-/

test('whatever npm ci downloads is compared with a checksum of the lockfile', () => {
  const files = globSync('{.,test/**/tools/**}/package-lock.json', {
    cwd: home,
    exclude: ['**/node_modules/**'],
  })
  assert.ok(files.length > 1)
  const missing = files.flatMap((file) => {
    const { packages } = JSON.parse(read(file)) as { packages: Record<string, Locked> }
    return Object.entries(packages).flatMap(([path, { version = '', integrity, link }]) => {
      const name = path.split('node_modules/')[1]
      if (name === undefined || link || /^sha512-[\w+/]{86}==$/.test(integrity ?? '')) return []
      const isKnown = Object.entries(unpublished).some(
        ([start, known]) => name.startsWith(start) && version === known && !ourSystem.test(name),
      )
      return isKnown ? [] : [`${file}: ${name} ${version}`]
    })
  })
  assert.deepEqual(missing, [])
})

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
  gypfile?: boolean
}

const program = join(home, 'bin/spool.js')

test('spool runs from any folder, by a link too, and works on the store of that folder', async () => {
  const folder = scratchFolder('anywhere')
  const link = join(folder, 'spool')
  symlinkSync(program, link)
  const { PATH, NODE_COMPILE_CACHE = join(folder, 'cache') } = process.env
  const options = { cwd: folder, env: { PATH, NODE_COMPILE_CACHE } }
  const { stdout } = await run(process.execPath, [link, '--version'], options)
  assert.equal(stdout.trim(), (JSON.parse(read('package.json')) as { version: string }).version)
  const { stderr } = await run(process.execPath, [link, 'user', 'list'], options).then(
    () => assert.fail('there is no store'),
    (error: { stderr: string }) => error,
  )
  assert.ok(stderr.includes(join(folder, 'data')), stderr)
})

test('a Spool that npx started by its link ends when npx is killed', async () => {
  const folder = scratchFolder('npx')
  const link = join(folder, 'spool')
  symlinkSync(program, link)
  const { PATH, NODE_COMPILE_CACHE = join(folder, 'cache') } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    npm_lifecycle_event: 'npx',
    SPOOL_PORT: '0',
    SPOOL_DRAIN_SECONDS: '0',
  }
  // As npx does: a shell between them, which cannot pass on the signal that kills it.
  const script = '"$0" "$1" serve --json & echo "pid $!"; wait'
  const npx = spawn('sh', ['-c', script, process.execPath, link], { cwd: folder, env, stdio: 'pipe' })
  const state = { said: '', hasEnded: false }
  npx.stdout.setEncoding('utf8').on('data', (text: string) => (state.said += text))
  npx.stdout.on('close', () => (state.hasEnded = true))
  try {
    await until('it serves', async () => /"url":/.test(state.said), 60_000)
    npx.kill('SIGKILL')
    await until('it has ended', async () => state.hasEnded, 60_000)
  } finally {
    const [, pid] = /^pid (\d+)$/m.exec(state.said) ?? []
    if (!state.hasEnded && pid) process.kill(Number(pid), 'SIGKILL')
  }
})

/** Makes this Node say that it is an older one. */
const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`

test('an older Node hands over to the one that npm installed with Spool, or says in a sentence what is missing', async () => {
  const folder = scratchFolder('old-node')
  mkdirSync(join(folder, 'bin'))
  copyFileSync(program, join(folder, 'bin/spool.js'))
  const start = () => run(process.execPath, ['--import', pretend, join(folder, 'bin/spool.js'), 'a', 'b c'])
  await assert.rejects(start(), (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 1)
    assert.match(error.stderr, /^Spool needs Node 24\.7 or newer and this is 20\.19\.0\. [^\n]+\n$/)
    return true
  })
  // As npm puts it beside Spool, whether it is installed for one project or for the whole machine.
  const own = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin`)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'node'), '#!/bin/sh\nshift\necho "$@"\n', { mode: 0o755 })
  assert.equal((await start()).stdout, 'a b c\n')
})
