import { access, constants, stat, statfs } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openSpool, type OpenedSpool } from '../app/open.ts'
import { describeAbsentSecret, hasStore, listSecrets, secretNeeded } from '../config/data-folder.ts'
import { findUnknownVariables, readConfig, type Config } from '../config.ts'
import { becomeOwner } from '../config/folder-owner.ts'
import { listAllInboxes } from '../core/inboxes/inboxes.ts'
import { openSignedIn } from '../core/mailboxes/grants.ts'
import { listServersOfInboxes } from '../core/mailboxes/mail-servers.ts'
import { proveStore } from '../core/keeping/proof.ts'
import { listPeople } from '../core/people/people.ts'
import { countToRenew } from '../core/forms/forms.ts'
import type { Spool } from '../core/spool.ts'
import { listUnsigned } from '../core/webhooks/webhooks.ts'
import { pingRedis } from '../app/redis.ts'
import { offersSignIn, tryMailServer } from '../mail/try-connection.ts'
import { StoreDamaged } from '../model/errors.ts'
import type { MailServerKind } from '../model/mail/server.ts'
import { writeReport } from './doctor-report.ts'
import { count, describeError, print, withJson, type Environment } from './command.ts'

interface Finding {
  check: string
  ok: boolean
  /** It works, but may not be what was intended. */
  warning: boolean
  message: string
}

/** Checks everything that has to be right, says what to fix, and exits with 1 if anything is wrong. */
export function addDoctor(program: Command, environment: Environment): void {
  withJson(
    program
      .command('doctor')
      .description('checks configuration, store and mail servers; says what to fix')
      .option('--deep', 'read everything and compare it with its checksums')
      .option('--report', 'print an account without addresses and secrets, to paste elsewhere'),
  ).action(async (options: { json?: boolean; deep?: boolean; report?: boolean }) => {
    const findings = await examine(environment, options.deep ?? false)
    const lines = findings.map(
      ({ ok, warning, check, message }) =>
        `${!ok ? 'MEND' : warning ? 'LOOK' : 'ok  '}  ${check}: ${message}`,
    )
    if (options.report) {
      const report = await writeReport(readConfig(environment), lines)
      print(options, { report }, report)
    } else print(options, { ok: findings.every(({ ok }) => ok), checks: findings }, lines.join('\n'))
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  })
}

async function examine(environment: Environment, deep: boolean): Promise<Finding[]> {
  const unknown = findUnknownVariables(environment).map((message) => warn('configuration', message))
  let config: Config
  try {
    config = readConfig(environment)
    if (config.databaseUrl === null) becomeOwner(config)
  } catch (error) {
    const { message } = error as Error
    return [...unknown, { check: 'configuration', ok: false, warning: false, message }]
  }
  return [
    { check: 'configuration', ok: true, warning: false, message: 'every variable can be read' },
    ...unknown,
    await look('data folder', () => examineFolder(config)),
    await look('secret', () => examineSecret(config)),
    await look('store', () => examineStore(config, deep ? 'whole' : 'quick')),
    ...(deep ? [await look('stored messages and files', () => examineContent(config))] : []),
    ...(await lookIn(config, examineVersion)),
    ...(await lookIn(config, examineForms)),
    ...(await lookIn(config, (spool) => examineMailServers(config, spool))),
    ...(await lookIn(config, examineWebhooks)),
    ...(config.redisUrl ? [await look('Redis', () => examineRedis(config.redisUrl!))] : []),
  ]
}

async function look(check: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, warning: false, message: await work() }
  } catch (error) {
    return { check, ok: false, warning: false, message: describeError(error as Error) }
  }
}

function warn(check: string, message: string): Finding {
  return { check, ok: true, warning: true, message }
}

async function examineFolder({ dataFolder }: Config): Promise<string> {
  const there = await statIfThere(dataFolder)
  if (there && !there.isDirectory()) throw new Error(`SPOOL_DATA must be a folder; ${dataFolder} is a file.`)
  if (!there) return `${dataFolder} will be created at the first start`
  await access(dataFolder, constants.R_OK | constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EROFS' ? ': its disk is mounted read-only.' : ' by this user; change its owner.'
    throw new Error(`${dataFolder} cannot be written${why}`)
  })
  const { bavail, bsize } = await statfs(dataFolder)
  const gigabytes = (bavail * bsize) / 1e9
  if (gigabytes < 0.5) throw new Error(`${dataFolder} has only ${gigabytes.toFixed(2)} GB left; make room.`)
  return `${dataFolder} is writable, ${gigabytes.toFixed(1)} GB left`
}

/** Null if it does not exist; throws if it cannot exist, or if this user cannot reach it. */
async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    const why =
      code === 'ENOTDIR'
        ? 'cannot exist: something above it is a file.'
        : `cannot be reached by this user (${code}); check the owner and mode of its folders.`
    throw new Error(`${path} ${why}`, { cause: error })
  }
}

/** Whether it is the one of the store, the check of the store says. */
async function examineSecret(config: Config): Promise<string> {
  if (config.secret) return 'given by SPOOL_SECRET'
  if (config.databaseUrl !== null) throw new Error(secretNeeded)
  const file = join(config.dataFolder, 'secret')
  const there = await statIfThere(file)
  if (!there) {
    if (hasStore(config) && listSecrets(config).length === 0) throw new Error(describeAbsentSecret(config))
    return 'will be created at the first start'
  }
  await access(file, constants.R_OK)
  if ((there.mode & 0o077) !== 0) throw new Error(`${file} can be read by others; run: chmod 600 ${file}`)
  return `in ${file}, readable by its owner only`
}

/** A store of an earlier version, too: only "spool serve" migrates it. */
function openAsItIs(config: Config): Promise<OpenedSpool> {
  return openSpool(config, 'inline', { absent: 'refuse', earlier: 'keep' })
}

async function examineStore(config: Config, depth: 'quick' | 'whole'): Promise<string> {
  await using spool = await openAsItIs(config)
  const [damage] = await spool.db.check(depth)
  if (damage !== undefined) throw new StoreDamaged(damage)
  const store = config.databaseUrl ? 'PostgreSQL answers' : 'SQLite answers, every page is in order'
  if (spool.db.condition.lacking.length > 0) return store
  const inboxes = await listAllInboxes(spool)
  const people = await listPeople(spool)
  if (inboxes.length === 0) return `${store}; it has no inbox yet: spool inbox add ADDRESS`
  if (people.length === 0)
    return `${store}; it has no users yet: spool user add EMAIL --name NAME --role admin`
  return `${store}; ${inboxes.length} ${inboxes.length === 1 ? 'inbox' : 'inboxes'}, ${people.length} ${people.length === 1 ? 'person' : 'people'}`
}

/** Only with `--deep`. */
async function examineContent(config: Config): Promise<string> {
  await using spool = await openAsItIs(config)
  const { sources, unmarked, damagedSources, damagedFiles } = await proveStore(spool.db)
  if (damagedSources.length + damagedFiles > 0) {
    const some = damagedSources.slice(0, 20).join(', ') + (damagedSources.length > 20 ? ', …' : '')
    throw new Error(
      `${count(damagedSources.length, 'message')} (${some}) and ${count(damagedFiles, 'file')} are not as they were stored; the rest is. Check the disk; a backup from before has them, see docs/keep.md.`,
    )
  }
  const unknown = unmarked === 0 ? '' : `; ${unmarked} are of an earlier version and have no checksum yet`
  return `all ${sources} sources are as they were stored, and so are their files${unknown}`
}

/** Nothing where the store cannot be opened or read, or is of a version that lacks what is looked for: its own checks report that. */
async function lookIn(config: Config, work: (spool: Spool) => Promise<Finding[]>): Promise<Finding[]> {
  try {
    await using spool = await openAsItIs(config)
    return await work(spool)
  } catch {
    return []
  }
}

/** Empty unless an earlier version made the store. */
async function examineVersion({ db }: Spool): Promise<Finding[]> {
  const { length } = db.condition.lacking
  if (length === 0) return []
  const message = `an earlier version made it, which lacks ${count(length, 'migration')}. Make a backup with "spool backup FILE", then restart the server with this version: "spool serve" migrates the store`
  return [warn('version of the store', message)]
}

/** Empty unless some mail is left to renew. */
async function examineForms(spool: Spool): Promise<Finding[]> {
  const left = await countToRenew(spool)
  if (left === 0) return []
  const message = `${left} messages are still in the form of an earlier version; a running server renews them in the background, newest first, and reads them in the new form until then`
  return [{ check: 'stored mail', ok: true, warning: false, message }]
}

/** Signs in to each server, as the workers do. */
async function examineMailServers(config: Config, spool: Spool): Promise<Finding[]> {
  const servers = await listServersOfInboxes(spool)
  const findings: Finding[] = []
  for (const { inbox, server } of servers) {
    const check = `${server.kind.toUpperCase()} of ${inbox.address}`
    const found = await look(check, async () => tryMailServer(await openSignedIn(spool, server)))
    const unsure = found.ok && server.kind === 'smtp' && server.user === null
    // A server that has become unreachable since must not hide the other findings.
    const warning = unsure && (await offersSignIn(server).catch(() => false))
    findings.push({ ...found, warning })
  }
  for (const { number, address } of await listAllInboxes(spool)) {
    const kinds = servers.flatMap(({ inbox, server }) => (inbox.number === number ? server.kind : []))
    const missing = describeMissing(config, address, kinds)
    if (missing !== null) findings.push(warn(`mail of ${address}`, missing))
  }
  return findings
}

/** Those that cannot be delivered to, because their secret was lost. */
async function examineWebhooks(spool: Spool): Promise<Finding[]> {
  return (await listUnsigned(spool)).map(({ id }) => ({
    check: `webhook ${id}`,
    ok: false,
    warning: false,
    message: `its secret was lost; make a new one for the receiver: spool webhook rotate ${id}, then spool webhook enable ${id}`,
  }))
}

/** An instance used only for imported mail is fine; for any other this is worth a warning. */
function describeMissing(config: Config, address: string, kinds: readonly MailServerKind[]): string | null {
  const handedOver = config.smtpListen !== null || config.lmtpListen !== null
  const arrives = handedOver || kinds.includes('imap')
  const leaves = kinds.includes('smtp')
  if (arrives && leaves) return null
  const told = [arrives ? '' : 'no mail arrives automatically', leaves ? '' : 'answers cannot be sent']
  const options = [arrives ? '' : '--imap URL', leaves ? '' : '--smtp URL']
  const [what, how] = [told.filter(Boolean).join(' and '), options.filter(Boolean).join(' ')]
  return `${what} until a server is set: spool inbox set ${address} ${how} --credentials-stdin`
}

async function examineRedis(url: string): Promise<string> {
  await pingRedis(url)
  return 'answers'
}
