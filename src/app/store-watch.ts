import type { Logger } from 'pino'
import type { Readiness } from '../core/readiness.ts'
import type { Observer } from '../http/observer.ts'
import { StoreDamaged } from '../model/errors.ts'
import type { Database } from '../store/db.ts'

interface Watchers {
  log: Logger
  observer: Observer
  readiness: Readiness
}

/** Damage is told wherever somebody may look: at `/readyz`, in the metrics and in the log. */
export function watchStore({ condition }: Database, { log, observer, readiness }: Watchers): void {
  const describe = (damage: string): string => new StoreDamaged(damage).message
  condition.onDamage = (damage) => log.error({ damage }, describe(damage))
  readiness.add(() => (condition.damage === null ? null : describe(condition.damage)))
  observer.watch('spool_store_damaged', 'Whether the store was found damaged', () =>
    condition.damage === null ? 0 : 1,
  )
}

/** After an unclean stop, in the background: what was written last may be lost or torn, and nobody would notice for long. */
export function checkAfterCrash(db: Database, { log, observer, readiness }: Watchers): void {
  let checking = !db.condition.closedCleanly
  observer.watch('spool_store_checking', 'Whether the store is being checked after an unclean stop', () =>
    checking ? 1 : 0,
  )
  if (!checking) return
  readiness.remark(() =>
    checking ? 'The store is being checked, because it was not closed when Spool last stopped.' : null,
  )
  log.warn('the store was not closed when Spool last stopped: it is being checked')
  const start = performance.now()
  void db
    .check('whole')
    .then(
      (damage) => {
        const told = { seconds: Math.round(performance.now() - start) / 1000, damage }
        if (damage.length > 0) log.error(told, 'the check has found damage')
        else log.info(told, 'the store was checked and is whole')
      },
      // As when Spool stops meanwhile; the next start checks again.
      (error: Error) => log.warn({ reason: error.message }, 'the check of the store did not come to its end'),
    )
    .finally(() => (checking = false))
}
