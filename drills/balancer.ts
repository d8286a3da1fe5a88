import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Forwards each request to one node that was ready at the last check; never retries. */
export interface Balancer extends AsyncDisposable {
  url: string
  /** Sets the address of the node in this place; null: there is none. */
  place(node: number, url: string | null): void
  isReady(node: number): boolean
}

export async function startBalancer(lookEvery: number): Promise<Balancer> {
  const nodes = new Map<number, { url: string; ready: boolean }>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((from, to) => {
    const ready = [...nodes.values()].filter((node) => node.ready)
    const node = ready[turn++ % ready.length]
    if (!node) return void to.writeHead(502).end()
    const { method, headers } = from
    const passed = request(
      node.url + from.url,
      { agent, ...(method ? { method } : {}), headers },
      (answer) => {
        to.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(to)
      },
    )
    passed.on('error', () => (to.headersSent ? to.destroy() : void to.writeHead(502).end()))
    from.pipe(passed)
  })
  const look = setInterval(() => {
    for (const node of nodes.values())
      fetch(`${node.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        async (answer) => {
          await answer.arrayBuffer()
          node.ready = answer.status === 200
        },
        () => (node.ready = false),
      )
  }, lookEvery)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    place: (node, url) => void (url === null ? nodes.delete(node) : nodes.set(node, { url, ready: false })),
    isReady: (node) => nodes.get(node)?.ready ?? false,
    async [Symbol.asyncDispose]() {
      clearInterval(look)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
