import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { defaultLimits } from '../mail/limits.ts'
import type { MailboxFormat } from '../mail/mailbox.ts'
import { openParsePool } from '../mail/parse-pool.ts'
import { SpoolError } from '../model/errors.ts'
import { choice, count, print, readOpenDays, withJson, type Environment, type OpenDays } from './command.ts'

const formats = ['mboxrd', 'mboxo', 'mboxcl', 'maildir', 'eml'] as const

interface ImportCommandOptions {
  inbox: string
  asRead?: boolean
  openDays?: OpenDays
  format?: MailboxFormat
  json?: boolean
}

export function addImport(program: Command, environment: Environment): void {
  withJson(
    program
      .command('import')
      .description('import a mailbox: mbox, Maildir, .eml files, or - for standard input'),
  )
    .argument('<path>', 'a file, a folder, or -')
    .requiredOption('--inbox <address>', 'the inbox it belongs to')
    .option('--as-read', 'as history: read for everyone, no notifications')
    .option(
      '--open-days <days>',
      'with --as-read: how recent a thread stays open, or all (default 14)',
      readOpenDays,
    )
    .option('--format <format>', formats.join(', '), choice(formats))
    .action(async (path: string, options: ImportCommandOptions) => {
      if (options.openDays !== undefined && !options.asRead)
        throw new SpoolError(
          'bad_parameter',
          '--open-days needs --as-read: other imported threads stay open.',
        )
      const limits = { ...defaultLimits, size: readConfig(environment).maxMessageBytes }
      // The pool's thread loads the parser while this one loads the store.
      await using pool = openParsePool({ limits, atOnce: true })
      const { importInto } = await import('./import-run.ts')
      const { asRead = false, openDays } = options
      const result = await importInto(environment, options.inbox, path, {
        format: options.format,
        asRead,
        ...(openDays === undefined ? {} : { openDays: openDays === 'all' ? null : openDays }),
        limits,
        pool,
      })
      const { messages, threads, duplicates, failed, leftOut } = result
      const omitted = leftOut === 0 ? '' : ` Drafts and deleted messages left out: ${leftOut}.`
      print(
        options,
        result,
        `${count(messages, 'message')} in ${count(threads, 'new thread')}; ${duplicates} were there already, ${failed} failed.${omitted}`,
      )
    })
}
