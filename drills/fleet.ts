import { Child } from '../test/support/child.ts'
import { freePort } from '../test/support/parts/daemon.ts'
import { until } from '../test/support/until.ts'
import { startBalancer, type Balancer } from './balancer.ts'

interface Place {
  env: Record<string, string>
  smtpPort: number
  child: Child | null
}

/** Nodes, each in its own process and on its own port, behind a proxy that checks `/readyz`. */
export class Fleet implements AsyncDisposable {
  readonly #balancer: Balancer
  readonly #places: Place[]
  /** What nodes said that ended although nobody stopped or killed them. */
  readonly crashes: string[] = []

  private constructor(balancer: Balancer, places: Place[]) {
    this.#balancer = balancer
    this.#places = places
  }

  static async start(env: Record<string, string>, count: number): Promise<Fleet> {
    const places: Place[] = []
    for (let place = 0; place < count; place++) {
      const smtpPort = await freePort()
      const own = { SPOOL_PORT: String(await freePort()), SPOOL_SMTP_LISTEN: `127.0.0.1:${smtpPort}` }
      places.push({
        env: { SPOOL_RATE_LIMIT: '100000000/60', SPOOL_LOG_LEVEL: 'warn', ...env, ...own },
        smtpPort,
        child: null,
      })
    }
    const fleet = new Fleet(await startBalancer(200), places)
    await Promise.all(places.map((_, place) => fleet.launch(place)))
    return fleet
  }

  get size(): number {
    return this.#places.length
  }

  /** Address of the proxy in front of all nodes. */
  get url(): string {
    return this.#balancer.url
  }

  /** Address of one node. */
  urlOf(place: number): string {
    return `http://127.0.0.1:${this.#places[place]!.env['SPOOL_PORT']}`
  }

  get smtpPorts(): number[] {
    return this.#places.map(({ smtpPort }) => smtpPort)
  }

  get pids(): number[] {
    return this.#places.flatMap(({ child }) => child?.process.pid ?? [])
  }

  isReady(place: number): boolean {
    return this.#balancer.isReady(place)
  }

  /** Resolves when the node gets its share of the requests. */
  async launch(place: number): Promise<void> {
    const own = this.#places[place]!
    const child = new Child('bin/spool.js', ['serve', '--json'], own.env)
    own.child = child
    await child.says(/^\{"url":/m, 120_000)
    void child.ended.then(({ signal }) => {
      if (own.child === child && signal !== 'SIGKILL') this.crashes.push(`A node ended: ${child.stderr}`)
    })
    this.#balancer.place(place, this.urlOf(place))
    await until('the node is in rotation', async () => this.#balancer.isReady(place), 120_000)
  }

  /** Kills the node as a power cut would. The proxy has to notice by itself. */
  async kill(place: number): Promise<void> {
    await this.#places[place]!.child?.kill()
  }

  /** Stops the node as a service manager does; returns whether it exited cleanly. */
  async stop(place: number): Promise<boolean> {
    const own = this.#places[place]!
    const child = own.child!
    own.child = null
    child.process.kill('SIGTERM')
    const { code } = await child.ended
    this.#balancer.place(place, null)
    return code === 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#places.map(({ child }) => child?.[Symbol.asyncDispose]()))
    await this.#balancer[Symbol.asyncDispose]()
  }
}
