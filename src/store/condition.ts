import { StoreDamaged, StoreUnwritable } from '../model/errors.ts'

/** How long one failed write counts: others may be small enough to succeed on a disk that is all but full. */
const troubleLasts = 30_000

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

  /** Events that were written before the last stop and are gone. */
  lostEvents = 0
  #trouble: { sentence: string; at: number } | null = null
  /** Called when there is a new one. */
  onTrouble: ((sentence: string) => void) | null = null

  /** Why nothing can be stored safely at the moment, and what to do; null if it can. */
  get trouble(): string | null {
    if (this.#trouble && performance.now() - this.#trouble.at > troubleLasts) this.#trouble = null
    return this.#trouble?.sentence ?? null
  }

  noteTrouble(sentence: string): void {
    const isNew = this.trouble !== sentence
    this.#trouble = { sentence, at: performance.now() }
    if (isNew) this.onTrouble?.(sentence)
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

  /** Returns the fault, and records what it says about the store. */
  note(fault: unknown): unknown {
    if (fault instanceof StoreDamaged) this.noteDamage(fault.damage)
    if (fault instanceof StoreUnwritable) this.noteTrouble(fault.message)
    return fault
  }
}
