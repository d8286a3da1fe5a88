import { Child } from './child.ts'

/** `spool serve` as a separate process, which tests may kill. */
export class Serving implements AsyncDisposable {
  readonly #child: Child
  readonly url: string
  readonly smtp: string | null

  private constructor(child: Child, url: string, smtp: string | null) {
    this.#child = child
    this.url = url
    this.smtp = smtp
  }

  static async start(environment: Record<string, string>): Promise<Serving> {
    const child = new Child('bin/spool.js', ['serve'], { SPOOL_PORT: '0', ...environment })
    const [, url, smtp] = await child.says(/"url":"([^"]+)","smtp":(?:"([^"]+)"|null)/)
    return new Serving(child, url!, smtp ?? null)
  }

  get smtpPort(): number {
    return Number(this.smtp!.split(':').at(-1))
  }

  /** Log output, one JSON line per entry. */
  get log(): string {
    return this.#child.stdout
  }

  get pid(): number {
    return this.#child.process.pid!
  }

  says(pattern: RegExp, timeout?: number): Promise<RegExpExecArray> {
    return this.#child.says(pattern, timeout)
  }

  kill(): Promise<void> {
    return this.#child.kill()
  }

  /** Stops the server as a service manager does. Returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.process.kill('SIGTERM')
    return (await this.#child.ended).code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
  }
}
