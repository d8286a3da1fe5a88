import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import type * as Prometheus from 'prom-client'
import { SpoolError } from '../model/errors.ts'
import { Durations } from './durations.ts'

/** Only the parts of prom-client that are used: loading all of it takes a tenth of the start-up time. */
const load = createRequire(import.meta.url)
const Counter = load('prom-client/lib/counter') as typeof Prometheus.Counter
const Gauge = load('prom-client/lib/gauge') as typeof Prometheus.Gauge
const Registry = load('prom-client/lib/registry') as typeof Prometheus.Registry

export interface RequestSeen {
  id: string
  method: string
  /** The route's pattern, never the URL, which may contain search terms. */
  route: string
  status: number
  seconds?: number
  tokenId?: string | null
}

type ReadEach = () => Readonly<Record<string, number>>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Requests with the same method, route and status; what they share is formatted once. */
interface Kind {
  observe(this: void, seconds: number): void
  log: Logger
}

/** The access log and the metrics. No token, address, subject or text appears in either. */
export class Observer {
  readonly #registry = new Registry()
  readonly #log: Logger
  readonly #requests = new Durations(
    'spool_request_seconds',
    'Duration of requests by route',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  )
  readonly #store = new Durations(
    'spool_store_seconds',
    'Duration of queries (read) and transactions (write)',
    [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  )
  readonly #deliveries = new Durations(
    'spool_webhook_attempt_seconds',
    'Duration of attempts to deliver a webhook',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  )
  readonly #kinds = new Map<string, Map<string, Map<number, Kind>>>()
  readonly #rateLimited: Prometheus.Counter
  readonly #refused: Prometheus.Counter<'status'>

  constructor(log: Logger) {
    this.#log = log
    const registers = [this.#registry]
    this.#rateLimited = new Counter({
      name: 'spool_rate_limited_total',
      help: 'Requests over their limit',
      registers,
    })
    this.#refused = new Counter({
      name: 'spool_refused_total',
      help: 'Requests refused with 401 or 403',
      labelNames: ['status'],
      registers,
    })
  }

  request({ id, method, route, status, seconds = 0, tokenId = null }: RequestSeen): void {
    const { observe, log } = this.#kindOf(methods.has(method) ? method : 'other', route, status)
    observe(seconds)
    if (status === 429) this.#rateLimited.inc()
    if (status === 401 || status === 403) this.#refused.inc({ status: String(status) })
    log.info({ requestId: id, ms: Math.round(seconds * 1e5) / 100, tokenId }, 'request')
  }

  #kindOf(method: string, route: string, status: number): Kind {
    // Nested maps: building a joined key would cost more than the lookups.
    let ofRoute = this.#kinds.get(route)
    if (!ofRoute) this.#kinds.set(route, (ofRoute = new Map()))
    let ofMethod = ofRoute.get(method)
    if (!ofMethod) ofRoute.set(method, (ofMethod = new Map()))
    let kind = ofMethod.get(status)
    if (!kind) {
      kind = {
        observe: this.#requests.series({ route, method, status: String(status) }),
        log: this.#log.child({ method, route, status }),
      }
      ofMethod.set(status, kind)
    }
    return kind
  }

  /** Messages of library errors may quote data (a row, a parameter, JSON), so only Spool's own are logged. */
  fault(requestId: string, error: unknown): void {
    const { name, code, message = '', stack } = error as Partial<NodeJS.ErrnoException>
    const own = error instanceof SpoolError
    const trace = own ? stack : stack?.replace(message, '')
    const cause = (own && (error.cause as { code?: string } | undefined)?.code) || undefined
    this.#log.error({ requestId, name, code, cause, stack: trace }, 'request failed with an internal error')
  }

  /** A gauge, read on each scrape. */
  watch(name: string, help: string, read: () => number): void {
    const gauge: Prometheus.Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) })
    this.#registry.registerMetric(gauge)
  }

  /** A counter kept elsewhere since the start, one value per label, read on each scrape. */
  watchCounts(name: string, help: string, label: string, read: ReadEach): void {
    this.#watchLabels(Counter, name, help, label, read)
  }

  /** A gauge with one value per label, read on each scrape. */
  watchEach(name: string, help: string, label: string, read: ReadEach): void {
    this.#watchLabels(Gauge, name, help, label, read)
  }

  #watchLabels(
    Metric: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    label: string,
    read: ReadEach,
  ): void {
    const collect = (): void => {
      metric.reset()
      for (const [value, number] of Object.entries(read())) metric.inc({ [label]: value }, number)
    }
    const metric = new Metric({ name, help, labelNames: [label], registers: [], collect })
    this.#registry.registerMetric(metric)
  }

  /** The callback for the store's query durations. */
  watchStore(): (kind: 'read' | 'write', seconds: number) => void {
    const observe = {
      read: this.#store.series({ kind: 'read' }),
      write: this.#store.series({ kind: 'write' }),
    }
    return (kind, seconds) => observe[kind](seconds)
  }

  /** The callback for webhook delivery durations. */
  watchDeliveries(): (delivered: boolean, seconds: number) => void {
    const delivered = this.#deliveries.series({ outcome: 'delivered' })
    const failed = this.#deliveries.series({ outcome: 'failed' })
    return (done, seconds) => (done ? delivered : failed)(seconds)
  }

  /** In Prometheus text format. */
  async renderMetrics(): Promise<{ contentType: string; text: string }> {
    const text = [
      await this.#registry.metrics(),
      this.#requests.render(),
      this.#store.render(),
      this.#deliveries.render(),
    ].join('\n')
    return { contentType: this.#registry.contentType, text }
  }
}
