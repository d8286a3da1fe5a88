import { setTimeout as sleep } from 'node:timers/promises'
import { openClient, type Client } from '../bench/load.ts'

export interface Flood {
  port: number
  /** Requests per second, sent on schedule whether or not earlier ones have been answered. */
  rate: number
  seconds: number
  /** Each connection has one request in flight; a request that finds none free is not sent. */
  connections: number
  request(n: number): Buffer
}

export interface Flooded {
  /** Response times in milliseconds, by status; 0 stands for a broken connection. */
  times: Map<number, number[]>
  sent: number
  seconds: number
}

export async function flood({ port, rate, seconds, connections, request }: Flood): Promise<Flooded> {
  const times = new Map<number, number[]>()
  const free: Client[] = []
  // A few at a time: connecting is not under test here.
  while (free.length < connections)
    free.push(...(await Promise.all(Array.from({ length: 25 }, () => openClient(port)))))
  const all = [...free]
  const ask = (client: Client, bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const began = performance.now()
      const end = (status: number): void => {
        const known = times.get(status)
        if (known) known.push(performance.now() - began)
        else times.set(status, [performance.now() - began])
        if (status !== 0) free.push(client)
        resolve()
      }
      client.onFailure = () => end(0)
      client.ask(bytes, end)
    })
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  let [due, sent] = [0, 0]
  while (performance.now() - began < seconds * 1000) {
    for (const now = ((performance.now() - began) / 1000) * rate; due < now; due++) {
      const client = free.shift()
      if (!client) continue
      const asking = ask(client, request(sent++)).finally(() => underWay.delete(asking))
      underWay.add(asking)
    }
    await sleep(2)
  }
  const took = (performance.now() - began) / 1000
  await Promise.all(underWay)
  for (const { socket } of all) socket.destroy()
  return { times, sent, seconds: took }
}
