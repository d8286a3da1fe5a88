/**
 * `npm run bench:smtp -- [--rate 50] [--seconds 10] [--rounds 3] [--postgres] [--hostile]`: from SMTP's final dot to
 * `message.received` in `GET /events`, at a steady rate and, for comparison, one message at a time on an idle server.
 * With `--hostile` the steady rate comes over SMTP and LMTP, alone and alongside mail that is designed to be slow.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { freshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { hiddenWords, hostileHtml } from '../test/support/hostile-mail.ts'
import { writeMail } from '../test/support/letter.ts'
import { NameServer } from '../test/support/name-server.ts'
import { Serving } from '../test/support/serving.ts'
import { SmtpClient } from '../test/support/smtp-client.ts'
import { printTargets, type Target } from './report.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
  },
})
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)]
// A server accepts 50 connections from one address, hostile ones included.
const [clients, mostClients, hostileClients] = [10, values.hostile ? 24 : 40, 25]
const wanted = values.hostile ? 2000 : 50
const hostileMails = 50

await using names = await NameServer.start({
  texts: (name) => (name === 'brandt.example' ? ['v=spf1 ip4:127.0.0.1 -all'] : []),
})
await using database = await freshDatabase(values.postgres ? 'postgres' : 'sqlite')
await using store = await openStore(database)
await using server = await Serving.start({
  ...database.env,
  SPOOL_SMTP_LISTEN: '127.0.0.1:0',
  SPOOL_LMTP_LISTEN: '127.0.0.1:0',
  SPOOL_NAME_SERVERS: names.address,
  SPOOL_RATE_LIMIT: '1000000/60',
})

/** When each message was seen in the log, by message id, and in which thread. */
const seen = new Map<string, number>()
const threads = new Map<string, string>()
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
    const page = (await body.json()) as {
      data: { data: { messageId: string; threadId: string } }[]
      nextCursor: string
    }
    for (const { data } of page.data) {
      seen.set(data.messageId, performance.now())
      threads.set(data.messageId, data.threadId)
    }
    after = page.nextCursor
  }
}

interface Sent {
  id: string
  dot: number
}

const lmtpPort = Number((await server.says(/"lmtp":"[^"]+:(\d+)"/))[1])

/** With `both`, every second client uses LMTP. */
async function openClient(at = 0, both = false): Promise<SmtpClient> {
  const isLmtp = both && at % 2 === 1
  const client = await SmtpClient.connect(isLmtp ? lmtpPort : server.smtpPort)
  await client.hello(isLmtp ? 'LHLO' : 'EHLO')
  return client
}

const ordinaryMail = (): string => writeMail({ text: 'Where is my order? '.repeat(100) })

/** The clock starts with the final dot: the time before it is the client's. */
async function send(client: SmtpClient, mail = ordinaryMail()): Promise<Sent> {
  await client.say('MAIL FROM:<carla@brandt.example>')
  await client.say(`RCPT TO:<${store.inbox.address}>`)
  await client.say('DATA')
  client.write(mail)
  const dot = performance.now()
  client.write('.\r\n')
  const answer = await client.reply()
  const id = /^250 2\.0\.0 Stored as (\S+)/.exec(answer)?.[1]
  if (id === undefined) throw new Error(`It was not taken: ${answer}`)
  return { id, dot }
}

async function steadily(): Promise<Sent[]> {
  const free = await Promise.all(Array.from({ length: clients }, (_, at) => openClient(at, values.hostile)))
  let open = clients
  const pickClient = async (): Promise<SmtpClient> => {
    for (;;) {
      const client = free.shift()
      if (client) return client
      if (open < mostClients) return await openClient(open++, values.hostile)
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

/** Sends from many connections at once; resolves when all mail is stored. */
async function sendHostile(): Promise<Sent[]> {
  const kinds = Object.entries(hostileHtml)
  const sending = Array.from({ length: hostileClients }, async (_, door) => {
    using client = await openClient(door, true)
    const sent: Sent[] = []
    for (let at = door; at < hostileMails; at += hostileClients) {
      const [kind, html] = kinds[at % kinds.length]!
      sent.push(await send(client, writeMail({ subject: `Hostile: ${kind}`, html, text: hiddenWords })))
    }
    return sent
  })
  return (await Promise.all(sending)).flat()
}

/** Throws unless each of them shows the notice and no hidden words. */
async function checkHostile(sent: readonly Sent[]): Promise<void> {
  for (const { id } of sent) {
    const { body } = await request(`${server.url}/api/v1/threads/${threads.get(id)}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${store.token}` },
    })
    const answer = await body.text()
    if (!answer.includes('could not be read safely') || answer.includes(hiddenWords))
      throw new Error(`It shows more than a notice: ${answer.slice(0, 500)}`)
  }
}

/** Seconds of CPU time the server has used, which other load on the machine hardly affects. */
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
// Another failure must be reported first: it ends the server, and with it this request.
following.catch(() => undefined)
const words = ({ p50, p99, most }: Times): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms`
// Warm-up: the first mail wakes idle threads.
await timesOf(await oneByOne())
const target = values.hostile ? await compareHostile() : await compareIdle()
state.isOver = true
await following
await agent.close()
printTargets([target])
process.exitCode = target.reached ? 0 : 1

async function compareIdle(): Promise<Target> {
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
  console.log(`processor time a message: ${cost.map((each) => each.toFixed(1)).join(', ')} ms`)
  const best = results.reduce((best, one) => (one.steady.p99 < best.steady.p99 ? one : best))
  return {
    name: `final dot to GET /events at ${rate} messages a second (${database.kind}, best of ${rounds})`,
    wanted: `p99 < ${wanted} ms`,
    found: `${words(best.steady)}; idle: ${words(best.idle)}; ratio of p99 ${(best.steady.p99 / best.idle.p99).toFixed(2)}`,
    reached: best.steady.p99 < wanted,
  }
}

/** The worst round counts, because hostile mail arrives at any time. */
async function compareHostile(): Promise<Target> {
  const results: { alone: Times; beside: Times }[] = []
  for (let round = 1; round <= rounds; round++) {
    const alone = await timesOf(await steadily())
    const hostile = sendHostile().then(async (sent) => ({ sent, times: await timesOf(sent) }))
    const beside = await timesOf(await steadily())
    const { sent, times } = await hostile
    await checkHostile(sent)
    results.push({ alone, beside })
    console.log(
      `round ${round} (load ${loadavg()[0]!.toFixed(1)}): alone ${words(alone)}; beside hostile mail ${words(beside)}; hostile mail itself ${words(times)}`,
    )
  }
  const worst = results.reduce((worst, one) => (one.beside.p99 > worst.beside.p99 ? one : worst))
  return {
    name: `ordinary mail at ${rate} a second beside ${hostileMails} hostile ones (${database.kind}, worst of ${rounds})`,
    wanted: `p99 < ${wanted} ms`,
    found: `${words(worst.beside)}; without them: ${words(worst.alone)}`,
    reached: worst.beside.p99 < wanted,
  }
}
