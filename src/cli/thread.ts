import { InvalidArgumentError, type Command } from 'commander'
import { findActiveUser } from '../core/access/access.ts'
import { joinThreads } from '../core/receiving/joining.ts'
import { assignThread, changeStatus } from '../core/threads/threads.ts'
import { statuses, type Status } from '../model/thread.ts'
import { readTime } from '../model/time.ts'
import { choice, print, withJson, type Environment } from './command.ts'
import { actorFor, withSpool } from './spool.ts'

function readUntil(text: string): number {
  const time = readTime(text)
  if (time === null) throw new InvalidArgumentError('Write it like 2030-01-31T09:00:00Z.')
  return time
}

export function addThreadCommands(program: Command, environment: Environment): void {
  const thread = program.command('thread').description('what a person does with a thread')
  const by = (command: Command): Command => withJson(command).requiredOption('--by <email>', 'who does it')

  by(
    thread
      .command('assign')
      .description('give a thread to somebody, or to nobody')
      .argument('<id>', "the thread's id")
      .requiredOption('--to <email>', 'who looks after it, or none'),
  ).action(async (id: string, options: { to: string; by: string; json?: boolean }) => {
    await withSpool(environment, async (spool) => {
      const to = options.to === 'none' ? null : await findActiveUser(spool.db, options.to)
      await assignThread(spool, await actorFor(spool, options.by), id, to)
    })
    const text = options.to === 'none' ? `${id} is unassigned now.` : `${id} is assigned to ${options.to}.`
    print(options, { id, assignedTo: options.to === 'none' ? null : options.to }, text)
  })

  by(
    thread
      .command('status')
      .description('open, close, snooze a thread, or call it spam')
      .argument('<id>', "the thread's id")
      .argument('<status>', statuses.join(', '), choice(statuses))
      .option('--until <time>', 'for snoozed: when it comes back', readUntil),
  ).action(async (id: string, status: Status, options: { until?: number; by: string; json?: boolean }) => {
    await withSpool(environment, async (spool) =>
      changeStatus(spool, await actorFor(spool, options.by), id, status, options.until ?? null),
    )
    print(options, { id, status }, `${id} is ${status}.`)
  })

  by(
    thread
      .command('join')
      .description('merge two threads of one inbox; the older one stays')
      .argument('<id>', "a thread's id")
      .argument('<other>', "the other's id"),
  ).action(async (id: string, other: string, options: { by: string; json?: boolean }) => {
    const survivor = await withSpool(environment, async (spool) =>
      joinThreads(spool, await actorFor(spool, options.by), id, other),
    )
    print(options, { id: survivor }, `Merged: both are ${survivor} now.`)
  })
}
