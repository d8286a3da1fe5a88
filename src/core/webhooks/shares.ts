import { announce, transaction } from '../../store/database.ts'
import { claimLease, dropLease, dropLeasesOf, listLeases, renewLeases } from '../../store/leases.ts'
import { lanePrefix, listLanes, readSignal, type LaneState } from '../../store/webhooks/webhooks.ts'
import type { Spool } from '../spool.ts'

/** How the nodes share the lanes out among themselves, by leases. */
const nodePrefix = 'webhook-node:'
const laneLease = (id: string): string => lanePrefix + id

/** The end of the log, and a number that changes with the subscriptions. */
export function readLaneSignal(spool: Spool): Promise<{ lastSeq: number; version: number }> {
  return readSignal(spool.db)
}

export interface Share {
  lanes: LaneState[]
  /** Ids of the lanes that are this node's now. */
  mine: Set<string>
  /** Of these, more than its share: to be given up once nothing is under way. */
  surplus: string[]
}

/** Whether the lanes have to be shared out anew: one is free, or somebody is gone. */
export async function readShare(
  spool: Spool,
  holder: string,
  isGone: (holder: string) => boolean,
  milliseconds: number,
): Promise<{ lanes: LaneState[]; mine: Set<string>; free: boolean; gone: string[] }> {
  const lanes = await listLanes(spool.db)
  const leases = await listLeases(spool.db, 'webhook', milliseconds)
  const alive = new Map(leases.filter(({ alive }) => alive).map(({ name, holder }) => [name, holder]))
  return {
    lanes,
    mine: new Set(lanes.map(({ id }) => id).filter((id) => alive.get(laneLease(id)) === holder)),
    free: lanes.some(({ id }) => !alive.has(laneLease(id))),
    gone: [...new Set(alive.values())].filter((other) => other !== holder && isGone(other)),
  }
}

/** Takes this node's share of the lanes: as many as every other node that is there, rounded up. */
export async function shareLanes(
  spool: Spool,
  holder: string,
  gone: readonly string[],
  milliseconds: number,
): Promise<Share> {
  return transaction(spool.db, async (db) => {
    for (const other of gone) await dropLeasesOf(db, other)
    const lanes = await listLanes(db)
    const leases = await listLeases(db, 'webhook', milliseconds)
    const alive = new Map(leases.filter(({ alive }) => alive).map(({ name, holder }) => [name, holder]))
    alive.set(nodePrefix + holder, holder)
    await claimLease(db, nodePrefix + holder, holder, milliseconds)
    const nodes = [...alive.keys()].filter((name) => name.startsWith(nodePrefix)).length
    const share = Math.ceil(lanes.length / nodes)
    const mine = new Set<string>()
    for (const { id } of lanes) if (alive.get(laneLease(id)) === holder) mine.add(id)
    for (const { id } of lanes) {
      if (mine.size >= share || alive.has(laneLease(id))) continue
      if (await claimLease(db, laneLease(id), holder, milliseconds)) mine.add(id)
    }
    await renewLeases(db, holder, milliseconds)
    return { lanes, mine, surplus: [...mine].slice(share) }
  })
}

export async function giveUpLane(spool: Spool, holder: string, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLease(db, laneLease(id), holder)
    announce(db)
  })
}

/** At the end: others take over at once. */
export async function giveUpLanes(spool: Spool, holder: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLeasesOf(db, holder)
    announce(db)
  })
}
