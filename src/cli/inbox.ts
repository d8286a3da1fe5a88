import type { Command } from 'commander'
import { findInbox } from '../core/access/access.ts'
import { addInbox, changeInbox, listAllInboxes, removeInbox } from '../core/inboxes/inboxes.ts'
import { listServersOfInboxes } from '../core/mailboxes/mail-servers.ts'
import { readSyncProgress, type MailboxProgress } from '../core/mailboxes/state.ts'
import type { Spool } from '../core/spool.ts'
import type { Inbox } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import { addressesOf } from '../model/mail/own-address.ts'
import { writeMailServerAddress, type MailServerKind } from '../model/mail/server.ts'
import { collect, print, readOpenDays, table, withJson, type Environment } from './command.ts'
import { withSpool } from './spool.ts'
import { chooseServers, type ServerChange, type ServerOptions } from './inbox-servers.ts'

interface InboxOptions extends ServerOptions {
  name?: string
  alias?: string[]
  json?: boolean
}

export function addInboxCommands(program: Command, environment: Environment): void {
  const inbox = program.command('inbox').description('the addresses whose mail is answered here')
  const described = (command: Command): Command =>
    withJson(command)
      .argument('<address>')
      .option('--name <name>', 'display name')
      .option('--alias <address>', 'a further address of it; repeat for more', collect)
      .option('--imap <url>', 'where its mail is fetched: imaps://user@host, or none')
      .option('--smtp <url>', 'where its answers are handed over: smtps://user@host, or none')
      .option(
        '--open-days <days>',
        'how recent a fetched thread starts open, or all (default 14)',
        readOpenDays,
      )
      .option('--mark-seen', 'mark mail as read in the mailbox too, when somebody opens its thread')
      .option('--credentials-stdin', 'read the password from standard input; a second line for SMTP')

  described(inbox.command('add').description('its servers are tried before anything is stored')).action(
    async (address: string, options: InboxOptions) => {
      const add = async (spool: Spool) => {
        const changes = await chooseServers(spool, null, address, options)
        const servers = changes.flatMap(({ server }) => server ?? [])
        const { name = null, alias } = options
        const further = alias ? { aliases: alias } : {}
        const added = await addInbox(spool, address, name, servers, undefined, further)
        const isAlone = changes.length === 0 && !options.json
        return { added, changes, advice: isAlone ? await adviseServers(spool, added) : [] }
      }
      const { added, changes, advice } = await withSpool(environment, add, { absent: 'make' })
      const lines = [`Added ${added.name} <${added.address}> (${added.id}).`, ...describe(changes), ...advice]
      print(options, { ...outward(added), ...addresses(changes) }, lines.join('\n'))
    },
  )

  withJson(inbox.command('list').description('their servers, and how far each is fetched')).action(
    async (options: { json?: boolean }) => {
      const inboxes = await withSpool(environment, listWithServers)
      const rows = inboxes.map(({ id, address, aliases, name, imap, smtp, sync }) => [
        id,
        [address, ...aliases].join(', '),
        name,
        imap === null ? '-' : sync === null ? imap : `${imap} ${describeSync(sync)}`,
        smtp ?? '-',
      ])
      print(options, inboxes, table(rows, ['ID', 'ADDRESS', 'NAME', 'FETCHES FROM', 'SENDS BY']))
    },
  )

  described(inbox.command('set').description('change its name, addresses or servers'))
    .option('--no-mark-seen', 'mark nothing as read in the mailbox')
    .action(async (address: string, options: InboxOptions) => {
      const { name, alias, imap, smtp, markSeen, openDays } = options
      if ([name, alias, imap, smtp, markSeen, openDays].every((option) => option === undefined))
        throw new SpoolError(
          'bad_parameter',
          'Nothing to change; add --name, --alias, --imap, --smtp or --mark-seen.',
        )
      // The list is replaced; "none" empties it.
      const aliases = alias?.filter((each) => each !== 'none')
      const { changed, changes } = await withSpool(environment, async (spool) => {
        const known = await findInbox(spool.db, address)
        const changes = await chooseServers(spool, known, known.address, options)
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(aliases === undefined ? {} : { aliases }),
          servers: changes,
        }
        return { changed: await changeInbox(spool, address, change), changes }
      })
      const renamed = name === undefined ? [] : [`${changed.address} is now called ${changed.name}.`]
      const known = aliases === undefined ? [] : [`Its addresses: ${addressesOf(changed).join(', ')}.`]
      print(
        options,
        { ...outward(changed), ...addresses(changes) },
        [...renamed, ...known, ...describe(changes)].join('\n'),
      )
    })

  withJson(inbox.command('remove').argument('<address>').description('its mail is kept')).action(
    async (address: string, options: { json?: boolean }) => {
      await withSpool(environment, (spool) => removeInbox(spool, address))
      print(
        options,
        { removed: address },
        `Removed ${address}. Its mail is kept and comes back when the address is added again.`,
      )
    },
  )
}

/** How to connect a new inbox, if its provider is known. */
async function adviseServers(spool: Spool, { id, address }: Inbox): Promise<string[]> {
  const { name, imap, smtp, takesPasswords, passwordHint, signIn, by } = await spool.lookUpProvider(address)
  if (by === 'guess') return []
  const link = `${spool.url}/settings/inboxes/${id}`
  if (signIn !== 'other') {
    const what = signIn === 'microsoft' ? 'a Microsoft 365' : 'a Google'
    return [`This is ${what} mailbox: connect it by sign-in at ${link}.`]
  }
  if (!takesPasswords) return passwordHint === null ? [] : [passwordHint]
  const at = (kind: MailServerKind, place: typeof imap): string =>
    writeMailServerAddress({ kind, ...place, user: null, options: {} })
  return [
    `It is hosted by ${name}: spool inbox set ${address} --imap ${at('imap', imap)} --smtp ${at('smtp', smtp)}`,
  ]
}

function describe(changes: readonly ServerChange[]): string[] {
  return changes.map(({ kind, found }) => `${kind.toUpperCase()}: ${found}.`)
}

/** The changed servers, without passwords. */
function addresses(changes: readonly ServerChange[]): Partial<Record<MailServerKind, string | null>> {
  return Object.fromEntries(
    changes.map(({ kind, server }) => [kind, server && writeMailServerAddress(server)]),
  )
}

async function listWithServers(spool: Spool) {
  const servers = await listServersOfInboxes(spool)
  const progress = new Map((await readSyncProgress(spool)).map(({ inbox, ...rest }) => [inbox.number, rest]))
  const address = (inbox: Inbox, kind: MailServerKind): string | null => {
    const found = servers.find(({ server }) => server.inbox === inbox.number && server.kind === kind)
    return found ? writeMailServerAddress(found.server) : null
  }
  return (await listAllInboxes(spool)).map((inbox) => ({
    ...outward(inbox),
    imap: address(inbox, 'imap'),
    smtp: address(inbox, 'smtp'),
    sync: progress.get(inbox.number) ?? null,
  }))
}

function describeSync({ state, failure, folders }: Omit<MailboxProgress, 'inbox'>): string {
  if (state === 'failing') return `failing: ${failure}`
  const sum = (of: (folder: MailboxProgress['folders'][number]) => number): number =>
    folders.reduce((sum, folder) => sum + of(folder), 0)
  if (state === 'first_sync')
    return `first sync, ${sum(({ done }) => done)} of ${sum(({ total }) => total)} messages`
  return failure === null ? state : `${state}: ${failure}`
}

function outward({ id, address, aliases, name }: Inbox): Pick<Inbox, 'id' | 'address' | 'aliases' | 'name'> {
  return { id, address, aliases, name }
}
