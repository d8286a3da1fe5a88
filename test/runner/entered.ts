import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { home } from '../support/home.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

/** What V8 writes when a process ends. */
interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}

/**
 * Collects which named functions of `src` the processes of a run enter. Processes that are killed leave nothing, so
 * what only they enter is missing.
 */
export class Entered implements Disposable {
  readonly #folder = scratchFolder('coverage')
  readonly #prefix = `${pathToFileURL(join(home, 'src')).href}/`
  readonly #byFile = new Map<string, Set<string>>()
  /** Thousands of processes write megabytes each: what is there is read and removed now and then. */
  readonly #timer = setInterval(() => this.#read(Date.now() - 5000), 5000).unref()

  constructor() {
    mkdirSync(this.#folder, { recursive: true })
    process.env['NODE_V8_COVERAGE'] = this.#folder
  }

  /** Writes a line for each file with the names of its functions that were entered. */
  write(path: string): void {
    this.#read(Infinity)
    const lines = [...this.#byFile]
      .map(([file, names]) => `${file}: ${[...names].sort().join(' ')}`)
      .sort((a, b) => (a < b ? -1 : 1))
    writeFileSync(path, `${lines.join('\n')}\n`)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    delete process.env['NODE_V8_COVERAGE']
  }

  #read(before: number): void {
    if (!existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder)) {
      const [, written] = /^coverage-\d+-(\d+)-\d+\.json$/.exec(name) ?? []
      if (written === undefined || Number(written) > before) continue
      const path = join(this.#folder, name)
      try {
        this.#note(JSON.parse(readFileSync(path, 'utf8')) as Coverage)
      } catch {
        // Cut off by a kill while it was written.
      }
      rmSync(path)
    }
  }

  #note({ result }: Coverage): void {
    for (const { url, functions } of result) {
      if (!url.startsWith(this.#prefix)) continue
      const file = fileURLToPath(url).slice(home.length + 1)
      const names = this.#byFile.get(file) ?? new Set()
      this.#byFile.set(file, names)
      for (const { functionName, ranges } of functions)
        if (functionName !== '' && ranges[0]!.count > 0) names.add(functionName)
    }
  }
}
