import { setTimeout as sleep } from 'node:timers/promises'
import { claimRenewing, countToRenew, endRenewing, renewSome } from '../core/forms/forms.ts'
import type { Spool } from '../core/spool.ts'
import { makeHolder } from './holder.ts'
import { startLoop } from './loop.ts'

const pause = 2_000
const renewEvery = 1_500

/**
 * Brings stored mail to the current form after an upgrade, newest first, on one node at a time. The store itself tells
 * which messages are left, so work resumes where it stopped. Other parsing and other writes take precedence.
 */
export function startRenewingMail(spool: Spool, onFailure: (error: unknown) => void) {
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
    while (!signal.aborted && (await isOurs())) {
      const renewed = await renewSome(spool)
      left = renewed === 0 ? 0 : Math.max(0, left - renewed)
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
