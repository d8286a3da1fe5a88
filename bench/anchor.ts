/**
 * What Spool is measured against: a plain `node:http` server that answers the same bytes from memory. It is told which
 * addresses to learn, and from whom.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Lesson {
  origin: string
  token: string
  paths: string[]
}

export type AnchorSays = { port: number } | { bytes: number } | { failure: string }

const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const body = bodies.get(request.url!)
  if (!body) return void response.writeHead(404).end()
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
say({ port: (server.address() as AddressInfo).port })

process.on('message', (lesson: Lesson) => {
  learn(lesson).then(
    (bytes) => say({ bytes }),
    (error: Error) => say({ failure: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function learn({ origin, token, paths }: Lesson): Promise<number> {
  bodies.clear()
  let bytes = 0
  for (const path of paths) {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
    const body = Buffer.from(await answer.arrayBuffer())
    bodies.set(path, body)
    bytes += body.length
  }
  return bytes
}

function say(what: AnchorSays): void {
  process.send!(what)
}
