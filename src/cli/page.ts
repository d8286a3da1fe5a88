import { execFile } from 'node:child_process'
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

const home = resolve(import.meta.dirname, '../..')

/** As `preparePage`; a page that cannot be built does not keep the rest from starting. */
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
 * Makes the page of the web inbox anew where its sources are newer than what was made of them: so a checkout needs no
 * step of its own. Where there are no sources, or nothing to build them with, what is there is what is served.
 */
export async function preparePage(root = join(home, 'web')): Promise<'fresh' | 'built' | 'absent'> {
  if (!existsSync(join(root, 'index.html'))) return 'absent'
  const built = join(root, 'dist')
  if (newest(root) <= timeOf(join(built, 'index.html'))) return 'fresh'
  const vite = findVite()
  if (vite === null) return 'absent'
  // Beside its place and then put there whole: another server may be reading, or building, at this very moment.
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

/** Of everything the page is made of: its sources, the model it shares with the server, the packages. */
function newest(root: string): number {
  const exclude = ['dist/**', 'dist.*/**', 'node_modules/**']
  const sources = globSync('**/*', { cwd: root, exclude }).map((source) => join(root, source))
  const shared = globSync('src/model/**/*.ts', { cwd: home }).map((source) => join(home, source))
  return Math.max(...[join(home, 'package.json'), ...sources, ...shared].map(timeOf))
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** An installation without what is needed for development has none. */
function findVite(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('vite/package.json')
    return join(dirname(manifest), 'bin/vite.js')
  } catch {
    return null
  }
}
