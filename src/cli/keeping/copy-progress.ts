import type { Progress } from '../../core/keeping/copy.ts'

/** A line on standard error every few seconds. */
export function reportProgress(): Progress {
  let last = performance.now()
  return (doing, rows) => {
    if (performance.now() - last < 5_000) return
    last = performance.now()
    process.stderr.write(`${doing} ${rows} rows\n`)
  }
}
