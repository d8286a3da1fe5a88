import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const home = resolve(import.meta.dirname, '../..')

/** Builds the client and installs it into a folder as npm would, with its dependencies. */
export async function installClient(folder: string): Promise<string> {
  const place = join(folder, 'node_modules/@spool-inbox/client')
  mkdirSync(place, { recursive: true })
  copyFileSync(join(home, 'clients/typescript/package.json'), join(place, 'package.json'))
  const words = ['-p', join(home, 'clients/typescript'), '--outDir', join(place, 'dist')]
  await promisify(execFile)(process.execPath, [
    join(home, 'node_modules/typescript/bin/tsc'),
    ...words,
  ]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout)
  })
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(home, 'node_modules', name), join(folder, 'node_modules', name))
  return place
}
