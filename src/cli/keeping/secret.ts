import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { openSpool } from '../../app/open.ts'
import { readConfig, readSecret, type Config } from '../../config.ts'
import {
  adoptSecret,
  hasStore,
  listSecrets,
  loadSecret,
  prepareFolder,
  prepareSecret,
  readSecretFile,
  refuseMoved,
} from '../../config/data-folder.ts'
import { becomeOwner } from '../../config/folder-owner.ts'
import { requireClosed } from '../../core/keeping/move.ts'
import { forgetSecret, listLost, rotateStore, stopServers, type Lost } from '../../core/keeping/secret.ts'
import { deriveKeys } from '../../core/spool.ts'
import { SpoolError, StoreAbsent } from '../../model/errors.ts'
import { print, readSecretLine, warnOfTypos, withJson, type Environment } from '../command.ts'
import { confirm, promptSecret } from '../secret.ts'

const ends = `These end: cursors of lists and searches (programs begin with the first page), undo of what was done until
now, consents and sign-ins at mail providers that are under way, and Spool's memory of browsers that have signed in.
Pushes to a browser go on once somebody opens Spool in it.`
const stays = 'People, sessions, tokens and agents stay as they are.'

const rotating = `Spool encrypts again what it keeps with the secret: mail passwords, sign-ins at mail providers and their
clients, and webhook secrets. They stay usable. ${ends}
${stays} Backups made until now can only be restored with the old secret: keep it as long as them.`

const forgetting = `Spool takes another secret without having the old one. Mail passwords, sign-ins at mail providers and their
clients have to be entered again, and webhooks are disabled until they have new secrets. ${ends}
${stays} This cannot be undone: if the secret may still be in a backup or on another node, look there first.`

export function addSecretCommands(program: Command, environment: Environment): void {
  const secret = program
    .command('secret')
    .description('change the secret that the store is encrypted with; with the server stopped')
  withJson(
    secret
      .command('rotate')
      .description('encrypt everything again with a new secret, as after a leak')
      .option(
        '--secret-stdin',
        'read the new secret from standard input; otherwise the file gets a random one',
      )
      .option('--yes', 'do not ask'),
  ).action((options: SecretOptions) => rotate(environment, options))
  withJson(
    secret
      .command('forget')
      .description('open the store without its lost secret: passwords have to be entered again')
      .option('--yes', 'do not ask'),
  ).action((options: SecretOptions) => forget(environment, options))
}

interface SecretOptions {
  secretStdin?: boolean
  yes?: boolean
  json?: boolean
}

async function rotate(environment: Environment, options: SecretOptions): Promise<void> {
  warnOfTypos(environment)
  const config = readConfig(environment)
  if (config.databaseUrl === null) becomeOwner(config)
  const wanted = await readWanted(config, options)
  await confirm(rotating, options.yes ?? false)
  requireStopped(config)
  if (wanted !== null && (await isDone(config, wanted))) return report(config, options, 'rotated', [])
  const next = wanted ?? makeSecret()
  await using spool = await openSpool(config, 'inline', { absent: 'refuse' })
  await rotateStore(spool.db, spool.keys, {
    next: deriveKeys(next),
    now: Date.now(),
    beforeCommit: () => config.secret === null && prepareSecret(config, next),
  })
  if (config.secret === null) adoptSecret(config, next)
  report(config, options, 'rotated', await listLost({ db: spool.db, keys: deriveKeys(next) }))
}

/** Null: a random one. Where the environment has the secret, whoever sets it there has to know the new one first. */
async function readWanted(config: Config, { secretStdin }: SecretOptions): Promise<string | null> {
  if (!secretStdin && config.secret === null && config.databaseUrl === null) return null
  const given = secretStdin
    ? await readSecretLine()
    : await promptSecret(
        'New secret: ',
        'SPOOL_SECRET is set: write the new secret to standard input and add --secret-stdin.',
      )
  try {
    return readSecret(given.trim())
  } catch (error) {
    throw new SpoolError('bad_parameter', `The new secret ${(error as Error).message}`, { cause: error })
  }
}

/** Whether the store has this secret already: an earlier run was killed after its commit. */
async function isDone(config: Config, wanted: string): Promise<boolean> {
  if (wanted === config.secret)
    throw new SpoolError('bad_parameter', 'The new secret is the one that SPOOL_SECRET has already.')
  try {
    await using _spool = await openSpool({ ...config, secret: wanted }, 'inline', { absent: 'refuse' })
  } catch {
    // Opening it with the secret that it should have tells what is wrong.
    return false
  }
  if (config.secret === null) adoptSecret(config, wanted)
  return true
}

async function forget(environment: Environment, options: SecretOptions): Promise<void> {
  warnOfTypos(environment)
  const config = readConfig(environment)
  if (config.databaseUrl === null) becomeOwner(config)
  // On PostgreSQL this throws: all nodes need to know it.
  const kept = config.databaseUrl === null ? (config.secret ?? readSecretFile(config)) : loadSecret(config)
  requireStopped(config)
  const next = kept ?? makeSecret()
  const lost = await forgetSecret({
    folder: config.dataFolder,
    url: config.databaseUrl,
    known: config.secret === null ? listSecrets(config) : [config.secret],
    confirm: () => confirm(forgetting, options.yes ?? false),
    next: deriveKeys(next),
    now: Date.now(),
    beforeCommit: () => kept === null && prepareSecret(config, next),
  })
  if (kept === null) adoptSecret(config, next)
  report(config, options, 'forgotten', lost)
}

/** On PostgreSQL, servers are looked for in the transaction. */
function requireStopped(config: Config): void {
  if (config.databaseUrl !== null) return
  if (!hasStore(config)) throw new StoreAbsent(config.dataFolder, 'SPOOL_DATA')
  refuseMoved(config)
  prepareFolder(config)
  requireClosed(config.dataFolder, stopServers)
}

function makeSecret(): string {
  return randomBytes(32).toString('hex')
}

function report(config: Config, options: SecretOptions, done: 'rotated' | 'forgotten', lost: Lost[]): void {
  const place = config.secret === null ? `${config.dataFolder}/secret` : 'SPOOL_SECRET'
  const note =
    config.secret === null
      ? `The new secret is in ${place}: keep a copy elsewhere, without it the store cannot be opened.`
      : done === 'rotated'
        ? 'Set SPOOL_SECRET to the new secret now, for every node and command: the old one does not open the store any more.'
        : 'The store has the secret of SPOOL_SECRET now.'
  print(options, { done, place, note, lost }, [note, ...describeLost(lost)].join('\n'))
}

function describeLost(lost: readonly Lost[]): string[] {
  if (lost.length === 0) return []
  const lines = lost.map(({ kind, of }) => {
    if (kind === 'webhook')
      return `  webhook ${of}: spool webhook rotate ${of}, then spool webhook enable ${of}`
    if (kind === 'sign-in') return `  ${of}: Sign in again, in Settings → Inboxes`
    return `  ${of}: its ${kind.toUpperCase()} password, in Settings → Inboxes or with spool inbox set ${of} --${kind} URL --credentials-stdin`
  })
  return ['To be entered again:', ...lines]
}
