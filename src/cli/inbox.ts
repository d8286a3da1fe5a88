import type { Command } from 'commander'
import { addInbox, listAllInboxes, removeInbox, renameInbox } from '../core/inboxes.ts'
import type { Inbox } from '../model/access.ts'
import { print, table, withJson, withSpool, type Environment } from './command.ts'

export function addInboxCommands(program: Command, environment: Environment): void {
  const inbox = program.command('inbox').description('the addresses whose mail is answered here')

  withJson(inbox.command('add').argument('<address>').option('--name <name>', 'what people call it')).action(
    async (address: string, options: { name?: string; json?: boolean }) => {
      const added = await withSpool(environment, (spool) => addInbox(spool, address, options.name ?? null))
      print(options, outward(added), `Added ${added.name} <${added.address}> (${added.id}).`)
    },
  )

  withJson(inbox.command('list')).action(async (options: { json?: boolean }) => {
    const inboxes = await withSpool(environment, listAllInboxes)
    print(options, inboxes.map(outward), table(inboxes.map(({ id, address, name }) => [id, address, name])))
  })

  withJson(
    inbox.command('set').argument('<address>').requiredOption('--name <name>', 'what people call it'),
  ).action(async (address: string, options: { name: string; json?: boolean }) => {
    const changed = await withSpool(environment, (spool) => renameInbox(spool, address, options.name))
    print(options, outward(changed), `${changed.address} is now called ${changed.name}.`)
  })

  withJson(inbox.command('remove').argument('<address>')).action(
    async (address: string, options: { json?: boolean }) => {
      await withSpool(environment, (spool) => removeInbox(spool, address))
      print(
        options,
        { removed: address },
        `Removed ${address}. Its mail is kept, and there again when the address is added again.`,
      )
    },
  )
}

function outward({ id, address, name }: Inbox): { id: string; address: string; name: string } {
  return { id, address, name }
}
