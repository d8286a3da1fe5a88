import { resolve } from 'node:path'
import type { Command } from 'commander'
import { backUpStore } from '../../core/keeping/backup.ts'
import { print, withJson, type Environment } from '../command.ts'
import { reportProgress } from './copy-progress.ts'
import { withSpool } from '../spool.ts'

export function addBackup(program: Command, environment: Environment): void {
  withJson(
    program
      .command('backup')
      .description('a consistent copy while the server runs')
      .argument('<file>', 'must not exist yet')
      .option('--even-if-damaged', 'also if stored messages are damaged'),
  ).action(async (file: string, options: { evenIfDamaged?: boolean; json?: boolean }) => {
    const target = resolve(file)
    const evenIfDamaged = options.evenIfDamaged ?? false
    await withSpool(
      environment,
      ({ db }) => backUpStore(db, target, { evenIfDamaged, progress: reportProgress() }),
      { absent: 'refuse', earlier: 'keep' },
    )
    const note =
      'It does not contain the secret: keep SPOOL_SECRET, or the file "secret" next to the store, somewhere else.'
    print(options, { file: target, holdsSecret: false, note }, `Copied the store to ${target}. ${note}`)
  })
}
