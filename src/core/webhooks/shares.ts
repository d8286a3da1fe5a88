import { announce, transaction } from '../../store/database.ts'
import { claimLease, dropLease, dropLeasesOf, listLeases, renewLeases } from '../../store/leases.ts'
import { queueLeasePrefix, listQueues, readSignal, type QueueState } from '../../store/webhooks/webhooks.ts'
import type { Spool } from '../spool.ts'

/** Nodes share the queues by leases. */
const nodePrefix = 'webhook-node:'
const queueLease = (id: string): string => queueLeasePrefix + id

/** The end of the log, and a number that changes when webhooks change. */
export function readQueueSignal(spool: Spool): Promise<{ lastSeq: number; version: number }> {
  return readSignal(spool.db)
}

/** Tells whether queues must be redistributed: one is free, or a node is gone. */
export async function readShare(
  spool: Spool,
  holder: string,
  isGone: (holder: string) => boolean,
  milliseconds: number,
): Promise<{ queues: QueueState[]; mine: Set<string>; free: boolean; gone: string[] }> {
  const queues = await listQueues(spool.db)
  const leases = await listLeases(spool.db, 'webhook', milliseconds)
  const alive = new Map(leases.filter(({ alive }) => alive).map(({ name, holder }) => [name, holder]))
  return {
    queues,
    mine: new Set(queues.map(({ id }) => id).filter((id) => alive.get(queueLease(id)) === holder)),
    free: queues.some(({ id }) => !alive.has(queueLease(id))),
    gone: [...new Set(alive.values())].filter((other) => other !== holder && isGone(other)),
  }
}

/**
 * Takes this node's share of the queues: an equal part for each live node, rounded up. `surplus` are those it holds
 * beyond it: to be released once nothing is in flight.
 */
export async function shareQueues(
  spool: Spool,
  holder: string,
  gone: readonly string[],
  milliseconds: number,
): Promise<{ queues: QueueState[]; mine: Set<string>; surplus: string[] }> {
  return transaction(spool.db, async (db) => {
    for (const other of gone) await dropLeasesOf(db, other)
    const queues = await listQueues(db)
    const leases = await listLeases(db, 'webhook', milliseconds)
    const alive = new Map(leases.filter(({ alive }) => alive).map(({ name, holder }) => [name, holder]))
    alive.set(nodePrefix + holder, holder)
    await claimLease(db, nodePrefix + holder, holder, milliseconds)
    const nodes = [...alive.keys()].filter((name) => name.startsWith(nodePrefix)).length
    const share = Math.ceil(queues.length / nodes)
    const mine = new Set<string>()
    for (const { id } of queues) if (alive.get(queueLease(id)) === holder) mine.add(id)
    for (const { id } of queues) {
      if (mine.size >= share || alive.has(queueLease(id))) continue
      if (await claimLease(db, queueLease(id), holder, milliseconds)) mine.add(id)
    }
    await renewLeases(db, holder, milliseconds)
    return { queues, mine, surplus: [...mine].slice(share) }
  })
}

export async function giveUpQueue(spool: Spool, holder: string, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLease(db, queueLease(id), holder)
    announce(db)
  })
}

/** On shutdown, so that other nodes take over at once. */
export async function giveUpQueues(spool: Spool, holder: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLeasesOf(db, holder)
    announce(db)
  })
}
