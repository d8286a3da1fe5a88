import { findInbox } from '../core/access/access.ts'
import { openMailbox, type MailboxFormat } from '../mail/mailbox.ts'
import type { Spool } from '../core/spool.ts'
import type { Environment } from './command.ts'
import { importMail, type ImportOptions, type ImportResult } from './import-mail.ts'
import { showProgress } from './import-progress.ts'
import { withSpool } from './spool.ts'

type Wanted = Omit<ImportOptions, 'onProgress' | 'onTrouble'> & { format: MailboxFormat | undefined }

/** Imports the mailbox at `path` into the inbox with that address and shows progress on standard error. */
export async function importInto(
  environment: Environment,
  address: string,
  path: string,
  { format, ...options }: Wanted,
): Promise<ImportResult> {
  const bringIn = async (spool: Spool): Promise<ImportResult> => {
    const inbox = await findInbox(spool.db, address)
    const mailbox = await openMailbox(path, { format, maxSize: options.limits.size })
    using progress = showProgress(mailbox)
    return await importMail(spool, inbox, mailbox, {
      ...options,
      onProgress: progress.update,
      onTrouble: progress.report,
    })
  }
  return withSpool(environment, bringIn, { absent: 'make' })
}
