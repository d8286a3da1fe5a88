interface Counts {
  labels: string
  /** Counts per bucket; the last bucket is +Inf. */
  buckets: number[]
  sum: number
}

/**
 * A histogram in Prometheus text format. prom-client's own looks up its labels for every value, which costs as much
 * as writing the log line; here a series is created once and then only counts.
 */
export class Durations {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #series: Counts[] = []

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = bounds
  }

  /** Returns a function that records one duration in seconds. Label values must be Spool's own constants. */
  series(labels: Record<string, string>): (seconds: number) => void {
    const bounds = this.#bounds
    const counts: Counts = {
      labels: Object.entries(labels)
        .map(([name, value]) => `${name}="${value}"`)
        .join(','),
      buckets: Array.from({ length: bounds.length + 1 }, () => 0),
      sum: 0,
    }
    this.#series.push(counts)
    return (seconds) => {
      let bucket = 0
      while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
      counts.buckets[bucket]!++
      counts.sum += seconds
    }
  }

  render(): string {
    const lines = this.#series.flatMap(({ labels, buckets, sum }) => {
      let count = 0
      const upTo = buckets.map((some, index) => {
        count += some
        return `${this.#name}_bucket{le="${this.#bounds[index] ?? '+Inf'}",${labels}} ${count}`
      })
      return [...upTo, `${this.#name}_sum{${labels}} ${sum}`, `${this.#name}_count{${labels}} ${count}`]
    })
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`]
    return `${[...head, ...lines].join('\n')}\n`
  }
}
