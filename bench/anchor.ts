/**
 * The baseline for Spool: a plain `node:http` server that answers the same bytes from memory. It is told which paths to
 * load, and from which server.
 */
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export interface Lesson {
  origin: string
  token: string
  paths: string[]
  /** Null: uncompressed. */
  coding: string | null
}

export type AnchorSays = { port: number } | { bytes: number } | { failure: string }

/** A longer response is streamed at the client's pace, like an export. */
const streamed = 1_000_000
const bodies = new Map<string, Buffer>()
let coded: string | null = null

const server = createServer((request, response) => {
  const body = bodies.get(request.url!)
  if (!body) return void response.writeHead(404).end()
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    ...(body.length > streamed ? {} : { 'Content-Length': body.length }),
    ...(coded === null ? {} : { 'Content-Encoding': coded }),
  })
  if (body.length > streamed) void pipeline(cut(body), response).catch(() => undefined)
  else response.end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
say({ port: (server.address() as AddressInfo).port })

/** Chunks of the size in which Node's streams read a file. */
function* cut(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
}

process.on('message', (lesson: Lesson) => {
  learn(lesson).then(
    (bytes) => say({ bytes }),
    (error: Error) => say({ failure: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function learn({ origin, token, paths, coding }: Lesson): Promise<number> {
  bodies.clear()
  coded = coding
  let bytes = 0
  for (const path of paths) {
    const body = await askAsSent(origin + path, token, coding)
    bodies.set(path, body)
    bytes += body.length
  }
  return bytes
}

/** The bytes as sent over the wire, which `fetch` would decompress. */
function askAsSent(url: string, token: string, coding: string | null): Promise<Buffer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(coding === null ? {} : { 'accept-encoding': coding }),
  }
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      if (answer.statusCode === 200) resolve(body)
      else reject(new Error(`GET ${url}: ${answer.statusCode} ${body}`))
    }).on('error', reject)
  })
}

function say(what: AnchorSays): void {
  process.send!(what)
}
