import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** How long to wait for a mailbox to end before others are looked after. */
const endMilliseconds = 1_000

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
  /** Stopped, but still waiting for something, such as a sign-in provider that does not answer. */
  const ending = new Map<number, Promise<void>>()
  /** No longer wanted; their leases are released when they have ended. */
  const unwanted = new Set<number>()
  let claimed = { at: Number.NEGATIVE_INFINITY, inboxes: new Set<number>() }
  let isClosing = false

  const end = (inbox: number): Promise<void> => {
    const { mailbox } = followed.get(inbox)!
    followed.delete(inbox)
    const ended = mailbox[Symbol.asyncDispose]().finally(() => ending.delete(inbox))
    ending.set(inbox, ended)
    return ended
  }

  /** Does not wait for long: the leases of the other mailboxes have to be renewed. */
  const endSoon = async (inboxes: readonly number[]): Promise<void> => {
    if (inboxes.length === 0) return
    const late = sleep(endMilliseconds, undefined, { ref: false })
    await Promise.race([Promise.all(inboxes.map(end)), late])
  }

  const look = async (): Promise<void> => {
    const mailboxes = await listMailboxes(spool)
    const wanted = new Map(mailboxes.map((mailbox) => [mailbox.inbox.number, mailbox]))
    const gone = [...followed].filter(([inbox, { settings }]) => {
      const mailbox = wanted.get(inbox)
      return !mailbox || settingsOf(mailbox) !== settings
    })
    for (const [inbox] of gone) if (!wanted.has(inbox)) unwanted.add(inbox)
    await endSoon(gone.map(([inbox]) => inbox))
    const left = [...unwanted].filter((inbox) => !ending.has(inbox))
    if (left.length > 0) await leaveMailboxes(spool, left, holder)
    for (const inbox of left) unwanted.delete(inbox)
    if (wanted.size === 0) return
    const isNew = [...wanted.keys()].some((inbox) => !claimed.inboxes.has(inbox))
    if (!isNew && gone.length === 0 && performance.now() - claimed.at < claimMilliseconds) return
    claimed = { at: performance.now(), inboxes: new Set(wanted.keys()) }
    const owned = await ownMailboxes(spool, [...wanted.keys()], holder, mailboxLease)
    const lost = [...followed].filter(([inbox, { mailbox }]) => !owned.has(inbox) || mailbox.isOver)
    await endSoon(lost.map(([inbox]) => inbox))
    for (const [inbox, mailbox] of wanted) {
      if (!owned.has(inbox) || followed.has(inbox) || ending.has(inbox) || isClosing) continue
      unwanted.delete(inbox)
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
      const inboxes = [...followed.keys(), ...ending.keys()]
      await Promise.all([...ending.values(), ...[...followed.keys()].map(end)])
      // Released, so that another node need not wait for the leases to expire.
      if (inboxes.length > 0) await leaveMailboxes(spool, inboxes, holder).catch(() => undefined)
    },
  }
}

function settingsOf({ server }: MailboxToFollow): string {
  const { password, ...address } = server
  return JSON.stringify([address, password === null ? null : Buffer.from(password).toString('base64')])
}
