import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  accountOf,
  chooseUids,
  finishFolder,
  historyRunOf,
  isComplete,
  knownSources,
  listPassedOverUids,
  openFolder as openKnownFolder,
  receiveFetched,
  type FetchedItem,
  type FolderRow,
} from '../core/mailboxes/sync.ts'
import { usualOpenDays, type HistoryRun } from '../core/receiving/history-run.ts'
import type { Incoming } from '../core/receiving/receive.ts'
import { isUnavailable } from '../mail/connection-trouble.ts'
import { readAuthenticationResults } from '../mail/sender/authentication-results.ts'
import { readTopHeader } from '../mail/parse/header.ts'
import { hasSpamFlag } from '../mail/sender/spam-flag.ts'
import { judgeSender } from '../mail/sender/verdict.ts'
import {
  fetchSources,
  findLarger,
  listSizes,
  listUids,
  openFolder,
  type FetchedSource,
  type FolderChoice,
  type OpenedFolder,
} from '../mail/imap/folder.ts'
import { readImapOptions } from '../mail/imap/options.ts'
import { boundHeapGrowth } from './heap-growth.ts'
import type { Fetching, MailboxSession } from './mailbox-session.ts'

/** Number of UIDs checked for large messages at once, before they are fetched in groups. */
const mostLookedAt = 200
/**
 * While one group is stored the next two are fetched and parsed. Group size adapts to the connection, so that a slow
 * one makes progress too.
 */
const firstGroup = 10
const largestGroup = 100
const mostBytes = 4_000_000
/** Messages up to this size fit into any group, so their exact sizes are not requested. */
const ordinaryBytes = mostBytes / largestGroup
const [quickGroup, slowGroup] = [250, 1_000]

/** Fetches what Spool does not have yet from a folder, then marks the folder complete. */
export async function passFolder(
  fetching: Fetching,
  session: MailboxSession,
  choice: FolderChoice,
): Promise<void> {
  const { spool } = fetching
  const { owner, connection } = session
  session.hasNews = false
  const { name, isSent } = choice
  const status = await openFolder(connection, name)
  const key = { inbox: owner.inbox.number, account: accountOf(connection.server), name, isSent }
  const folder = await openKnownFolder(spool, owner, key, status)
  const again = await uidsToTryAgain(fetching, session, folder, choice)
  if (again.length === 0 && isComplete(folder, status)) return
  const pass = new FolderPass(fetching, session, choice, folder)
  await pass.run(status, again)
  session.stop.throwIfAborted()
  await finishFolder(spool, owner, folder, status)
}

/** Skipped messages may fit now if the limit was raised: checked once per connection. */
async function uidsToTryAgain(
  { spool, largestMessage }: Fetching,
  { connection, retried }: MailboxSession,
  folder: FolderRow,
  { name }: FolderChoice,
): Promise<number[]> {
  if (retried.has(name)) return []
  retried.add(name)
  const passedOver = await listPassedOverUids(spool, folder)
  const sizes = await listSizes(connection, passedOver)
  return passedOver.filter((uid) => (sizes.get(uid) ?? Number.POSITIVE_INFINITY) <= largestMessage)
}

class FolderPass {
  readonly #fetching: Fetching
  readonly #session: MailboxSession
  readonly #choice: FolderChoice
  readonly #folder: FolderRow
  readonly #authservId: string | null
  readonly #run: HistoryRun
  #storing: Promise<void> = Promise.resolve()
  #storingBefore = this.#storing
  #sums: Buffer[] = []
  #asked: Promise<Set<string>> | null = null
  #groupSize = firstGroup
  #reportedAt = performance.now()
  #done: number

  constructor(fetching: Fetching, session: MailboxSession, choice: FolderChoice, folder: FolderRow) {
    const { authservId, openDays = usualOpenDays } = readImapOptions(session.connection.server)
    this.#fetching = fetching
    this.#session = session
    this.#choice = choice
    this.#folder = folder
    this.#authservId = authservId
    this.#run = { id: historyRunOf(folder), openDays }
    this.#done = folder.history_done
  }

  /** New mail goes before history, including mail that arrives while history is being fetched. */
  async run(status: OpenedFolder, again: readonly number[]): Promise<void> {
    const { connection, stop } = this.#session
    const from = Math.max(1, this.#folder.complete_below)
    const uids = status.exists === 0 ? [] : await listUids(connection, from)
    const { history, recent } = await chooseUids(this.#fetching.spool, this.#folder, uids)
    recent.unshift(...again)
    let last = uids.reduce((most, uid) => Math.max(most, uid), status.uidNext - 1)
    using _bound = history.length > 0 ? boundHeapGrowth() : null
    if (history.length > 0) {
      await this.#session.onHistory()
      this.#reportProgress(true)
    }
    while ((recent.length > 0 || history.length > 0) && !stop.aborted) {
      await this.#take(recent.length > 0 ? recent.splice(0, mostLookedAt) : history.splice(0, mostLookedAt))
      if (history.length > 0 && this.#session.hasNews) {
        this.#session.hasNews = false
        const news = await listUids(connection, last + 1)
        last = Math.max(last, ...news)
        recent.push(...news.sort((a, b) => a - b))
      }
    }
    await this.#storing
    if (this.#done > this.#folder.history_done) this.#reportProgress(true)
  }

  async #take(uids: readonly number[]): Promise<void> {
    const { connection } = this.#session
    const { largestMessage } = this.#fetching
    const large = new Set(await findLarger(connection, uids, Math.min(ordinaryBytes, largestMessage)))
    const sizes = await listSizes(connection, [...large])
    const tooLarge: number[] = []
    let group: number[] = []
    let bytes = 0
    for (const uid of uids) {
      const size = large.has(uid) ? sizes.get(uid) : ordinaryBytes
      // Not in the response: deleted in the meantime.
      if (size === undefined) continue
      if (large.has(uid) && size > largestMessage) {
        tooLarge.push(uid)
        continue
      }
      if (group.length >= this.#groupSize || (group.length > 0 && bytes + size > mostBytes)) {
        await this.#fetchGroup(group)
        group = []
        bytes = 0
      }
      group.push(uid)
      bytes += size
    }
    if (group.length > 0) await this.#fetchGroup(group)
    if (tooLarge.length > 0) await this.#passOver(tooLarge, 'too_large')
  }

  async #fetchGroup(uids: readonly number[]): Promise<void> {
    const { connection } = this.#session
    const fetched = new Map<number, Promise<FetchedItem>>()
    const begun = performance.now()
    try {
      await this.#fetchInto(fetched, uids)
      this.#adaptGroup(performance.now() - begun)
    } catch (error) {
      // Keep what arrived before the connection broke: on a bad line that is the only way to make progress.
      await this.#storeNext(uids, fetched)
      await this.#storing
      throw error
    }
    const missing = uids.filter((uid) => !fetched.has(uid))
    // Either deleted in the meantime or left out by the server: then request it by itself before giving up.
    const left = missing.length === 0 ? [] : [...(await listSizes(connection, missing)).keys()]
    const refused: number[] = []
    for (const uid of left) {
      await this.#fetchInto(fetched, [uid])
      if (!fetched.has(uid)) refused.push(uid)
    }
    await this.#storeNext(uids, fetched)
    if (refused.length > 0) await this.#passOver(refused, 'refused_by_server')
  }

  #adaptGroup(milliseconds: number): void {
    if (milliseconds < quickGroup) this.#groupSize = Math.min(largestGroup, this.#groupSize * 2)
    else if (milliseconds > slowGroup) this.#groupSize = Math.max(1, Math.floor(this.#groupSize / 2))
  }

  /** Parsing starts as each message arrives. A NO for one message does not stop the others, unless it is for now. */
  async #fetchInto(fetched: Map<number, Promise<FetchedItem>>, uids: readonly number[]): Promise<void> {
    const wanted = new Set(uids)
    try {
      for await (const item of fetchSources(this.#session.connection, uids)) {
        if (!wanted.has(item.uid) || fetched.has(item.uid)) continue
        const taken = this.#read(item)
        taken.catch(() => undefined)
        fetched.set(item.uid, taken)
      }
    } catch (error) {
      if ((error as { responseStatus?: string }).responseStatus !== 'NO' || isUnavailable(error)) throw error
    }
  }

  /** Runs in parallel with the next two fetches: one is parsed meanwhile. Its failure surfaces at the next await. */
  async #storeNext(
    uids: readonly number[],
    fetched: ReadonlyMap<number, Promise<FetchedItem>>,
  ): Promise<void> {
    await this.#storingBefore
    this.#storingBefore = this.#storing
    this.#storing = this.#storing.then(() => this.#store(uids.flatMap((uid) => fetched.get(uid) ?? [])))
    this.#storing.catch(() => undefined)
  }

  async #read(item: FetchedSource): Promise<FetchedItem> {
    const { uid, source, isSeen, isDraft, receivedAt } = item
    const { pool } = this.#fetching
    // A folder of all mail, as Gmail has one, contains drafts too. Some tools that move mailboxes mark all mail as drafts,
    // but mail that came from elsewhere has a trace of it.
    if (isDraft && !this.#choice.isSent && !readTopHeader(source).has('received'))
      return { uid, hash: null, incoming: null }
    const sum = hash('sha256', source, 'buffer')
    if (await this.#isKnown(sum)) return { uid, hash: sum, incoming: null }
    const mail = await pool.parse(source)
    const isHistory = uid < this.#folder.history_below
    const { isJunk, isAll } = this.#choice
    const isSent = this.#choice.isSent || (isAll && item.isLabelledSent)
    const verdict =
      this.#authservId === null || isSent ? null : readAuthenticationResults(source, this.#authservId)
    const incoming: Incoming = {
      mail,
      direction: isSent ? 'outbound' : 'inbound',
      envelopeDate: receivedAt,
      seen: isHistory && isSeen,
      quiet: isHistory,
      ...(isHistory ? { run: this.#run } : {}),
      spam: isJunk || (this.#authservId !== null && hasSpamFlag(source)),
      fromSentFolder: isSent,
      authentication: verdict && judgeSender(verdict, mail.from),
    }
    return { uid, hash: sum, incoming }
  }

  /** Checks all messages that arrived together in one query: a query for each costs more overhead than work. */
  async #isKnown(sum: Buffer): Promise<boolean> {
    const { spool } = this.#fetching
    this.#asked ??= nextTurn().then(() => {
      const sums = this.#sums.splice(0)
      this.#asked = null
      return knownSources(spool, this.#session.owner.inbox, sums)
    })
    this.#sums.push(sum)
    return (await this.#asked).has(sum.toString('hex'))
  }

  async #store(items: readonly Promise<FetchedItem>[]): Promise<void> {
    const { spool, counts } = this.#fetching
    const { owner } = this.#session
    let left = await Promise.all(items)
    while (left.length > 0) {
      const { taken, stored } = await receiveFetched(spool, owner, this.#folder, left)
      counts.received.imap += stored
      const some = left.slice(0, taken)
      left = left.slice(taken)
      this.#done += some.filter(({ uid }) => uid < this.#folder.history_below).length
      this.#session.onProgress()
      this.#reportProgress(false)
    }
  }

  async #passOver(uids: readonly number[], reason: string): Promise<void> {
    const { spool, counts, log } = this.#fetching
    const { owner } = this.#session
    const known = new Set(await listPassedOverUids(spool, this.#folder))
    const items: FetchedItem[] = uids.map((uid) => ({ uid, hash: null, incoming: null }))
    await receiveFetched(spool, owner, this.#folder, items)
    for (const uid of uids.filter((uid) => !known.has(uid))) {
      counts.add(counts.passedOver, reason)
      log.warn({ inbox: owner.inbox.id, folder: this.#choice.name, uid, reason }, 'a message was skipped')
    }
  }

  #reportProgress(always: boolean): void {
    const { counts, log } = this.#fetching
    const { inbox } = this.#session.owner
    const { history_total: total } = this.#folder
    counts.noteHistory(inbox.id, this.#choice.name, total, Math.min(this.#done, total))
    if (this.#folder.complete_below > 0 || (!always && performance.now() - this.#reportedAt < 5_000)) return
    this.#reportedAt = performance.now()
    log.info(
      { inbox: inbox.id, folder: this.#choice.name, done: Math.min(this.#done, total), total },
      'first sync of a folder',
    )
  }
}
