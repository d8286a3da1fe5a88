import { setTimeout as sleep } from 'node:timers/promises'
import { forgetAccess, openSignedIn } from '../core/mailboxes/grants.ts'
import {
  accountOf,
  announceFolders,
  MailboxTaken,
  type MailboxOwner,
  type MailboxToFollow,
} from '../core/mailboxes/sync.ts'
import { forgetMarks, listMarks } from '../core/mailboxes/marks.ts'
import { noteSyncState, type SyncFailure, type SyncState } from '../core/mailboxes/state.ts'
import { diagnose } from '../mail/connection-trouble.ts'
import { connectImap, type ImapConnection } from '../mail/imap/connection.ts'
import {
  chooseFolders,
  countMessages,
  markSeen,
  readFolderStatus,
  type FolderChoice,
  type OpenedFolder,
} from '../mail/imap/folder.ts'
import { readImapOptions } from '../mail/imap/options.ts'
import { passFolder } from './folder-pass.ts'
import type { Fetching, MailboxSession } from './mailbox-session.ts'

/** For servers without IDLE, and for folders that are not open. */
const pollMilliseconds = 5_000
/** How often to record that a mailbox is still followed. */
const logAgainAfter = 60_000
const firstPause = 1_000
const longestPause = 60_000
/** A refused password will be refused again, and some servers lock accounts after repeated attempts. */
const pauseAfterRefusal = 60_000
const longestPauseAfterRefusal = 900_000

/** Follows one mailbox until stopped or taken over by another node. */
export class Mailbox implements AsyncDisposable {
  readonly #fetching: Fetching
  readonly #mailbox: MailboxToFollow
  readonly #owner: MailboxOwner
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #state: SyncState | null = null
  #loggedAt = 0
  /** Access token of the last connection. */
  #token: string | undefined
  /** Says which folders to follow the server lacks; the others are followed. */
  #absent: string | null = null
  isOver = false

  constructor(fetching: Fetching, mailbox: MailboxToFollow, holder: string) {
    this.#fetching = fetching
    this.#mailbox = mailbox
    this.#owner = { inbox: mailbox.inbox, holder }
    this.#running = this.#run()
      .catch((error: unknown) => this.#noteEnd(error))
      .finally(() => (this.isOver = true))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Reconnects with exponential backoff and jitter. */
  async #run(): Promise<void> {
    const { spool, counts, log } = this.#fetching
    const { inbox } = this.#owner
    let failures = 0
    while (!this.#stop.signal.aborted) {
      try {
        if (this.#state === null) await this.#setState('connecting')
        await this.#runSession(() => (failures = 0))
      } catch (error) {
        if (error instanceof MailboxTaken || this.#stop.signal.aborted) return
        failures++
        counts.add(counts.failures, inbox.id)
        const token = this.#token
        const { problem, message } = diagnose({ ...this.#mailbox.server, ...(token ? { token } : {}) }, error)
        counts.refusedGrants[inbox.id] = problem === 'grant' ? 1 : 0
        // Providers may end tokens early: the next attempt uses a new one.
        const isStale = token !== undefined && problem === 'password'
        if (isStale) await forgetAccess(spool, inbox.number, token)
        log.warn({ inbox: inbox.id, failures, reason: message }, 'following a mailbox failed, will retry')
        const isRefused = problem === 'grant' || (problem === 'password' && !(isStale && failures === 1))
        const pause = pauseFor(failures, isRefused)
        await this.#setState('failing', { message, problem, retryAt: spool.now() + Math.round(pause) })
        await sleep(pause, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
      } finally {
        counts.connected[inbox.id] = 0
      }
    }
  }

  /** The worker restarts a mailbox that has ended. */
  #noteEnd(error: unknown): void {
    if (error instanceof MailboxTaken) return
    const reason = (error as Error).message
    this.#fetching.log.warn({ inbox: this.#owner.inbox.id, reason }, 'a mailbox is no longer followed')
  }

  async #runSession(onProgress: () => void): Promise<void> {
    const { spool, counts, log, largestMessage } = this.#fetching
    this.#token = undefined
    const server = await openSignedIn(spool, this.#mailbox.server)
    this.#token = server.token
    await using connection = await connectImap(server, { largestMessage, signal: this.#stop.signal })
    const session: MailboxSession = {
      owner: this.#owner,
      connection,
      hasNews: false,
      stop: this.#stop.signal,
      retried: new Set(),
      marksSeen: readImapOptions(server).markSeen,
      onHistory: () => this.#setState('first_sync'),
      onProgress,
    }
    connection.client.on('exists', () => (session.hasNews = true))
    const { folders, absent } = await chooseFolders(connection)
    if (absent !== this.#absent) this.#loggedAt = Number.NEGATIVE_INFINITY
    this.#absent = absent
    if (absent !== null) log.warn({ inbox: this.#owner.inbox.id, reason: absent }, 'a folder is missing')
    counts.connected[this.#owner.inbox.id] = 1
    counts.refusedGrants[this.#owner.inbox.id] = 0
    await this.#announce(connection, folders)
    for (const folder of folders) {
      await passFolder(this.#fetching, session, folder)
      onProgress()
    }
    log.info({ inbox: this.#owner.inbox.id, folders: folders.length }, 'a mailbox is up to date')
    await this.#setState('following')
    await this.#follow(session, folders)
  }

  /** Counts all folders before the first is fetched, so that progress covers the whole mailbox. */
  async #announce(connection: ImapConnection, folders: readonly FolderChoice[]): Promise<void> {
    const counted: (FolderChoice & { messages: number })[] = []
    for (const folder of folders)
      counted.push({ ...folder, messages: await countMessages(connection, folder.name) })
    await announceFolders(this.#fetching.spool, this.#owner, accountOf(connection.server), counted)
  }

  /**
   * Keeps the first folder open, where the server announces new mail, and polls the others. Returns if the open folder
   * was recreated: the server does not announce that, and a connection with the old one open may not see it. Returns
   * too if a missing folder may be there now.
   */
  async #follow(session: MailboxSession, [first, ...others]: FolderChoice[]): Promise<void> {
    const { connection } = session
    const known = new Map<string, string>()
    // Read before it is opened, to detect any later recreation.
    const { uidValidity } = (await look(connection, first!)) ?? {}
    // Mail may have arrived in the first folder while others were open.
    await passFolder(this.#fetching, session, first!)
    let looked = performance.now()
    let isAllKnown = true
    for (;;) {
      // When every folder is up to date, mail that was moved is found where it is.
      if (isAllKnown && (await this.#markOpened(session, [first!, ...others])))
        await passFolder(this.#fetching, session, first!)
      const canIdle = connection.client.capabilities.has('IDLE')
      if (!session.hasNews) await this.#awaitNews(session, canIdle)
      this.#stop.signal.throwIfAborted()
      let isFirstOpen = true
      // Constant news in the open folder must not starve the others.
      const hadNews = session.hasNews
      isAllKnown = !hadNews || performance.now() - looked > pollMilliseconds
      if (isAllKnown) {
        looked = performance.now()
        if ((await look(connection, first!))?.uidValidity !== uidValidity) return
        if (this.#absent !== null && (await chooseFolders(connection)).absent !== this.#absent) return
        for (const folder of others) {
          const status = await look(connection, folder)
          if (status && known.get(folder.name) === JSON.stringify(status)) continue
          await passFolder(this.#fetching, session, folder)
          known.set(folder.name, JSON.stringify(status))
          isFirstOpen = false
        }
      }
      if (hadNews || session.hasNews || !isFirstOpen || !canIdle)
        await passFolder(this.#fetching, session, first!)
      await this.#setState('following')
    }
  }

  /** Marks mail as read that somebody has opened in Spool. Returns whether another folder may be open now. */
  async #markOpened(session: MailboxSession, followed: readonly FolderChoice[]): Promise<boolean> {
    if (!session.marksSeen) return false
    const { spool, log } = this.#fetching
    const { owner, connection } = session
    const { messages, folders } = await listMarks(spool, owner, accountOf(connection.server))
    if (messages.length === 0) return false
    const names = new Set(followed.map(({ name }) => name))
    const kept = new Set<number>()
    for (const folder of folders) {
      this.#stop.signal.throwIfAborted()
      const result = names.has(folder.name) ? await markSeen(connection, folder, folder.uids) : 'missing'
      if (result === 'refused') {
        // Tried again on the next connection.
        session.marksSeen = false
        log.warn(
          { inbox: owner.inbox.id, folder: folder.name },
          'a mailbox does not let mail be marked as read',
        )
        return true
      }
      if (result === 'recreated' || (result === 'missing' && this.#absent !== null))
        for (const message of folder.messages) kept.add(message)
    }
    // Mail that is in no followed folder has been deleted or moved elsewhere.
    const done = messages.filter((message) => !kept.has(message))
    if (done.length > 0) await forgetMarks(spool, owner, done)
    return true
  }

  /** Resolves on new mail in the open folder, or when it is time to poll the others. */
  async #awaitNews({ connection, stop }: MailboxSession, canIdle: boolean): Promise<void> {
    const { client, failure } = connection
    const { promise, resolve } = Promise.withResolvers<void>()
    const onStop = (): void => resolve()
    const timer = setTimeout(resolve, pollMilliseconds)
    client.once('exists', resolve).once('close', resolve)
    stop.addEventListener('abort', onStop)
    try {
      // IDLE ends with the next command.
      if (canIdle) client.idle().catch(() => undefined)
      await promise
    } finally {
      clearTimeout(timer)
      client.off('exists', resolve).off('close', resolve)
      stop.removeEventListener('abort', onStop)
    }
    if (!client.usable && !stop.aborted)
      throw failure() ?? Object.assign(new Error('The connection was lost.'), { code: 'EConnectionClosed' })
  }

  /** Shown to people; a failure to record it must not stop the sync. */
  async #setState(state: SyncState, failure: SyncFailure | null = null): Promise<void> {
    const isRepeated = state === this.#state && performance.now() - this.#loggedAt < logAgainAfter
    if (isRepeated && state !== 'failing') return
    this.#state = state
    this.#loggedAt = performance.now()
    const absent = this.#absent === null ? null : { message: this.#absent, problem: 'other', retryAt: null }
    await noteSyncState(this.#fetching.spool, this.#owner, state, failure ?? absent).catch(
      (error: unknown) => {
        if (error instanceof MailboxTaken) throw error
      },
    )
  }
}

async function look(
  connection: ImapConnection,
  { name }: FolderChoice,
): Promise<Pick<OpenedFolder, 'uidValidity' | 'uidNext'> | null> {
  const status = await readFolderStatus(connection, name)
  return status && { uidValidity: status.uidValidity, uidNext: status.uidNext }
}

function pauseFor(failures: number, isRefused: boolean): number {
  const [first, longest] = isRefused
    ? [pauseAfterRefusal, longestPauseAfterRefusal]
    : [firstPause, longestPause]
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 16)) * (0.5 + Math.random())
}
