import { InvalidArgumentError, type Command } from 'commander'
import { listDeliveries, replayEvents, retryDelivery, testWebhook } from '../core/webhooks/deliveries.ts'
import type { ReplayBound } from '../core/webhooks/deliveries.ts'
import { listAllInboxes } from '../core/inboxes/inboxes.ts'
import { listPeople } from '../core/people/people.ts'
import type { Spool } from '../core/spool.ts'
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from '../core/webhooks/webhooks.ts'
import { system } from '../model/access.ts'
import { eventTypes, type EventType } from '../model/events.ts'
import { readTime, toTime, toTimeOrNull } from '../model/time.ts'
import {
  deliveryStates,
  disabledReasons,
  type Delivery,
  type DeliveryState,
  type Webhook,
} from '../model/webhooks.ts'
import { choice, choices, collect, count, print, table, withJson, type Environment } from './command.ts'
import { withSpool } from './spool.ts'

interface Options {
  json?: boolean
}

export function addWebhookCommands(program: Command, environment: Environment): void {
  const webhook = program.command('webhook').description('tell programs elsewhere what happens')
  addAdd(webhook, environment)
  addList(webhook, environment)
  addState(webhook, environment)
  addDeliveries(webhook, environment)
  addReplay(webhook, environment)
}

function addAdd(webhook: Command, environment: Environment): void {
  withJson(webhook.command('add').description('the secret is shown once'))
    .argument('<url>', 'https, and public unless SPOOL_WEBHOOK_ALLOW names its network')
    .requiredOption('--by <email>', 'its owner: it gets what that person can see')
    .option('--event <kind...>', 'only this event type; can be repeated', choices(eventTypes))
    .option('--inbox <address>', 'only this inbox; can be repeated', collect)
    .action(async (url: string, options: Options & { by: string; event?: EventType[]; inbox?: string[] }) => {
      const { by, event = [], inbox = [] } = options
      const added = await withSpool(environment, async (spool) => {
        const made = await addWebhook(spool, { url, email: by, types: event, inboxes: inbox })
        return { ...(await outward(spool, [made.webhook]))[0]!, secret: made.secret }
      })
      print(options, added, `${added.secret}\nShown only once. ${added.id} delivers to ${added.url}.`)
    })
}

function addList(webhook: Command, environment: Environment): void {
  withJson(webhook.command('list').description('where they go, whose they are, and how far behind'))
    .option('--by <email>', 'only theirs')
    .action(async (options: Options & { by?: string }) => {
      const rows = await withSpool(environment, async (spool) => {
        const found = await listWebhooks(spool, options.by ?? null)
        return (await outward(spool, found)).map((row, index) => ({
          ...row,
          behind: found[index]!.behind,
          waiting: found[index]!.waiting,
          replaying: found[index]!.replaying,
          failingSince: toTimeOrNull(found[index]!.failingSince),
        }))
      })
      const cells = rows.map((row) => [
        row.id,
        row.state === 'enabled'
          ? row.failingSince === null
            ? 'enabled'
            : `enabled, failing since ${row.failingSince}`
          : `disabled at ${row.disabledAt}: ${disabledReasons[row.disabledReason!]}`,
        row.owner,
        row.url,
        row.events?.join(' ') ?? 'all events',
        row.behind + row.waiting === 0 ? '' : `${row.behind} behind, ${row.waiting} to retry`,
      ])
      print(options, rows, table(cells, ['ID', 'STATE', 'OWNER', 'ADDRESS', 'EVENTS', 'WAITING']))
    })
}

function addState(webhook: Command, environment: Environment): void {
  const forOne = (
    name: string,
    about: string,
    act: (id: string, options: Options) => Promise<void>,
  ): Command => withJson(webhook.command(name).argument('<id>').description(about)).action(act)

  forOne('remove', 'also deletes its deliveries', async (id, options) => {
    await withSpool(environment, (spool) => removeWebhook(spool, system, id))
    print(options, { removed: id }, `Removed ${id}.`)
  })
  forOne('enable', 'from now on; see replay', async (id, options) => {
    await withSpool(environment, (spool) => enableWebhook(spool, system, id))
    print(
      options,
      { enabled: id },
      `Enabled ${id} from now on; "spool webhook replay ${id} --since TIME" delivers what it missed.`,
    )
  })
  forOne('disable', 'until it is enabled again', async (id, options) => {
    await withSpool(environment, (spool) => disableWebhook(spool, system, id))
    print(options, { disabled: id }, `Disabled ${id}.`)
  })
  forOne('rotate', 'a new secret; for a day the old one also signs', async (id, options) => {
    const { secret, oldSecretUntil } = await withSpool(environment, (spool) =>
      rotateSecret(spool, system, id),
    )
    const until = toTime(oldSecretUntil)
    print(
      options,
      { id, secret, oldSecretUntil: until },
      `${secret}\nShown only once. The old secret also signs until ${until}.`,
    )
  })
}

function addDeliveries(webhook: Command, environment: Environment): void {
  withJson(webhook.command('deliveries').argument('<id>').description('newest events first'))
    .option('--state <state>', deliveryStates.join(', '), choice(deliveryStates))
    .option('--before <seq>', 'older ones than this', readSeq)
    .option('--limit <count>', 'maximum number', readSeq, 20)
    .action(
      async (id: string, options: Options & { state?: DeliveryState; before?: number; limit: number }) => {
        const { state = null, before = null, limit } = options
        const page = { state, before, limit: Math.min(1000, limit) }
        const found = await withSpool(environment, (spool) => listDeliveries(spool, system, id, page))
        print(options, found.map(outwardDelivery), table(found.map(describeDelivery)))
      },
    )

  withJson(webhook.command('test').argument('<id>').description('sends it a webhook.test event'))
    .option('--wait <seconds>', 'how long to wait for the result', readSeq, 10)
    .action(async (id: string, options: Options & { wait: number }) => {
      const { seq, delivery } = await withSpool(environment, (spool) =>
        testWebhook(spool, system, id, options.wait),
      )
      print(
        options,
        { id, seq, delivery: delivery && outwardDelivery(delivery) },
        delivery
          ? [...describeAttempt(delivery), explainTest(delivery)].filter((cell) => cell !== '').join('  ')
          : '',
      )
      if (delivery?.state === 'delivered') return
      process.stderr.write(`${explainFailure(seq, delivery)}\n`)
      process.exitCode = 1
    })
}

function addReplay(webhook: Command, environment: Environment): void {
  withJson(webhook.command('retry').description('one event, at once'))
    .argument('<id>')
    .argument('<event>', 'its id or seq')
    .action(async (id: string, event: string, options: Options) => {
      const seq = await withSpool(environment, (spool) => retryDelivery(spool, system, id, event))
      print(options, { id, seq }, `Event ${seq} is tried again now.`)
    })

  withJson(webhook.command('replay').argument('<id>').description('redeliver a part of the log, in order'))
    .option('--after <seq>', 'events after this one', readSeq)
    .option('--since <time>', 'or from this time on, such as 2026-11-14T09:30:00Z', readMoment)
    .option('--until <seq or time>', 'up to this event or time; else up to now', readBound)
    .action(
      async (
        id: string,
        options: Options & { after?: number; since?: number; until?: ReplayBound },
        command: Command,
      ) => {
        const { after, since, until = null } = options
        if ((after === undefined) === (since === undefined))
          command.error('error: say either --after SEQ or --since TIME', { exitCode: 2 })
        const from = after === undefined ? { time: since! } : { seq: after }
        const range = await withSpool(environment, (spool) => replayEvents(spool, system, id, from, until))
        print(
          options,
          { id, ...range },
          `Events after ${range.after} and up to ${range.until} will be delivered again.`,
        )
      },
    )
}

function readSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function readMoment(text: string): number {
  const time = readTime(text)
  if (time === null) throw new InvalidArgumentError('It must be a time such as 2026-11-14T09:30:00Z.')
  return time
}

function readBound(text: string): ReplayBound {
  return /^\d{1,15}$/.test(text) ? { seq: Number(text) } : { time: readMoment(text) }
}

async function outward(spool: Spool, webhooks: readonly Webhook[]) {
  const people = new Map((await listPeople(spool)).map(({ id, email }) => [id, email]))
  const inboxes = new Map((await listAllInboxes(spool)).map(({ number, address }) => [number, address]))
  return webhooks.map((webhook) => ({
    id: webhook.id,
    url: webhook.url,
    owner: people.get(webhook.userId) ?? webhook.userId,
    events: webhook.types,
    inboxes: webhook.inboxes?.map((number) => inboxes.get(number) ?? `${number}`) ?? null,
    state: webhook.state,
    disabledReason: webhook.disabledReason,
    disabledAt: toTimeOrNull(webhook.disabledAt),
    createdAt: toTime(webhook.createdAt),
  }))
}

function outwardDelivery(delivery: Delivery) {
  const { webhookId: _, attemptedAt, nextAttemptAt, ...rest } = delivery
  return { ...rest, attemptedAt: toTimeOrNull(attemptedAt), nextAttemptAt: toTimeOrNull(nextAttemptAt) }
}

function describeDelivery(delivery: Delivery): string[] {
  const said = saidOf(delivery)
  return [...describeAttempt(delivery), said.length > 80 ? `${said.slice(0, 79)}…` : said]
}

function saidOf({ fault, answer }: Delivery): string {
  return (fault ?? answer ?? '').replaceAll(/\s+/g, ' ').trim()
}

/**
 * Not truncated, because it ends with what to do. The address was accepted when it was added, so it is the server that
 * has a different setting.
 */
function explainTest(delivery: Delivery): string {
  const said = saidOf(delivery)
  return delivery.fault?.includes('SPOOL_WEBHOOK_ALLOW')
    ? `${said} It is the server that delivers: start it with that variable too.`
    : said
}

function explainFailure(seq: number, delivery: Delivery | null): string {
  if (delivery?.fault) return `The test was not delivered: ${explainTest(delivery)}`
  return delivery?.status
    ? `The test was not delivered: its receiver answered ${delivery.status}.`
    : `Event ${seq} is waiting for delivery; check that a server is running.`
}

function describeAttempt(delivery: Delivery): string[] {
  const { seq, eventId, type, state, attempts, attemptedAt, nextAttemptAt, status } = delivery
  return [
    `${seq}`,
    eventId,
    type,
    nextAttemptAt === null ? state : `waiting until ${toTime(nextAttemptAt)}`,
    count(attempts, 'attempt'),
    toTimeOrNull(attemptedAt) ?? '',
    status === null ? 'no answer' : `${status}`,
    delivery.milliseconds === null ? '' : `${delivery.milliseconds} ms`,
  ]
}
