import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { cloneSources, megabytes, newUser, runAs, serveAs } from '../support/installed.ts'
import { requirePart, skipWithout } from '../support/parts/install.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { home } from '../support/home.ts'

const node = `node_modules/node-linux-${process.arch}`
const version = (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }).version

/** The page with all that it loads at first. */
async function checkPage(url: string): Promise<void> {
  const page = await fetch(url)
  assert.equal(page.status, 200)
  const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
  assert.ok(assets.length >= 3)
  for (const [, asset] of assets) assert.equal((await fetch(`${url}${asset}`)).status, 200, asset)
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
}

describe('a machine with npm and any Node', () => {
  let env: Record<string, string>
  let clone: string
  let installed: Awaited<ReturnType<typeof runAs>>

  before(async () => {
    env = newUser()
    clone = cloneSources()
    installed = await runAs(env, clone, 'npm', 'ci')
  })

  test('npm ci of a fresh clone takes at most 450 MB and warns of nothing', (t) => {
    const size = megabytes(join(clone, 'node_modules'))
    const own = megabytes(join(clone, node))
    t.diagnostic(
      `npm ci: ${size.toFixed()} MB (${own.toFixed()} of them Node), ${installed.seconds.toFixed()} s`,
    )
    t.diagnostic('before: 527 MB (186 of them Node)')
    assert.ok(size <= 450, `${size} MB`)
    assert.doesNotMatch(installed.output, /warn/i)
    assert.ok(existsSync(join(clone, 'web/dist/index.html')), 'the page is built')
  })

  test('npm run demo is ready after at most 6 s of processor time', async (t) => {
    await using demo = await serveAs(env, clone, 'npm', 'run', 'demo')
    t.diagnostic(`the first npm run demo: ${demo.processorTime} s of processor time`)
    await checkPage(demo.url)
    assert.ok(demo.processorTime <= 6, `${demo.processorTime} s`)
  })

  test('without development dependencies it serves the page', async (t) => {
    const server = cloneSources()
    await runAs(env, server, 'npm', 'ci', '--omit=dev')
    assert.ok(!existsSync(join(server, 'node_modules/typescript')))
    t.diagnostic(`npm ci --omit=dev: ${megabytes(join(server, 'node_modules')).toFixed()} MB`)
    await using running = await serveAs(env, server, 'npm', 'start')
    await checkPage(running.url)
  })

  test('npm pack makes a package that installs into an empty prefix, runs by npx, and serves the page', async (t) => {
    await runAs(env, clone, 'npm', 'pack')
    const [archive] = globSync('*.tgz', { cwd: clone }).map((name) => join(clone, name))
    const prefix = scratchFolder('prefix')
    const elsewhere = scratchFolder('elsewhere')
    await runAs(env, elsewhere, 'npm', 'install', '--global', '--prefix', prefix, archive!)
    const spool = join(prefix, 'bin/spool')
    const place = join(prefix, 'lib/node_modules/@spool-inbox/spool')
    const rest = megabytes(prefix) - megabytes(join(place, node))
    t.diagnostic(`npm install --global: ${rest.toFixed()} MB besides Node`)
    assert.ok(rest <= 150, `${rest} MB`)
    assert.ok(!existsSync(join(place, 'src/main.ts')) && !existsSync(join(place, 'node_modules/vite')))
    assert.equal((await runAs(env, elsewhere, spool, '--version')).stdout.trim(), version)
    {
      await using running = await serveAs(env, elsewhere, spool, 'serve')
      await checkPage(running.url)
      assert.ok(existsSync(join(elsewhere, 'data/spool.db')), 'in the folder where it was started')
    }
    const npx = ['--yes', '--package', archive!, 'spool']
    assert.equal((await runAs(env, scratchFolder('npx'), 'npx', ...npx, '--version')).stdout.trim(), version)
    await using demo = await serveAs(env, elsewhere, 'npx', ...npx, 'demo')
    await checkPage(demo.url)
  })
})

describe('the systemd units', () => {
  const needs = { skip: skipWithout('systemd-analyze') }

  test('pass systemd-analyze verify', needs, async (t) => {
    const folder = scratchFolder('units')
    // The command as it will be installed.
    writeFileSync(join(folder, 'spool'), '#!/bin/sh\n', { mode: 0o755 })
    const units = globSync('deploy/*.{service,timer}', { cwd: home })
    assert.deepEqual(units.length, 3)
    const copies = units.map((unit) => {
      const copy = join(folder, unit.slice('deploy/'.length))
      const text = readFileSync(join(home, unit), 'utf8')
      writeFileSync(copy, text.replace('ExecStart=spool ', `ExecStart=${join(folder, 'spool')} `))
      return copy
    })
    const analyze = requirePart('systemd-analyze')
    const env = newUser()
    const { output } = await runAs(env, folder, analyze, 'verify', '--recursive-errors=no', ...copies)
    assert.equal(output, '')
    const service = copies.find((copy) => copy.endsWith('/spool.service'))
    const offline = ['security', '--offline=true', '--threshold=30', service!]
    const { stdout } = await runAs(env, folder, analyze, ...offline)
    t.diagnostic(stdout.trim().split('\n').at(-1)!)
  })
})
