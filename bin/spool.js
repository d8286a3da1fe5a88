#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node must be able to read this far and hand over, or say what is wrong.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// npm, or an older Node, that was killed can pass on no signal: without it nobody would end this process.
const { SPOOL_LAUNCHER: launcher, npm_lifecycle_event: script } = process.env
delete process.env.SPOOL_LAUNCHER
if (launcher !== undefined || ['start', 'demo', 'spool'].includes(script)) {
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
  // "npm ci" brings a Node of its own, so that whatever Node somebody has will do.
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (existsSync(own) && realpathSync(own) !== realpathSync(process.execPath)) {
    const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
    const env = { ...process.env, SPOOL_LAUNCHER: String(process.pid) }
    const child = spawn(own, words, { stdio: 'inherit', env })
    // The terminal tells both of its own signals, and twice is as good as once; all others tell only this one.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    const [code, signal] = await once(child, 'exit')
    process.exit(code ?? 128 + constants.signals[signal])
  }
  process.stderr.write(
    `Spool needs Node 24.7 or newer and this is ${process.versions.node}. In a checkout, "npm ci" brings one: use "npm start" or "npm run -s spool -- …".\n`,
  )
  process.exit(1)
}

// Kept between starts, what was compiled halves the time of the next; where it cannot be written nothing is lost.
const cache = fileURLToPath(new URL('../node_modules/.cache/spool', import.meta.url))
module.enableCompileCache(cache)
// For threads, which would else load the remover of types again, 15 MB each.
process.env.NODE_COMPILE_CACHE ??= cache

// Loading the program must not use up the memory that it may have later: src/cli/heap.ts lets go of this.
if (['import', 'serve'].includes(process.argv[2])) setFlagsFromString('--semi-space-growth-factor=1')

// A checkout runs the TypeScript as it is; an installed package holds it compiled.
const source = new URL('../src/main.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
