import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** A name server on loopback. Names it has no answer for do not exist. */
export class NameServer implements AsyncDisposable {
  readonly #socket: Socket = createSocket('udp4')
  readonly #answers: (name: string) => readonly string[]
  address = ''
  readonly asked: string[] = []

  constructor(answers: (name: string) => readonly string[]) {
    this.#answers = answers
  }

  static async start(answers: (name: string) => readonly string[]): Promise<NameServer> {
    const server = new NameServer(answers)
    server.#socket.on('message', (query, from) => {
      server.#socket.send(server.#answer(query), from.port, from.address)
    })
    server.#socket.bind(0, '127.0.0.1')
    await once(server.#socket, 'listening')
    server.address = `127.0.0.1:${server.#socket.address().port}`
    return server
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = []
    let at = 12
    for (; query[at] !== 0; at += query[at]! + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(at + 1)
    const wanted = type === 1 ? 'ipv4' : 'ipv6'
    if (type === 1) this.asked.push(name)
    const found = type === 1 || type === 28 ? this.#answers(name).map((text) => ipaddr.parse(text)) : []
    const records = found
      .filter((address) => address.kind() === wanted)
      .map((address) => {
        const bytes = Buffer.from(address.toByteArray())
        const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
        return Buffer.concat([head, bytes])
      })
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(found.length > 0 ? 0x8580 : 0x8583, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    return Buffer.concat([head, query.subarray(12, at + 5), ...records])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}
