import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { AwaitedStore } from './app/await-store.ts'
import { makeLog } from './app/log.ts'
import { makeGuard, openServedSpool } from './app/open.ts'
import { checkAfterCrash, watchMigrations, watchStore } from './app/store-watch.ts'
import { Authentication } from './core/tokens/authentication.ts'
import { secretChanged } from './core/access/secrets.ts'
import { Cache } from './core/cache.ts'
import { forgetOldDeliveries } from './core/webhooks/deliveries.ts'
import { forgetUnusedClients } from './core/grants/clients.ts'
import { forgetExpiredSecrets } from './core/grants/grants.ts'
import { forgetOldNotices } from './core/notices/reading.ts'
import { forgetOldEvents } from './core/log/events.ts'
import { Freshness } from './core/freshness.ts'
import { Live } from './core/log/live.ts'
import { MailWatch } from './core/log/mail-watch.ts'
import { News } from './core/log/news.ts'
import { checkSomeSources } from './core/keeping/proof.ts'
import { Readiness } from './core/readiness.ts'
import { ReadingTally } from './core/tokens/reading-tally.ts'
import { RateLimit } from './core/access/rate-limit.ts'
import { checkSecret, type Spool } from './core/spool.ts'
import { wakeSnoozed } from './core/threads/threads.ts'
import { addressReader } from './http/addresses/client-address.ts'
import type { AgentProtocol } from './http/agent-door.ts'
import { Observer } from './http/observer.ts'
import { buildServer } from './http/server.ts'
import type { McpDoor } from './mcp/door.ts'
import type { Reads } from './model/reads.ts'
import { readLastSeq } from './store/log/events.ts'
import { startNotices } from './workers/deliver-notices.ts'
import { startDeliveries } from './workers/deliver-webhooks.ts'
import { makeHolder } from './workers/holder.ts'
import { startLoop, type Loop } from './workers/loop.ts'
import { startMail } from './workers/mail.ts'
import { renewNames } from './core/people/renew-names.ts'
import { startRenewingMail } from './workers/renew-mail.ts'
import { startSendMail } from './workers/send-mail.ts'

export interface App extends AsyncDisposable {
  spool: Spool
  /** The address it listens on. */
  url: string
  /** Where mail is received, as host:port; null if it is not. */
  smtp: string | null
  lmtp: string | null
  /** Answers waiting requests and keeps serving, so that clients can move on; resolves when it is time to close. */
  drain(): Promise<void>
}

export async function startApp(
  config: Config,
  log: Logger = makeLog(config),
  awaited: AwaitedStore | null = null,
): Promise<App> {
  await using stack = new AsyncDisposableStack()
  const spool = stack.use(awaited?.spool ?? (await openServedSpool(config, log)))
  const observer = new Observer(log)
  spool.db.stats.observe = observer.watchStore()
  observer.watch('spool_store_waiting_writes', 'Transactions waiting for their turn', () =>
    spool.db.stats.waitingWrites(),
  )
  const readiness = new Readiness()
  watchStore(spool.db, { log, observer, readiness })

  const shared = config.redisUrl ? stack.use(await openRedis(config.redisUrl, log)) : null
  if (!shared) log.info('no Redis is configured: the rate limit is counted per node')

  const news = stack.use(new News(spool.db))
  observer.watch('spool_event_waits', 'Requests that wait for events', () => news.waiting)
  const freshness = new Freshness(spool.db)
  const cache = new Cache()
  const authentication = new Authentication(spool, cache)
  const tally = stack.use(new ReadingTally(spool.db, failureLog(log, 'token-reads')))
  const live = stack.use(new Live(spool, freshness, shared?.presence() ?? null))
  const holder = makeHolder()
  const repeat = (name: string, pause: number, work: () => Promise<unknown>): Loop =>
    startLoop(name, pause, work, failureLog(log, name))
  // Not while the first requests wait for the store.
  const everyHour = (name: string, work: () => Promise<unknown>): Loop =>
    startLoop(name, 3_600_000, work, failureLog(log, name), 60_000)
  const loops: Loop[] = [
    repeat('look-for-migrations', 2_000, () => lookForMigrations(spool)),
    repeat('wake-snoozed', 1_000, () => wakeSnoozed(spool)),
    repeat('token-uses', 1_000, () => authentication.writeUses()),
    repeat('token-reads', 2_000, () => tally.write()),
    everyHour('forget-events', () => forgetOldEvents(spool, config.eventDays)),
    everyHour('forget-deliveries', () => forgetOldDeliveries(spool)),
    everyHour('forget-notices', () => forgetOldNotices(spool)),
    everyHour('check-sources', () => checkSomeSources(spool, holder)),
    everyHour('forget-grants', () => forgetGrants(spool)),
    startSendMail(spool, { retries: config.sendRetries, log, onFailure: failureLog(log, 'send-mail') }),
  ]
  const { Courier } = await import('./webhook/deliver.ts')
  const courier = stack.use(new Courier(await makeGuard(config)))
  const observe = observer.watchDeliveries()
  const deliveries = startDeliveries(spool, {
    courier,
    onAttempt: observe,
    onFailure: failureLog(log, 'deliver-webhooks'),
    onDisabled: (webhookId, reason) => log.warn({ webhookId, reason }, 'a webhook was disabled'),
  })
  observer.watch('spool_webhook_lanes', 'Webhooks that this node delivers', () => deliveries.depth().queues)
  observer.watch(
    'spool_webhook_behind',
    'Events of the log that the queues of this node have yet to read, added up',
    () => deliveries.depth().behind,
  )
  observer.watch(
    'spool_webhook_waiting',
    'Deliveries of all nodes that wait for another attempt, as of the last ten seconds',
    () => deliveries.depth().waiting,
  )
  loops.push(deliveries, startNotices(spool, failureLog(log, 'deliver-notices')))
  const watch = stack.use(new MailWatch(spool, freshness))
  const agents = stack.use(makeAgents(spool, cache, watch, observer, tally))
  // Closed in parallel: each may need a while to finish its current work, and the process has ten seconds.
  const busy: AsyncDisposable[] = [...loops]
  stack.defer(() => disposeAll(busy))
  await renewNames(spool).catch(failureLog(log, 'renew-names'))
  const renewing = startRenewingMail(spool, log, failureLog(log, 'renew-mail'))
  busy.push(renewing)
  observer.watch('spool_mail_to_renew', 'Stored messages still in the form of an earlier version', () =>
    renewing.left(),
  )
  const mail = await startMail(config, spool, log, observer)
  busy.push(mail)
  loops.push(mail.fetching)
  // What arrives by SMTP is still answered: to try again later.
  watchMigrations(spool.db, { log, observer, readiness }, async () => {
    await Promise.allSettled([...loops, renewing].map((each) => each[Symbol.asyncDispose]()))
  })

  let isDraining = false
  readiness.add(() => (isDraining ? 'This server is stopping; send requests to another one.' : null))
  readiness.add(() => readLastSeq(spool.db).then(() => null))
  readiness.add(async () => ((await checkSecret(spool.db, spool.keys)) ? null : secretChanged))
  readiness.add(() => checkWorkers(loops))
  const limitBy = (name: string, rate: Config['rateLimit']): RateLimit =>
    new RateLimit(rate, shared?.counts(name, rate) ?? null)
  const server = buildServer({
    spool,
    agents,
    agentHosts: config.mcpHosts,
    corsOrigins: config.corsOrigins,
    news,
    live,
    tally,
    cache,
    freshness,
    authentication,
    limits: {
      token: limitBy('token', config.rateLimit),
      person: limitBy('person', config.personRateLimit),
      anonymous: limitBy('anonymous', config.anonymousRateLimit),
      registration: limitBy('oauth-register', { requests: 20, seconds: 3600 }),
    },
    // Enough for a person's typos, not for a program that guesses. Higher per address, which an office may share.
    signInLimits: {
      address: limitBy('sign-in-address', { requests: 200, seconds: 300 }),
      network: limitBy('sign-in-network', { requests: 600, seconds: 300 }),
      pair: limitBy('sign-in-pair', { requests: 20, seconds: 300 }),
      own: limitBy('sign-in-own', { requests: 20, seconds: 300 }),
    },
    addressOf: addressReader(config.trustProxy),
    observer,
    readiness,
    metricsToken: config.metricsToken,
  })
  busy.push({
    async [Symbol.asyncDispose]() {
      news[Symbol.dispose]()
      live[Symbol.dispose]()
      watch.endAll()
      await server.close()
    },
  })
  await shared?.ready()
  // The placeholder server that held the port while the store was unavailable releases it only now.
  awaited?.[Symbol.dispose]()
  const url = await server.listen({ host: config.host, port: config.port })
  if (config.url === null) spool.url = url
  const { smtp, lmtp } = mail
  log.info({ url, smtp, lmtp, store: spool.db.dialect }, 'Spool is ready')
  checkAfterCrash(spool.db, { log, observer, readiness })
  const owned = stack.move()
  return {
    spool,
    url,
    smtp,
    lmtp,
    async drain() {
      log.info({ seconds: config.drainSeconds }, 'Spool is stopping')
      isDraining = true
      server.drain()
      news.endWaits()
      live.endPages()
      watch.endAll()
      await sleep(config.drainSeconds * 1000)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The next request reports a store that is out of reach. */
function lookForMigrations({ db }: Spool): Promise<void> {
  return db.lookForMigrations().catch(() => undefined)
}

async function disposeAll(all: readonly AsyncDisposable[]): Promise<void> {
  const ends = await Promise.allSettled(all.map((each) => each[Symbol.asyncDispose]()))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Loads the MCP SDK with the first agent call: it is a third of all code loaded, and not everybody has agents. */
function makeAgents(
  spool: Spool,
  cache: Cache,
  watch: MailWatch,
  observer: Observer,
  tally: ReadingTally,
): AgentProtocol & AsyncDisposable {
  const callbacks = {
    onFault: (requestId: string, error: unknown) => observer.fault(requestId, error),
    onRead: (tokenId: string, reads: Reads) => tally.noteReads(tokenId, reads, spool.now()),
  }
  let door: Promise<McpDoor> | null = null
  return {
    listTools: async () => [...(await import('./mcp/tools/table.ts')).tools],
    async answer(...args) {
      door ??= import('./mcp/door.ts').then(({ openMcp }) => openMcp({ spool, cache, watch, ...callbacks }))
      return (await door).answer(...args)
    },
    async [Symbol.asyncDispose]() {
      await (await door)?.close()
    },
  }
}

/** Loaded only if Redis is configured: a server without it starts sooner. */
async function openRedis(url: string, log: Logger) {
  const { awaitRedis, connectRedis, RedisCounts, RedisPresence } = await import('./app/redis.ts')
  const tell = logOncePerMinute(log)
  const redis = connectRedis(url, tell)
  const presence = new RedisPresence(redis, connectRedis(url, tell))
  return {
    counts: (name: string, limit: Config['rateLimit']) => new RedisCounts(name, limit, redis),
    presence: () => presence,
    ready: () => awaitRedis(redis),
    [Symbol.dispose]: () => {
      presence[Symbol.dispose]()
      redis.disconnect()
    },
  }
}

/** In this order: a client whose last grant has ended counts as unused from now on. */
async function forgetGrants(spool: Spool): Promise<void> {
  await forgetExpiredSecrets(spool)
  await forgetUnusedClients(spool)
}

function checkWorkers(loops: readonly Loop[]): string | null {
  const failing = loops.filter((loop) => !loop.inOrder()).map((loop) => loop.name)
  if (failing.length === 0) return null
  return `These workers fail again and again: ${failing.join(', ')}. The log says why.`
}

function failureLog(log: Logger, worker: string): (error: unknown) => void {
  return (error) =>
    log.warn(
      { worker, code: (error as { code?: string }).code, reason: (error as Error).message },
      'a worker failed',
    )
}

/** An unreachable Redis reports errors continuously; one log line a minute is enough. */
function logOncePerMinute(log: Logger): (error: Error) => void {
  let loggedAt = 0
  return (error) => {
    if (Date.now() - loggedAt < 60_000) return
    loggedAt = Date.now()
    log.warn(
      { reason: error.message },
      'Redis is out of reach: the rate limit is counted per node until it is back',
    )
  }
}
