import { randomUUID } from 'node:crypto'
import {
  leaveMailboxes,
  listMailboxes,
  mailboxLease,
  ownMailboxes,
  type MailboxToFollow,
} from '../core/mailboxes/sync.ts'
import { startLoop, type Loop } from './loop.ts'
import { Mailbox } from './mailbox.ts'
import type { Fetching } from './mailbox-session.ts'

const claimMilliseconds = 1_500
/** How soon a new mailbox is followed. */
const lookMilliseconds = 1_000

interface Followed {
  mailbox: Mailbox
  /** Its settings when it was started, to detect changes. */
  settings: string
}

/** Each mailbox is followed by one node. Mailboxes that are added, changed or removed are noticed within seconds. */
export function startFetching(fetching: Fetching, onFailure: (error: unknown) => void): Loop {
  const { spool } = fetching
  const holder = randomUUID()
  const followed = new Map<number, Followed>()
  let claimed = { at: Number.NEGATIVE_INFINITY, inboxes: new Set<number>() }
  let isClosing = false

  const end = async (inbox: number): Promise<void> => {
    const { mailbox } = followed.get(inbox)!
    followed.delete(inbox)
    await mailbox[Symbol.asyncDispose]()
  }

  const look = async (): Promise<void> => {
    const mailboxes = await listMailboxes(spool)
    const wanted = new Map(mailboxes.map((mailbox) => [mailbox.inbox.number, mailbox]))
    const gone = [...followed].filter(([inbox, { settings }]) => {
      const mailbox = wanted.get(inbox)
      return !mailbox || settingsOf(mailbox) !== settings
    })
    await Promise.all(gone.map(([inbox]) => end(inbox)))
    const left = gone.map(([inbox]) => inbox).filter((inbox) => !wanted.has(inbox))
    if (left.length > 0) await leaveMailboxes(spool, left, holder)
    if (wanted.size === 0) return
    const isNew = [...wanted.keys()].some((inbox) => !claimed.inboxes.has(inbox))
    if (!isNew && gone.length === 0 && performance.now() - claimed.at < claimMilliseconds) return
    claimed = { at: performance.now(), inboxes: new Set(wanted.keys()) }
    const owned = await ownMailboxes(spool, [...wanted.keys()], holder, mailboxLease)
    for (const [inbox, mailbox] of wanted) {
      const current = followed.get(inbox)
      if (current && (!owned.has(inbox) || current.mailbox.isOver)) await end(inbox)
      if (!owned.has(inbox) || followed.has(inbox) || isClosing) continue
      followed.set(inbox, {
        mailbox: new Mailbox(fetching, mailbox, holder),
        settings: settingsOf(mailbox),
      })
    }
  }

  const loop = startLoop('fetch-mail', lookMilliseconds, look, onFailure)
  return {
    name: loop.name,
    inOrder: () => loop.inOrder(),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await loop[Symbol.asyncDispose]()
      const inboxes = [...followed.keys()]
      await Promise.all(inboxes.map(end))
      // Released, so that another node need not wait for the leases to expire.
      if (inboxes.length > 0) await leaveMailboxes(spool, inboxes, holder).catch(() => undefined)
    },
  }
}

function settingsOf({ server }: MailboxToFollow): string {
  const { password, ...address } = server
  return JSON.stringify([address, password === null ? null : Buffer.from(password).toString('base64')])
}
