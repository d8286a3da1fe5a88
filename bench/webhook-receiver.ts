/** The bench's endpoint, in a separate process: answers 204 and records when each event arrived. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceiverSays {
  arrivals?: [seq: number, at: number][]
  count?: number
}

let arrivals: [seq: number, at: number][] = []
let count = 0

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    count++
    arrivals.push([Number(/"seq":(\d+)/.exec(body)?.[1]), at])
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send!({ port: (server.address() as AddressInfo).port })
process.on('message', (what) => {
  process.send!((what === 'take' ? { arrivals } : { count }) satisfies ReceiverSays)
  if (what === 'take') arrivals = []
})
process.on('disconnect', () => process.exit())
