import { execFile } from 'node:child_process'
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

const home = resolve(import.meta.dirname, '../..')

/** Like `preparePage`, but a failed build does not stop the start. */
export async function tryPreparePage(): Promise<void> {
  try {
    await preparePage()
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    process.stderr.write(
      `The web inbox could not be built: ${stripVTControlCharacters(stderr).trim() || message}\n`,
    )
  }
}

/**
 * Rebuilds the web inbox if its sources are newer than the build, so that a checkout needs no build step. Without
 * sources or build tools, the existing build is served.
 */
export async function preparePage(root = join(home, 'web')): Promise<'fresh' | 'built' | 'absent'> {
  if (!existsSync(join(root, 'index.html'))) return 'absent'
  const built = join(root, 'dist')
  if (newest(root) <= timeOf(join(built, 'index.html'))) return 'fresh'
  const vite = findVite()
  if (vite === null) return 'absent'
  // Built next to its final place and then renamed: another server may be reading or building right now.
  const draft = `${built}.${process.pid}`
  const old = `${draft}.old`
  try {
    const outDir = ['--outDir', draft, '--emptyOutDir', '--logLevel', 'error']
    await promisify(execFile)(process.execPath, [vite, 'build', root, ...outDir], { cwd: home })
    if (existsSync(built)) renameSync(built, old)
    renameSync(draft, built)
    return 'built'
  } finally {
    for (const folder of [draft, old]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Modification time of the newest input: sources, the model shared with the server, package.json. */
function newest(root: string): number {
  const exclude = ['dist/**', 'dist.*/**', 'node_modules/**']
  const sources = globSync('**/*', { cwd: root, exclude }).map((source) => join(root, source))
  const shared = globSync('src/model/**/*.ts', { cwd: home }).map((source) => join(home, source))
  return Math.max(...[join(home, 'package.json'), ...sources, ...shared].map(timeOf))
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Null in an installation without development dependencies. */
function findVite(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    return null
  }
}
