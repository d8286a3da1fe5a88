/**
 * `npm run bench:smtp -- [--rate 50] [--seconds 10] [--rounds 3] [--postgres]`: from SMTP's final dot to
 * `message.received` in `GET /events`, at a steady rate and, beside it, one message at a time on an idle server.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { freshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { writeMail } from '../test/support/letter.ts'
import { NameServer } from '../test/support/name-server.ts'
import { Serving } from '../test/support/serving.ts'
import { SmtpClient } from '../test/support/smtp-client.ts'
import { printTargets } from './report.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
  },
})
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)]
const [clients, mostClients] = [10, 40]
const wanted = 50

await using names = await NameServer.start({
  texts: (name) => (name === 'brandt.example' ? ['v=spf1 ip4:127.0.0.1 -all'] : []),
})
await using database = await freshDatabase(values.postgres ? 'postgres' : 'sqlite')
await using store = await openStore(database)
await using server = await Serving.start({
  ...database.env,
  SPOOL_SMTP_LISTEN: '127.0.0.1:0',
  SPOOL_NAME_SERVERS: names.address,
  SPOOL_RATE_LIMIT: '1000000/60',
})

/** When each message was seen in the log, by its id. */
const seen = new Map<string, number>()
const agent = new Agent({ keepAliveTimeout: 60_000 })
const state = { isOver: false }

async function followLog(): Promise<void> {
  for (let after = '0'; !state.isOver;) {
    const { body } = await request(
      `${server.url}/api/v1/events?after=${after}&type=message.received&wait=5&limit=100`,
      {
        dispatcher: agent,
        headers: { authorization: `Bearer ${store.token}` },
      },
    )
    const page = (await body.json()) as { data: { data: { messageId: string } }[]; nextCursor: string }
    for (const { data } of page.data) seen.set(data.messageId, performance.now())
    after = page.nextCursor
  }
}

interface Sent {
  id: string
  dot: number
}

async function openClient(): Promise<SmtpClient> {
  const client = await SmtpClient.connect(server.smtpPort)
  await client.hello()
  return client
}

/** The clock starts with the final dot: what comes before is the client's time. */
async function send(client: SmtpClient): Promise<Sent> {
  await client.say('MAIL FROM:<carla@brandt.example>')
  await client.say(`RCPT TO:<${store.inbox.address}>`)
  await client.say('DATA')
  client.write(writeMail({ text: 'Where is my order? '.repeat(100) }))
  const dot = performance.now()
  client.write('.\r\n')
  const answer = await client.reply()
  const id = /^250 2\.0\.0 Stored as (\S+)/.exec(answer)?.[1]
  if (id === undefined) throw new Error(`It was not taken: ${answer}`)
  return { id, dot }
}

async function steadily(): Promise<Sent[]> {
  const free = await Promise.all(Array.from({ length: clients }, openClient))
  let open = clients
  const pickClient = async (): Promise<SmtpClient> => {
    for (;;) {
      const client = free.shift()
      if (client) return client
      if (open < mostClients) return (open++, await openClient())
      await sleep(1)
    }
  }
  const sending: Promise<Sent>[] = []
  const begun = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / rate - performance.now()))
    const client = await pickClient()
    sending.push(
      send(client).then((sent) => {
        free.push(client)
        return sent
      }),
    )
  }
  const sent = await Promise.all(sending)
  for (const client of free) client[Symbol.dispose]()
  return sent
}

async function oneByOne(): Promise<Sent[]> {
  using client = await openClient()
  const sent: Sent[] = []
  for (let n = 0; n < 100; n++) {
    sent.push(await send(client))
    await sleep(30)
  }
  return sent
}

/** Seconds of processor time the server has taken: what a busy machine does not change much. */
function processorSeconds(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

interface Times {
  p50: number
  p99: number
  most: number
}

async function timesOf(sent: readonly Sent[]): Promise<Times> {
  while (sent.some(({ id }) => !seen.has(id))) await sleep(10)
  const times = sent.map(({ id, dot }) => seen.get(id)! - dot).sort((a, b) => a - b)
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)]!
  return { p50: at(0.5), p99: at(0.99), most: times.at(-1)! }
}

const following = followLog()
const words = ({ p50, p99, most }: Times): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms`
// The first mail wakes threads that have slept.
await timesOf(await oneByOne())
const cost: number[] = []
const results: { idle: Times; steady: Times }[] = []
for (let round = 1; round <= rounds; round++) {
  const idle = await timesOf(await oneByOne())
  const before = processorSeconds()
  const steady = await timesOf(await steadily())
  cost.push(((processorSeconds() - before) * 1000) / (rate * seconds))
  results.push({ idle, steady })
  console.log(`round ${round}: one by one ${words(idle)}; ${rate} a second ${words(steady)}`)
}
state.isOver = true
await following
await agent.close()
console.log(`processor time a message: ${cost.map((each) => each.toFixed(1)).join(', ')} ms`)
const best = results.reduce((best, one) => (one.steady.p99 < best.steady.p99 ? one : best))
printTargets([
  {
    name: `final dot to GET /events at ${rate} messages a second (${database.kind}, best of ${rounds})`,
    wanted: `p99 < ${wanted} ms`,
    found: `${words(best.steady)}; idle: ${words(best.idle)}; ratio of p99 ${(best.steady.p99 / best.idle.p99).toFixed(2)}`,
    reached: best.steady.p99 < wanted,
  },
])
process.exitCode = best.steady.p99 < wanted ? 0 : 1
