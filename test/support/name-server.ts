import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export interface Records {
  /** IPv4 and IPv6 addresses of a name. */
  addresses?(name: string): readonly string[]
  texts?(name: string): readonly string[]
  /** Host names, the most preferred first. */
  exchanges?(name: string): readonly string[]
  /** host:port, the most preferred first. A single dot means that there is no service. */
  services?(name: string): readonly string[]
  /** True for names whose queries get no response. */
  isSilent?(name: string): boolean
}

const typeNumbers = { A: 1, MX: 15, TXT: 16, AAAA: 28, SRV: 33 }

/** A name server on loopback. Names arrive in lower case. A name without an address gets NXDOMAIN. */
export class NameServer implements AsyncDisposable {
  readonly #socket: Socket = createSocket('udp4')
  readonly #records: Records
  /** host:port */
  address = ''
  /** Names whose IPv4 address was queried. */
  readonly asked: string[] = []

  constructor(records: Records) {
    this.#records = records
  }

  static async start(records: Records): Promise<NameServer> {
    const server = new NameServer(records)
    server.#socket.on('message', (query, from) => {
      if (records.isSilent?.(readQuestion(query).name)) return
      server.#socket.send(server.#answer(query), from.port, from.address)
    })
    server.#socket.bind(0, '127.0.0.1')
    await once(server.#socket, 'listening')
    server.address = `127.0.0.1:${server.#socket.address().port}`
    return server
  }

  #answer(query: Buffer): Buffer {
    const { name, type, end } = readQuestion(query)
    if (type === typeNumbers.A) this.asked.push(name)
    const isAddress = type === typeNumbers.A || type === typeNumbers.AAAA
    const found = isAddress ? (this.#records.addresses?.(name) ?? []).map((text) => ipaddr.parse(text)) : []
    const family = type === typeNumbers.A ? 'ipv4' : 'ipv6'
    const contents = isAddress
      ? found.filter((each) => each.kind() === family).map((each) => Buffer.from(each.toByteArray()))
      : this.#others(name, type)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(isAddress && found.length === 0 ? 0x8583 : 0x8580, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(contents.length, 6)
    const records = contents.map((content) => writeRecord(type, content))
    return Buffer.concat([head, query.subarray(12, end), ...records])
  }

  #others(name: string, type: number): Buffer[] {
    if (type === typeNumbers.TXT) return (this.#records.texts?.(name) ?? []).map(writeText)
    if (type === typeNumbers.MX)
      return (this.#records.exchanges?.(name) ?? []).map((host, index) =>
        Buffer.concat([writeNumbers(index), writeName(host)]),
      )
    if (type === typeNumbers.SRV)
      return (this.#records.services?.(name) ?? []).map((service, index) => {
        const [host = '', port = '0'] = service.split(':')
        return Buffer.concat([writeNumbers(index, 0, Number(port)), writeName(host)])
      })
    return []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function writeNumbers(...numbers: number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number >> 8, number & 255]))
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
}

/** Writes a TXT value in chunks of at most 255 bytes. */
function writeText(text: string): Buffer {
  const pieces = (text.match(/.{1,255}/gs) ?? ['']).map((piece) =>
    Buffer.concat([Buffer.from([Buffer.byteLength(piece)]), Buffer.from(piece)]),
  )
  return Buffer.concat(pieces)
}

/** Uses a TTL of 0. */
function writeRecord(type: number, content: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(content.length, 10)
  return Buffer.concat([head, content])
}
