/**
 * What `npm pack` needs before it packs: the server compiled to `dist`, because Node strips no types below
 * `node_modules`, and the page built to `web/dist`.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, globSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { preparePage } from '../src/cli/page.ts'
import { bundleKysely } from './bundle.ts'

const home = resolve(import.meta.dirname, '..')

/** The same tree as `src`, so that relative paths stay true. */
export async function compile(folder: string): Promise<void> {
  const draft = `${folder}.draft`
  for (const old of [draft, folder]) rmSync(old, { recursive: true, force: true })
  const tsc = join(home, 'node_modules/typescript/bin/tsc')
  // Types are checked elsewhere. Sources import package.json, so that their common root is the project.
  const emit = ['--noEmit', 'false', '--noCheck', '--target', 'esnext', '--rootDir', home, '--outDir', draft]
  await promisify(execFile)(process.execPath, [tsc, '-p', join(home, 'deploy/tsconfig.json'), ...emit])
  renameSync(join(draft, 'src'), folder)
  rmSync(draft, { recursive: true })
  const source = join(home, 'src')
  for (const file of globSync('**/*.{css,js}', { cwd: source }))
    copyFileSync(join(source, file), join(folder, file))
}

if (import.meta.main) {
  await preparePage()
  await compile(join(home, 'dist'))
  await bundleKysely()
}
