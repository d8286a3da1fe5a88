import { transaction } from '../../store/database.ts'
import type { Database } from '../../store/db.ts'
import { claimLease } from '../../store/leases.ts'
import { readSetting, writeSetting } from '../../store/settings.ts'
import { checksums } from '../../store/migrations/0020-checksums.ts'
import { countMessages, listMessageIds } from '../../store/threads/messages.ts'
import { checkSources, findDamagedFiles, markSource } from '../../store/threads/sources.ts'

export interface Proof {
  sources: number
  /** Sources stored by an earlier version, which have no checksum yet. */
  unmarked: number
  /** Message ids. */
  damagedSources: string[]
  damagedFiles: number
}

/** Reads every source and file and compares each with its checksum. */
export async function proveStore(db: Database): Promise<Proof> {
  const proof: Proof = { sources: 0, unmarked: 0, damagedSources: [], damagedFiles: 0 }
  const hasChecksums = !db.condition.lacking.includes(checksums.name)
  if (!hasChecksums) proof.unmarked = proof.sources = await countMessages(db)
  else
    for await (const { checked, damaged, unmarked } of checkSources(db, 0)) {
      proof.sources += checked
      proof.unmarked += unmarked.length
      proof.damagedSources.push(...(await listMessageIds(db, damaged)))
    }
  for await (const _ of findDamagedFiles(db)) proof.damagedFiles++
  return proof
}

/** The setting that stores how far the background check has got. */
const position = 'sources_checked_to'
/** Bytes that one node checks per hour: half a gigabyte a day. */
const mostAnHour = 20_000_000
const hour = 3_600_000

/**
 * Checks a part of the store in the background: the sources after those checked last, starting over after the last one.
 * Sources of an earlier version get their checksum. Returns how many were checked.
 */
export async function checkSomeSources(
  { db }: { db: Database },
  holder: string,
  most = mostAnHour,
): Promise<number> {
  // Never released: it keeps other nodes from checking for the next hour.
  if (!(await transaction(db, (db) => claimLease(db, 'check-sources', holder, hour)))) return 0
  const after = Number((await readSetting(db, position)) ?? 0)
  let [last, count, bytes] = [0, 0, 0]
  for await (const found of checkSources(db.slowReader, after)) {
    for (const message of found.damaged) db.condition.noteSource(message)
    last = found.last
    count += found.checked
    await transaction(db, async (db) => {
      for (const { message, checksum } of found.unmarked) await markSource(db, message, checksum)
      await writeSetting(db, position, String(last))
    })
    if ((bytes += found.bytes) >= most) return count
  }
  await transaction(db, (db) => writeSetting(db, position, '0'))
  return count
}
