import type { Command } from 'commander'
import { addNote } from '../core/threads/notes.ts'
import { print, withJson, type Environment } from './command.ts'
import { actorFor, withSpool } from './spool.ts'

export function addNoteCommands(program: Command, environment: Environment): void {
  const note = program.command('note').description("the team's chat beside a thread")
  withJson(
    note
      .command('add')
      .description('write a note; @NAME mentions somebody')
      .argument('<id>', "the thread's id")
      .argument('<text>', 'what it says')
      .requiredOption('--by <email>', 'who writes it'),
  ).action(async (threadId: string, text: string, options: { by: string; json?: boolean }) => {
    const id = await withSpool(environment, async (spool) =>
      addNote(spool, await actorFor(spool, options.by), threadId, text),
    )
    print(options, { id, threadId }, `Noted (${id}).`)
  })
}
