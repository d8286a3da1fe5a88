import type { Command } from 'commander'
import { readConfig, readDatabaseUrl } from '../../config.ts'
import { becomeOwner } from '../../config/folder-owner.ts'
import { findMoved, hasStore, markMoved, unmarkMoved } from '../../config/data-folder.ts'
import { moveStore } from '../../core/keeping/move.ts'
import { SpoolError, StoreAbsent } from '../../model/errors.ts'
import { count, print, warnOfTypos, withJson, type Environment } from '../command.ts'
import { reportProgress } from './copy-progress.ts'

export function addMove(program: Command, environment: Environment): void {
  withJson(
    program
      .command('move')
      .description('move the SQLite store of SPOOL_DATA to PostgreSQL; with the server stopped')
      .requiredOption(
        '--to <url>',
        'postgres://USER@HOST/DATABASE, an empty one; PGPASSWORD may hold the password',
      ),
  ).action(async (options: { to: string; json?: boolean }) => {
    warnOfTypos(environment)
    try {
      readDatabaseUrl(options.to)
    } catch (error) {
      throw new SpoolError('bad_parameter', `--to ${(error as Error).message}`, { cause: error })
    }
    const { databaseUrl: url, ...config } = readConfig({ ...environment, SPOOL_DATABASE_URL: options.to })
    if (environment['SPOOL_DATABASE_URL'])
      throw new SpoolError('bad_parameter', 'SPOOL_DATABASE_URL is set: this Spool uses PostgreSQL already.')
    if (!hasStore(config)) throw new StoreAbsent(config.dataFolder, 'SPOOL_DATA')
    const to = describe(options.to)
    becomeOwner(config)
    const before = findMoved(config)
    let done: { messages: number; rows: number }
    try {
      const beforeCommit = (): void => markMoved(config, to)
      done = await moveStore({ folder: config.dataFolder, url: url!, beforeCommit }, reportProgress())
    } catch (error) {
      // Keeps the mark of an earlier run that was interrupted: that run may have succeeded.
      if (before === null) unmarkMoved(config)
      throw error
    }
    const note = `Set SPOOL_DATABASE_URL and, for all nodes, SPOOL_SECRET: ${config.secret === null ? `it is in ${config.dataFolder}/secret` : 'the one you use now'}.`
    print(
      options,
      { ...done, to, note },
      `Moved ${count(done.messages, 'message')} to ${to}; all ${done.rows} rows are equal. ${note}`,
    )
  })
}

/** Without the password. */
function describe(url: string): string {
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host}${pathname}`
}
