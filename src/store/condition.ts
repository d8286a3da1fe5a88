import { StoreDamaged } from '../model/errors.ts'

/** What is known of a store as a whole, since this process opened it. */
export class StoreCondition {
  /** This process made it. */
  made = false
  /** Not so after a crash or a power cut, when what was written last may be lost or torn. */
  readonly closedCleanly: boolean
  #damage: string | null = null
  /** Called once, with the first damage that is met. */
  onDamage: ((damage: string) => void) | null = null

  constructor({ closedCleanly }: { closedCleanly: boolean }) {
    this.closedCleanly = closedCleanly
  }

  /** What is damaged, as the database calls it; null as far as is known. It stays until the process ends. */
  get damage(): string | null {
    return this.#damage
  }

  noteDamage(damage: string): void {
    if (this.#damage !== null) return
    this.#damage = damage
    this.onDamage?.(damage)
  }

  /** Passes a fault on, and remembers it if it is damage. */
  note(fault: unknown): unknown {
    if (fault instanceof StoreDamaged) this.noteDamage(fault.damage)
    return fault
  }
}
