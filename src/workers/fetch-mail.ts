import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  leaveMailbox,
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
/** How long to wait for a mailbox to end before others are looked after. */
const endMilliseconds = 1_000

interface Followed {
  mailbox: Mailbox
  /** Its settings when it was started, to detect changes. */
  settings: string
  /** Once it is stopped. It may still wait for something, such as a sign-in provider that does not answer. */
  ended?: Promise<void>
}

/** Each mailbox is followed by one node. Mailboxes that are added, changed or removed are noticed within seconds. */
export function startFetching(fetching: Fetching, onFailure: (error: unknown) => void): Loop {
  const { spool } = fetching
  const holder = randomUUID()
  const followed = new Map<number, Followed>()
  let claimed = { at: Number.NEGATIVE_INFINITY, inboxes: new Set<number>() }
  let isClosing = false

  /** Then releases its lease if nobody wants it or this node closes, so that no other node has to wait for it. */
  const end = (inbox: number, isWanted: boolean): Promise<void> => {
    const each = followed.get(inbox)!
    const stop = async (): Promise<void> => {
      await each.mailbox[Symbol.asyncDispose]()
      if (isClosing || !isWanted) await leaveMailbox(spool, inbox, holder).catch(() => undefined)
    }
    return (each.ended ??= stop().finally(() => followed.delete(inbox)))
  }

  const look = async (): Promise<void> => {
    const mailboxes = await listMailboxes(spool)
    const wanted = new Map(mailboxes.map((mailbox) => [mailbox.inbox.number, mailbox]))

    /** Does not wait for long: the leases of the other mailboxes have to be renewed. Returns how many there are. */
    const endWhere = async (isOver: (inbox: number, each: Followed) => boolean): Promise<number> => {
      const over = [...followed].filter(([inbox, each]) => !each.ended && isOver(inbox, each))
      const ends = over.map(([inbox]) => end(inbox, wanted.has(inbox)))
      if (ends.length > 0)
        await Promise.race([Promise.all(ends), sleep(endMilliseconds, undefined, { ref: false })])
      return ends.length
    }

    const gone = await endWhere((inbox, { settings }) => {
      const mailbox = wanted.get(inbox)
      return !mailbox || settingsOf(mailbox) !== settings
    })
    if (wanted.size === 0) return
    const isNew = [...wanted.keys()].some((inbox) => !claimed.inboxes.has(inbox))
    if (!isNew && gone === 0 && performance.now() - claimed.at < claimMilliseconds) return
    claimed = { at: performance.now(), inboxes: new Set(wanted.keys()) }
    const owned = await ownMailboxes(spool, [...wanted.keys()], holder, mailboxLease)
    await endWhere((inbox, { mailbox }) => !owned.has(inbox) || mailbox.isOver)
    for (const [inbox, mailbox] of wanted)
      if (owned.has(inbox) && !followed.has(inbox) && !isClosing)
        followed.set(inbox, {
          mailbox: new Mailbox(fetching, mailbox, holder),
          settings: settingsOf(mailbox),
        })
  }

  const loop = startLoop('fetch-mail', lookMilliseconds, look, onFailure)
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      isClosing = true
      await loop[Symbol.asyncDispose]()
      await Promise.all([...followed.keys()].map((inbox) => end(inbox, true)))
    },
  }
}

function settingsOf({ server }: MailboxToFollow): string {
  const { password, ...address } = server
  return JSON.stringify([address, password === null ? null : Buffer.from(password).toString('base64')])
}
