import { StoreDamaged } from '../model/errors.ts'

/** What this process knows about the health of its store. */
export class StoreCondition {
  /** This process created it. */
  made = false
  /** False after a crash or power cut: the last writes may be lost or torn. */
  readonly closedCleanly: boolean
  #damage: string | null = null
  /** Called once, with the first damage found. */
  onDamage: ((damage: string) => void) | null = null

  constructor({ closedCleanly }: { closedCleanly: boolean }) {
    this.closedCleanly = closedCleanly
  }

  /** In the database's own words; null if none is known. Kept until the process ends. */
  get damage(): string | null {
    return this.#damage
  }

  /** Messages whose source was found changed, by their number. */
  readonly damagedSources = new Set<number>()
  onDamagedSource: ((message: number) => void) | null = null

  /** One source is not the store: everything else goes on. */
  noteSource(message: number): void {
    if (this.damagedSources.has(message)) return
    this.damagedSources.add(message)
    this.onDamagedSource?.(message)
  }

  noteDamage(damage: string): void {
    if (this.#damage !== null) return
    this.#damage = damage
    this.onDamage?.(damage)
  }

  /** Returns the fault, and records it if it is damage. */
  note(fault: unknown): unknown {
    if (fault instanceof StoreDamaged) this.noteDamage(fault.damage)
    return fault
  }
}
