import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import {
  adoptSecret,
  hasStore,
  listSecrets,
  loadSecret,
  prepareFolder,
  refuseMoved,
} from '../config/data-folder.ts'
import { checkSecret, deriveKeys, type Keys, type Spool } from '../core/spool.ts'
import { defaultLimits } from '../mail/limits.ts'
import { ByteBudget } from '../model/byte-budget.ts'
import { SpoolError, StoreAbsent } from '../model/errors.ts'
import { openDatabase } from '../store/database.ts'
import type { Database, DatabaseOptions, WriterKind } from '../store/db.ts'
import type { MigrationStep } from '../store/migrations.ts'
import type { OwnMail } from '../model/mail/own-mail.ts'
import type { FoundProvider } from '../mail/find-provider.ts'
import type { GuardedFetch, OAuthExchange } from '../model/mail/oauth.ts'
import type { Guard, GuardOptions } from '../webhook/guard.ts'

export type OpenOptions = Pick<DatabaseOptions, 'absent' | 'earlier' | 'onMigration'>
export type OpenedSpool = Spool & AsyncDisposable

/** For the server, which alone migrates a store of an earlier version. The log may come later: it loads meanwhile. */
export function openServedSpool(config: Config, log: Logger | Promise<Logger>): Promise<OpenedSpool> {
  return openSpool(config, 'thread', {
    earlier: 'migrate',
    onMigration: async (step) => logMigration(await log, step),
  })
}

function logMigration(log: Logger, { seconds, ...step }: MigrationStep): void {
  if (seconds === null) log.info(step, 'migrating the store')
  else log.info({ ...step, seconds }, 'migrated the store')
}

/** In memory at once: of all mail and files that are arriving, and of all exports. */
const mostBytes = 256_000_000

/** Opens the store and checks its secret: for the server and every command. */
export async function openSpool(
  config: Config,
  writer: WriterKind,
  options: OpenOptions = {},
): Promise<OpenedSpool> {
  if (config.databaseUrl === null) {
    // Check first: a command that finds no store must not leave a folder or a secret behind.
    if (options.absent === 'refuse' && !hasStore(config))
      throw new StoreAbsent(config.dataFolder, 'SPOOL_DATA')
    refuseMoved(config)
    prepareFolder(config)
  }
  const secret = loadSecret(config)
  const db = await openDatabase({ url: config.databaseUrl, folder: config.dataFolder, writer, ...options })
  await using stack = new AsyncDisposableStack()
  stack.use(db)
  // It may have waited for a move to end.
  if (config.databaseUrl === null) refuseMoved(config)
  const keys = await findKeys(db, config, secret)
  const url =
    config.url ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  const allow = config.fetchAllow
  const pictures = openLater(stack, async () => {
    const { PictureFetcher } = await import('../fetch/pictures.ts')
    return new PictureFetcher(await openGuard({ for: 'fetch', allow }))
  })
  // A client's address must be https, as a webhook's must. A push service is reached the same way.
  const documents = openLater(stack, async () => {
    const { ClientDocuments } = await import('../fetch/client-documents.ts')
    return new ClientDocuments(await openGuard({ allow }))
  })
  const pushes = openLater(stack, async () => {
    const { PushSender } = await import('../fetch/push.ts')
    return new PushSender(await openGuard({ allow }), keys.push, url)
  })
  // A process that reads no mail starts no parser threads.
  const pool = openLater(stack, async () => {
    const { openParsePool } = await import('../mail/parse-pool.ts')
    return openParsePool({ limits: { ...defaultLimits, size: config.maxMessageBytes } })
  })
  const reader = openLater(stack, async () => {
    const { FileReader } = await import('../mail/files/file-reader.ts')
    return new FileReader()
  })
  const owned = stack.move()
  return {
    db,
    keys,
    url,
    now: Date.now,
    undoSeconds: config.undoSeconds,
    maxMessageBytes: config.maxMessageBytes,
    memory: {
      arriving: new ByteBudget(Math.max(mostBytes, 2 * config.maxMessageBytes)),
      exports: new ByteBudget(mostBytes),
    },
    readMail: async (raw, when) => (await pool()).parse(raw, when),
    bridge: { command: process.execPath, script: join(import.meta.dirname, '../../bin/spool.js') },
    refold: async (...form) => (await import('../mail/normal-form/refold.ts')).refoldHtml(...form),
    checkTarget: async (url) => (await makeGuard(config)).checkRegistration(url),
    fetchPicture: async (address, gone) => (await pictures()).fetch(address, gone),
    fetchClientDocument: async (url) => (await documents()).fetch(url),
    push: {
      check: async (endpoint) => (await pushes()).check(endpoint),
      send: async (...push) => (await pushes()).send(...push),
    },
    noticeMail: config.noticeMail,
    sendOwnMail,
    lookUpProvider: (address) => lookUp(config, address),
    oauth: openExchangeLater(config),
    oauthClients: config.oauthClients,
    readFile: async (...file) => (await reader()).read(...file),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Somebody waits for it, so it is tried once and not for long. */
async function sendOwnMail(mail: OwnMail): Promise<void> {
  const { sendOwnMail } = await import('../mail/own-mail.ts')
  const timeout = AbortSignal.timeout(20_000)
  const handover = await sendOwnMail(mail, Date.now(), async () => undefined, { stop: timeout, cut: timeout })
  if (handover.result === 'accepted') return
  throw new SpoolError(
    'conflict',
    `The mail to ${mail.to.address} could not be sent: ${handover.answer.slice(0, 500)}`,
  )
}

/** Of the secret that opens the store. After a rotation that was interrupted, or has ended meanwhile, it is the next. */
async function findKeys(db: Database, config: Config, secret: string): Promise<Keys> {
  for (const each of config.secret === null ? [secret, ...listSecrets(config)] : [secret]) {
    const keys = deriveKeys(each)
    if (!(await checkSecret(db, keys))) continue
    if (config.secret === null) adoptSecret(config, each)
    return keys
  }
  const ifLost = 'If it is lost, "spool secret forget" opens the store without it.'
  throw new SpoolError(
    'bad_parameter',
    config.secret === null
      ? `This store has another secret: put its file "secret" back into ${config.dataFolder}, or set SPOOL_SECRET. ${ifLost}`
      : `SPOOL_SECRET is not the secret of this store, or no longer since a "spool secret rotate"; start with the one it has. ${ifLost}`,
  )
}

/** Opens on first use and closes with the stack. */
function openLater<Opened extends AsyncDisposable>(
  stack: AsyncDisposableStack,
  open: () => Promise<Opened>,
): () => Promise<Opened> {
  let opened: Promise<Opened> | null = null
  stack.defer(async () => (await opened)?.[Symbol.asyncDispose]())
  return () => (opened ??= open())
}

/** Loaded lazily: most commands neither register nor deliver webhooks, nor fetch anything. */
async function openGuard(options: GuardOptions): Promise<Guard> {
  const { Guard } = await import('../webhook/guard.ts')
  return new Guard(options)
}

export function makeGuard({ webhookAllow }: Config): Promise<Guard> {
  return openGuard({ allow: webhookAllow })
}

/** Loaded with the first mailbox that is looked up or opened by sign-in. */
async function openGuardedFetch({ fetchAllow }: Config): Promise<GuardedFetch> {
  const { makeGuardedFetch } = await import('../fetch/guarded.ts')
  return makeGuardedFetch(await openGuard({ allow: fetchAllow }))
}

async function lookUp(config: Config, address: string): Promise<FoundProvider> {
  const [{ Resolver }, { lookUpProvider }, fetch] = await Promise.all([
    import('node:dns/promises'),
    import('../mail/find-provider.ts'),
    openGuardedFetch(config),
  ])
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (config.nameServers) resolver.setServers(config.nameServers)
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return lookUpProvider(domain, { resolver, fetch, timeLimit: 3_000 })
}

function openExchangeLater(config: Config): OAuthExchange {
  let opened: Promise<OAuthExchange> | null = null
  const open = async (): Promise<OAuthExchange> => {
    const { makeExchange } = await import('../mail/oauth/exchange.ts')
    return makeExchange(await openGuardedFetch(config))
  }
  const exchange = (): Promise<OAuthExchange> => (opened ??= open())
  return {
    authorizationUrl: async (...about) => (await exchange()).authorizationUrl(...about),
    redeem: async (...about) => (await exchange()).redeem(...about),
    renew: async (...about) => (await exchange()).renew(...about),
    obtain: async (...about) => (await exchange()).obtain(...about),
  }
}
