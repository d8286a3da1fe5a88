import { Client } from 'pg'
import { channel, listenerName } from './channel.ts'
import { connectTimeout } from './connect-timeout.ts'

/** Listens for commits of other nodes on its own connection and reconnects when it is lost. */
export class PostgresListener implements AsyncDisposable {
  readonly #url: string
  readonly #isOwn: (backend: number) => boolean
  readonly #onNews: () => void
  #client: Client | null = null
  #timer: NodeJS.Timeout | null = null
  #closed = false

  /** `isOwn` recognises this process's connections, whose commits are already known. */
  constructor(url: string, isOwn: (backend: number) => boolean, onNews: () => void) {
    this.#url = url
    this.#isOwn = isOwn
    this.#onNews = onNews
    void this.#connect()
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: connectTimeout(this.#url),
      keepAlive: true,
      application_name: listenerName,
    })
    this.#client = client
    let lost = false
    const onLost = (): void => {
      if (lost) return
      lost = true
      client.end().catch(() => undefined)
      if (!this.#closed) this.#timer = setTimeout(() => void this.#connect(), 1_000).unref()
    }
    client.on('error', onLost)
    client.on('end', onLost)
    client.on('notification', ({ processId }) => {
      if (!this.#isOwn(processId)) this.#onNews()
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      // Catch up on notifications missed while disconnected.
      this.#onNews()
    } catch {
      onLost()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }
}
