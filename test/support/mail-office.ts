import { after } from 'node:test'
import { readSyncProgress } from '../../src/core/mailboxes/state.ts'
import { openDesk, type Desk } from './desk.ts'
import { followMailbox, openMailUser, unfollowMailbox, type MailUser } from './mail-user.ts'
import { startDovecot, type Dovecot } from './parts/dovecot.ts'
import type { TestSpool } from './spool.ts'
import { until } from './until.ts'

let running: Promise<Dovecot> | undefined
after(async () => (await running)?.[Symbol.asyncDispose]())

/** A mailbox of its own on the file's one server, and a desk that nobody else looks at. */
export interface Office extends AsyncDisposable {
  spool: TestSpool
  desk: Desk
  user: MailUser
  /** Of the mail user. */
  name: string
  follow(options?: string): Promise<void>
  /** The mail is here and the server's word is waited for. */
  upToDate(): Promise<unknown>
}

let users = 0
const names = Array.from({ length: 40 }, (_, index) => `team${index}`)

export async function openOffice(started: () => Promise<TestSpool>): Promise<Office> {
  running ??= startDovecot({ users: Object.fromEntries(names.map((name) => [name, 'secret'])) })
  const dovecot = await running
  const spool = await started()
  const name = names[users++]!
  const user = await openMailUser(dovecot, name)
  const desk = await openDesk(spool)
  return {
    spool,
    desk,
    user,
    name,
    follow: (options = '') => followMailbox(spool.spool, desk.inbox, dovecot, { user: name, options }),
    upToDate: () =>
      until('the mailbox is up to date', async () => {
        const progress = await readSyncProgress(spool.spool)
        return progress.some(({ inbox, state }) => inbox.id === desk.inbox.id && state === 'following')
      }),
    async [Symbol.asyncDispose]() {
      await unfollowMailbox(spool.spool, desk.inbox)
      await user[Symbol.asyncDispose]()
    },
  }
}
