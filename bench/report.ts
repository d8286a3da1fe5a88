import type { Compared } from './rounds.ts'

export interface Target {
  name: string
  wanted: string
  found: string
  reached: boolean
}

export function printComparison(title: string, compared: readonly Compared[]): void {
  console.log(`\n${title}\n`)
  printTable(
    [
      '',
      '',
      'kB',
      'Spool req/s',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'anchor req/s',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'ratio',
      'by CPU',
    ],
    compared.map(({ scenario, bytes, spool, anchor, ratio, costRatio }) => [
      scenario.kind,
      scenario.name,
      (bytes / 1000).toFixed(1),
      spool.rate.toFixed(0),
      spool.p50.toFixed(2),
      spool.p99.toFixed(2),
      spool.cost.toFixed(0),
      anchor.rate.toFixed(0),
      anchor.p50.toFixed(2),
      anchor.p99.toFixed(2),
      anchor.cost.toFixed(0),
      ratio.toFixed(2),
      costRatio.toFixed(2),
    ]),
  )
}

export function printTargets(targets: readonly Target[]): void {
  console.log('\nTo reach\n')
  printTable(
    ['', 'wanted', 'found', ''],
    targets.map(({ name, wanted, found, reached }) => [name, wanted, found, reached ? 'reached' : 'missed']),
  )
}

/** As a Markdown table, to be pasted unchanged. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  console.log(line(head))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const row of rows) console.log(line(row))
}
