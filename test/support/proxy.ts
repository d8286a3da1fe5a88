import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a client and a server on this machine that fails as networks do. */
export interface Proxy extends AsyncDisposable {
  port: number
  /** Number of connections so far. */
  connections(): number
  /** New connections are closed after the server has sent that many bytes; null turns this off. */
  cutAfter(bytes: number | null): void
  /** New connections stall after the server has sent that many bytes; null turns this off. */
  stallAfter(bytes: number | null): void
  /** Commands with this text are answered by the proxy, with these words after their tag; null turns this off. */
  refuse(command: { text: string; words: string } | null): void
  /** Closes all open connections. */
  cut(): void
}

export async function startProxy(target: number): Promise<Proxy> {
  const open = new Set<Socket>()
  let count = 0
  let limit: number | null = null
  let stall: number | null = null
  let refused: { text: string; words: string } | null = null
  const server = createServer((client) => {
    count++
    const upstream = connect(target, '127.0.0.1')
    let left = limit ?? Number.POSITIVE_INFINITY
    let heard = stall ?? Number.POSITIVE_INFINITY
    const end = (): void => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    open.add(client)
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (data) => {
      if (refused && data.includes(refused.text))
        client.write(`${data.toString('latin1').split(' ', 1)[0]} ${refused.words}\r\n`)
      else upstream.write(data)
    })
    upstream.on('data', (data) => {
      client.write(data.subarray(0, left))
      left -= data.length
      if (left <= 0) {
        client.once('drain', end)
        if (client.writableLength === 0) setImmediate(end)
        return
      }
      heard -= data.length
      if (heard <= 0) upstream.pause()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    cutAfter: (bytes) => (limit = bytes),
    stallAfter: (bytes) => (stall = bytes),
    refuse: (command) => (refused = command),
    cut() {
      for (const client of open) client.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy()
      server.close()
    },
  }
}
