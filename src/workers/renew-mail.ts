import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimRenewing, countToRenew, endRenewing, renewSome } from '../core/forms/forms.ts'
import type { Spool } from '../core/spool.ts'
import { makeHolder } from './holder.ts'
import { startLoop } from './loop.ts'

const pause = 2_000
const renewEvery = 1_500
const logEvery = 60_000

/**
 * Brings stored mail to the current form after an upgrade, newest first, on one node at a time. The store itself tells
 * which messages are left, so work resumes where it stopped. Other parsing and other writes take precedence.
 */
export function startRenewingMail(
  spool: Spool,
  log: Pick<Logger, 'info'>,
  onFailure: (error: unknown) => void,
) {
  const holder = makeHolder()
  /** Messages still in the form of an earlier version, as of the last check. */
  let left = 0
  const stop = new AbortController()
  const { signal } = stop
  let claimedAt = 0
  const isOurs = async (): Promise<boolean> => {
    if (Date.now() - claimedAt < renewEvery) return true
    if (!(await claimRenewing(spool, holder))) return false
    claimedAt = Date.now()
    return true
  }
  const renewAll = async (): Promise<void> => {
    left = await countToRenew(spool)
    if (left === 0) return
    const progress = logProgress(log)
    while (!signal.aborted && (await isOurs())) {
      progress.begin(left)
      const renewed = await renewSome(spool)
      left = renewed === 0 ? 0 : Math.max(0, left - renewed)
      progress.add(renewed, left)
      if (renewed === 0) break
      do await sleep(5)
      while (!signal.aborted && spool.db.stats.waitingWrites() > 0)
    }
    await endRenewing(spool, holder)
    claimedAt = 0
  }
  const loop = startLoop('renew-mail', pause, renewAll, onFailure)
  return {
    ...loop,
    left: () => left,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await loop[Symbol.asyncDispose]()
    },
  }
}

/** Tells how many messages are parsed again, and once a minute how far it is. */
function logProgress(log: Pick<Logger, 'info'>) {
  const start = performance.now()
  const seconds = (): number => Math.round(performance.now() - start) / 1000
  let messages = 0
  let loggedAt: number | null = null
  return {
    begin(left: number): void {
      if (loggedAt !== null) return
      loggedAt = start
      log.info({ messages: left }, 'parsing stored mail again by the rules of this version')
    },
    add(renewed: number, left: number): void {
      messages += renewed
      if (renewed === 0) log.info({ messages, seconds: seconds() }, 'all stored mail has been parsed again')
      else if (performance.now() - loggedAt! > logEvery) {
        loggedAt = performance.now()
        log.info({ messages, left, seconds: seconds() }, 'parsing stored mail again')
      }
    },
  }
}
