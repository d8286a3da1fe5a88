import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { findInbox } from '../core/access.ts'
import { defaultLimits } from '../mail/limits.ts'
import { openMailbox, type Mailbox, type MailboxFormat } from '../mail/mailbox.ts'
import { choice, count, print, withJson, withSpool, type Environment } from './command.ts'
import { importMail, type ImportResult } from './import-mail.ts'

const formats = ['mboxrd', 'mboxo', 'mboxcl', 'maildir', 'eml'] as const

interface ImportCommandOptions {
  inbox: string
  asRead?: boolean
  format?: MailboxFormat
  json?: boolean
}

export function addImport(program: Command, environment: Environment): void {
  withJson(
    program
      .command('import')
      .description('bring in a mailbox: mbox, Maildir, .eml files, or - for standard input'),
  )
    .argument('<path>', 'a file, a folder, or -')
    .requiredOption('--inbox <address>', 'whose mail it is')
    .option('--as-read', 'history: read by everyone, and nobody is told')
    .option('--format <format>', formats.join(', '), choice(formats))
    .action(async (path: string, options: ImportCommandOptions) => {
      const limits = { ...defaultLimits, size: readConfig(environment).maxMessageBytes }
      const result = await withSpool(environment, async (spool) => {
        const inbox = await findInbox(spool.db, options.inbox)
        const mailbox = await openMailbox(path, { format: options.format, maxSize: limits.size })
        using progress = showProgress(mailbox)
        return await importMail(spool, inbox, mailbox, {
          asRead: options.asRead ?? false,
          limits,
          onProgress: progress.update,
          onTrouble: progress.tell,
        })
      })
      const { messages, threads, duplicates, failed } = result
      print(
        options,
        result,
        `${count(messages, 'message')} in ${count(threads, 'new thread')}; ${duplicates} were there already, ${failed} failed.`,
      )
    })
}

interface Progress extends Disposable {
  update(result: Readonly<ImportResult>): void
  tell(name: string, trouble: string): void
}

/** A bar with rate and time left on a terminal, a line now and then elsewhere; standard output stays clean. */
function showProgress(mailbox: Mailbox): Progress {
  const started = performance.now()
  const rate = ({ messages, duplicates }: Readonly<ImportResult>): number =>
    Math.round((messages + duplicates) / ((performance.now() - started) / 1000))
  const tell = (name: string, trouble: string): void => void process.stderr.write(`${name} ${trouble}\n`)

  if (process.stderr.isTTY && mailbox.bytesTotal !== null) {
    const format = '{bar} {percentage} % | {messages} messages | {rate}/s | {eta_formatted} left'
    const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, etaBuffer: 50 })
    bar.start(mailbox.bytesTotal, 0, { messages: 0, rate: 0 })
    return {
      update: (result) =>
        bar.update(mailbox.bytesRead, { messages: result.messages + result.duplicates, rate: rate(result) }),
      tell: (name, trouble) => {
        process.stderr.write('\r\u001b[K')
        tell(name, trouble)
      },
      [Symbol.dispose]: () => bar.stop(),
    }
  }
  let last = started
  return {
    update(result) {
      if (performance.now() - last < 5_000) return
      last = performance.now()
      const share = mailbox.bytesTotal
        ? `, ${Math.floor((100 * mailbox.bytesRead) / mailbox.bytesTotal)} %`
        : ''
      process.stderr.write(`${result.messages + result.duplicates} messages${share}, ${rate(result)}/s\n`)
    },
    tell,
    [Symbol.dispose]: () => undefined,
  }
}
