import type { Logger } from 'pino'
import type { Readiness } from '../core/readiness.ts'
import type { Observer } from '../http/observer.ts'
import { StoreDamaged, type StoreNewer } from '../model/errors.ts'
import type { Database } from '../store/db.ts'

interface Watchers {
  log: Logger
  observer: Observer
  readiness: Readiness
}

/** Reports damage in `/readyz`, the metrics and the log. */
export function watchStore({ condition }: Database, { log, observer, readiness }: Watchers): void {
  const describe = (damage: string): string => new StoreDamaged(damage).message
  condition.onDamage = (damage) => log.error({ damage }, describe(damage))
  readiness.add(() => (condition.damage === null ? null : describe(condition.damage)))
  condition.onTrouble = (sentence) => log.error(sentence)
  readiness.add(() => condition.trouble)
  if (condition.lostEvents > 0) {
    const lost = `The store lacks the last ${condition.lostEvents} events that were written before Spool stopped: spool.db-wal was deleted, or an older spool.db was put in place. See docs/keep.md.`
    log.error(lost)
    readiness.remark(() => lost)
  }
  condition.onDamagedSource = (message) =>
    log.error({ message }, 'the source of a message is damaged: "spool doctor --deep" lists all that are')
  readiness.remark(() => {
    const { size } = condition.damagedSources
    return size === 0 ? null : `The sources of ${size} messages are damaged: see "spool doctor --deep".`
  })
  observer.watch('spool_sources_damaged', 'Messages whose source was found damaged', () => {
    return condition.damagedSources.size
  })
  observer.watch('spool_store_damaged', 'Whether the store was found damaged', () =>
    condition.damage === null ? 0 : 1,
  )
}

/** A newer version may migrate the store while this node runs. From then on it only reads, which is reported everywhere. */
export function watchMigrations(
  db: Database,
  { log, observer, readiness }: Watchers,
  stopWorkers: () => Promise<void>,
): void {
  const { condition } = db
  const stop = ({ message }: StoreNewer): void => {
    log.error(message)
    void stopWorkers().then(() => log.info('all workers have stopped'))
  }
  condition.onNewer = stop
  if (condition.newer) stop(condition.newer)
  readiness.add(async () => {
    await db.lookForMigrations()
    return condition.newer?.message ?? null
  })
  observer.watch('spool_store_newer', 'Whether a newer version has migrated the store', () =>
    condition.newer === null ? 0 : 1,
  )
}

/** Checks the store in the background after an unclean stop: lost or torn writes could go unnoticed for a long time. */
export function checkAfterCrash(db: Database, { log, observer, readiness }: Watchers): void {
  let checking = !db.condition.closedCleanly
  observer.watch('spool_store_checking', 'Whether the store is being checked after an unclean stop', () =>
    checking ? 1 : 0,
  )
  if (!checking) return
  readiness.remark(() =>
    checking ? 'The store is being checked because Spool did not shut down cleanly last time.' : null,
  )
  log.warn('Spool did not shut down cleanly last time: checking the store')
  const start = performance.now()
  void db
    .check('whole')
    .then(
      (damage) => {
        const result = { seconds: Math.round(performance.now() - start) / 1000, damage }
        if (damage.length > 0) log.error(result, 'the store check found damage')
        else log.info(result, 'the store check found no damage')
      },
      // Spool may be stopping; the next start checks again.
      (error: Error) => log.warn({ reason: error.message }, 'the store check did not finish'),
    )
    .finally(() => (checking = false))
}
