#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node must be able to parse this file and then hand over or report the problem.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

// If npm or the launching Node is killed, it cannot forward a signal: exit when the parent is gone.
const { SPOOL_LAUNCHER: launcher, npm_lifecycle_event: script } = process.env
delete process.env.SPOOL_LAUNCHER
if (launcher !== undefined || ['start', 'demo', 'spool', 'npx'].includes(script)) {
  const parent = Number(launcher ?? process.ppid)
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  // On Linux npm installs a Node with Spool, so any installed Node can launch it.
  const own = findOwnNode()
  if (own !== null) {
    const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
    const env = { ...process.env, SPOOL_LAUNCHER: String(process.pid) }
    const child = spawn(own, args, { stdio: 'inherit', env })
    // The terminal signals both processes, and getting a signal twice is harmless; other senders signal only this one.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    const [code, signal] = await once(child, 'exit')
    process.exit(code ?? 128 + constants.signals[signal])
  }
  process.stderr.write(
    `Spool needs Node 24.7 or newer and this is ${process.versions.node}. On Linux (x64 or arm64) npm installs one with Spool, unless it is told to omit optional dependencies; elsewhere install it from nodejs.org.\n`,
  )
  process.exit(1)
}

// The compile cache halves start-up time. If it cannot be written, Spool runs without it.
const cache = fileURLToPath(new URL('../node_modules/.cache/spool', import.meta.url))
module.enableCompileCache(cache)
// Inherited by threads, which would otherwise load the type stripper again, 15 MB each.
process.env.NODE_COMPILE_CACHE ??= cache

// A checkout runs the TypeScript directly; an installed package contains it compiled.
const source = new URL('../src/main.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)

/** Null where it was not installed, or is the Node that runs this. */
function findOwnNode() {
  try {
    const name = `node-${process.platform}-${process.arch}`
    const own = createRequire(import.meta.url).resolve(`${name}/bin/node`)
    return realpathSync(own) === realpathSync(process.execPath) ? null : own
  } catch {
    return null
  }
}
