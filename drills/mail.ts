import { setTimeout as sleep } from 'node:timers/promises'
import { writeMail } from '../test/support/letter.ts'
import { SmtpClient } from '../test/support/smtp-client.ts'

export interface Sending {
  /** SMTP ports of the nodes; each attempt uses the next one. */
  ports: readonly number[]
  senders: number
  /** Pause between two mails of a sender, in milliseconds. */
  pause: number
}

/** An attempt that takes longer counts as failed. Real mail servers time out too, only later. */
const timeout = 15_000

/** Sends mail as mail servers do: unacknowledged mail is retried, at the next node, until it is acknowledged. */
export class MailSenders implements AsyncDisposable {
  /** When each mail was acknowledged, by its subject, which is a unique word. */
  readonly acknowledged = new Map<string, number>()
  attempts = 0
  readonly #sending: Sending
  readonly #end = new AbortController()
  readonly #running: Promise<unknown>
  #number = 0

  constructor(sending: Sending) {
    this.#sending = sending
    this.#running = Promise.all(Array.from({ length: sending.senders }, () => this.#run()))
  }

  /** Resolves when the mail in flight is acknowledged. */
  async end(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sending.ports = []
    await this.end()
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const subject = `drill${this.#number++}mail`
      const raw = writeMail({ subject, messageId: `<${subject}@brandt.example>`, text: `Text of ${subject}` })
      while (!(await this.#attempt(raw))) {
        if (this.#sending.ports.length === 0) return
        await sleep(100)
      }
      this.acknowledged.set(subject, performance.now())
      await sleep(this.#sending.pause)
    }
  }

  async #attempt(raw: string): Promise<boolean> {
    const { ports } = this.#sending
    const port = ports[this.attempts++ % ports.length]
    return port !== undefined && (await deliverMail(port, raw)).startsWith('250')
  }
}

/** Returns the server's last reply; empty if there was none. */
export async function deliverMail(port: number, raw: string): Promise<string> {
  try {
    using client = await SmtpClient.connect(port)
    const late = setTimeout(() => client[Symbol.dispose](), timeout)
    try {
      await client.hello()
      return (await client.deliver(raw, ['support@shop.example'])).at(-1)!
    } finally {
      clearTimeout(late)
    }
  } catch {
    return ''
  }
}
