import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../test/support/databases.ts'
import { openStore } from '../test/support/desk-opener.ts'
import { quantile } from '../test/support/latencies.ts'
import { writeMail } from '../test/support/letter.ts'
import { connectClient, revisions, type Revision } from '../test/support/mcp.ts'
import { NameServer } from '../test/support/name-server.ts'
import { Serving } from '../test/support/serving.ts'
import { SmtpClient } from '../test/support/smtp-client.ts'
import { until } from '../test/support/until.ts'
import type { Target } from './report.ts'

const wanted = 100

/** Milliseconds from SMTP's final dot to the notification in the official client, one mail at a time. */
export async function measureTold(mails: number): Promise<Target[]> {
  await using database = await freshDatabase('sqlite')
  await using store = await openStore(database)
  await using names = await NameServer.start({ texts: () => [] })
  await using server = await Serving.start({
    ...database.env,
    SPOOL_SMTP_LISTEN: '127.0.0.1:0',
    SPOOL_NAME_SERVERS: names.address,
  })
  const agents = await Promise.all(revisions.map((revision) => subscribe(server.url, store.token, revision)))
  using sender = await SmtpClient.connect(server.smtpPort)
  await sender.hello('EHLO')

  const send = async (): Promise<number> => {
    for (const agent of agents) agent.told = null
    await sender.say('MAIL FROM:<carla@brandt.example>')
    await sender.say(`RCPT TO:<${store.inbox.address}>`)
    await sender.say('DATA')
    sender.write(writeMail({ text: 'Where is my order? '.repeat(100) }))
    const dot = performance.now()
    sender.write('.\r\n')
    const answer = await sender.reply()
    if (!answer.startsWith('250')) throw new Error(`It was not taken: ${answer}`)
    return dot
  }
  // The older revision opens its stream alongside its calls: once one mail has been announced, all later ones are.
  await until('both agents are told', async () => {
    await send()
    await sleep(200)
    return agents.every(({ told }) => told !== null)
  })
  for (let count = 0; count < mails; count++) {
    const dot = await send()
    await until('both agents are told', async () => agents.every(({ told }) => told !== null))
    for (const agent of agents) agent.times.push(agent.told! - dot)
    await sleep(30)
  }
  await Promise.all(agents.map(({ client }) => client.close()))
  return agents.map(({ revision, times }) => {
    const [middle, slow] = [quantile(times, 0.5), quantile(times, 0.99)]
    return {
      name: `mail in → agent told, ${revision}: p99 of ${times.length}`,
      wanted: `< ${wanted} ms`,
      found: `${slow.toFixed(1)} ms (p50 ${middle.toFixed(1)})`,
      reached: slow < wanted,
    }
  })
}

async function subscribe(url: string, token: string, revision: Revision) {
  const client = await connectClient(url, token, revision)
  const agent = { revision, client, told: null as number | null, times: [] as number[] }
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    agent.told ??= performance.now()
  })
  if (revision === '2026-07-28') await client.listen({ resourcesListChanged: true })
  return agent
}
