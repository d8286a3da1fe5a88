import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Sends raw SMTP, so that it can also violate the protocol. */
export class SmtpClient implements Disposable {
  #socket: Socket
  #received = ''
  #waiting: (() => void) | null = null
  isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#listen(socket)
  }

  static async connect(port: number): Promise<SmtpClient> {
    // Otherwise (Nagle) the final dot could wait for the acknowledgement of the data before it.
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const client = new SmtpClient(socket)
    await once(socket, 'connect')
    return client
  }

  #listen(socket: Socket): void {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#received += text
      this.#waiting?.()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.isClosed = true
      this.#waiting?.()
    })
  }

  /** Reads one complete reply, possibly multi-line; empty if the connection has ended. */
  async reply(): Promise<string> {
    for (;;) {
      const match = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(this.#received)
      if (match) {
        this.#received = this.#received.slice(match[0].length)
        return match[0].trimEnd()
      }
      if (this.isClosed) return ''
      await new Promise<void>((resolve) => (this.#waiting = resolve))
      this.#waiting = null
    }
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  async say(line: string): Promise<string> {
    this.write(`${line}\r\n`)
    return this.reply()
  }

  /** Waits for the greeting and sends EHLO or LHLO. */
  async hello(word: 'EHLO' | 'LHLO' = 'EHLO'): Promise<string> {
    await this.reply()
    return this.say(`${word} client.example`)
  }

  /** Sends one message, from the envelope to the final dot. Returns all replies from MAIL on. */
  async deliver(
    raw: string | Buffer,
    to: readonly string[],
    from = 'carla@brandt.example',
  ): Promise<string[]> {
    const replies = [await this.say(`MAIL FROM:<${from}>`)]
    for (const address of to) replies.push(await this.say(`RCPT TO:<${address}>`))
    replies.push(await this.say('DATA'))
    if (!replies.at(-1)!.startsWith('354')) return replies
    this.write(stuffDots(raw))
    this.write('.\r\n')
    replies.push(await this.reply())
    return replies
  }

  async startTls(ca: string): Promise<void> {
    this.#socket.removeAllListeners()
    const secure = connectTls({ socket: this.#socket, ca, servername: 'localhost' })
    await once(secure, 'secureConnect')
    this.#socket = secure
    this.isClosed = false
    this.#listen(secure)
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

export function stuffDots(raw: string | Buffer): Buffer {
  return Buffer.from(Buffer.from(raw).toString('latin1').replaceAll(/^\./gm, '..'), 'latin1')
}
