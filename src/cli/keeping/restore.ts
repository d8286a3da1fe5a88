import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig, type Config } from '../../config.ts'
import { becomeOwner } from '../../config/folder-owner.ts'
import { keepSecret, prepareFolder, readSecretFile, refuseStore } from '../../config/data-folder.ts'
import { restoreStore } from '../../core/keeping/restore.ts'
import { SpoolError } from '../../model/errors.ts'
import { count, print, warnOfTypos, withJson, type Environment } from '../command.ts'
import { reportProgress } from './copy-progress.ts'

export function addRestore(program: Command, environment: Environment): void {
  withJson(
    program
      .command('restore')
      .description('make the store from a backup, where there is none')
      .argument('<file>', 'made by "spool backup", on either database')
      .option('--secret-file <file>', 'the secret of the backup; otherwise SPOOL_SECRET'),
  ).action(async (file: string, options: { secretFile?: string; json?: boolean }) => {
    warnOfTypos(environment)
    const config = readConfig(environment)
    const { dataFolder: folder, databaseUrl: url } = config
    if (url === null) refuseStore(config)
    const secret = findSecret(config, options.secretFile)
    becomeOwner(config)
    prepareFolder(config)
    const beforeCommit = (): void => void (url === null && keepSecret(config, secret))
    const done = await restoreStore(
      { file: resolve(file), folder, url, secret, now: Date.now(), beforeCommit },
      reportProgress(),
    )
    const place = url === null ? folder : 'the database of SPOOL_DATABASE_URL'
    const held =
      done.held === 0
        ? ''
        : ` ${count(done.held, 'mail')} about to be sent when the backup was made will not go out by itself: look into the drafts.`
    print(
      options,
      { ...done, place },
      `Restored ${count(done.messages, 'message')} into ${place}; every row and source is equal to the backup's.${held}`,
    )
  })
}

function findSecret(config: Config, file: string | undefined): string {
  const secret = file === undefined ? config.secret : readFileSync(resolve(file), 'utf8').trim()
  const known = secret ?? (config.databaseUrl === null ? readSecretFile(config) : null)
  if (known === null)
    throw new SpoolError(
      'bad_parameter',
      'The secret of the backup is needed: --secret-file FILE, or SPOOL_SECRET. It was in the file "secret" next to the store.',
    )
  return known
}
