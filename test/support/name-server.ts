import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const types: Record<number, string> = { 1: 'A', 16: 'TXT', 28: 'AAAA', 15: 'MX' }

export interface NameServer extends AsyncDisposable {
  /** host:port */
  address: string
}

/** A name server that knows these TXT records, by lower-case name, and denies all else. */
export async function startNameServer(texts: Record<string, string>): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const text = types[type] === 'TXT' ? texts[name.toLowerCase()] : undefined
    const isKnown = Object.keys(texts).some(
      (known) => known === name.toLowerCase() || known.endsWith(`.${name.toLowerCase()}`),
    )
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(text === undefined && !isKnown ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(text === undefined ? 0 : 1, 6)
    const answer = text === undefined ? Buffer.alloc(0) : writeText(text)
    socket.send(Buffer.concat([header, query.subarray(12, end), answer]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += 1 + query[at]!
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** TXT, valid for a minute, in pieces of at most 255 bytes. */
function writeText(text: string): Buffer {
  const pieces = (text.match(/.{1,255}/gs) ?? ['']).map((piece) =>
    Buffer.concat([Buffer.from([Buffer.byteLength(piece)]), Buffer.from(piece)]),
  )
  const data = Buffer.concat(pieces)
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
