import { StoreDamaged, StoreNewer, StoreUnwritable } from '../model/errors.ts'

/** How long a failed write counts as trouble, in milliseconds: on a nearly full disk smaller ones may succeed. */
const troubleLasts = 30_000

/** What this process knows about the health of its store. */
export class StoreCondition {
  /** Whether this process created the store. */
  made = false
  /** Migrations that this version has and the store lacks: it was opened as it is, or made for a copy of such a store. */
  lacking: readonly string[] = []
  /** False after a crash or power cut: the last writes may be lost or torn. */
  readonly closedCleanly: boolean
  #damage: string | null = null
  /** Called once, with the first damage found. */
  onDamage: ((damage: string) => void) | null = null

  constructor({ closedCleanly }: { closedCleanly: boolean }) {
    this.closedCleanly = closedCleanly
  }

  /** Damage in the database's own words; null if none is known. Kept until the process ends. */
  get damage(): string | null {
    return this.#damage
  }

  #newer: StoreNewer | null = null
  /** Called once. */
  onNewer: ((newer: StoreNewer) => void) | null = null

  /** Set once a newer version has migrated the store: from then on this process writes nothing. */
  get newer(): StoreNewer | null {
    return this.#newer
  }

  noteNewer(migration: string): StoreNewer {
    if (this.#newer !== null) return this.#newer
    this.#newer = new StoreNewer(migration)
    this.onNewer?.(this.#newer)
    return this.#newer
  }

  /** Number of events that were written before the last stop and are now missing. */
  lostEvents = 0
  #trouble: { sentence: string; at: number } | null = null
  /** Called with each trouble that differs from the current one. */
  onTrouble: ((sentence: string) => void) | null = null

  /** Why nothing can be stored safely at the moment, and what to do; null if writing works. */
  get trouble(): string | null {
    if (this.#trouble && performance.now() - this.#trouble.at > troubleLasts) this.#trouble = null
    return this.#trouble?.sentence ?? null
  }

  noteTrouble(sentence: string): void {
    const isNew = this.trouble !== sentence
    this.#trouble = { sentence, at: performance.now() }
    if (isNew) this.onTrouble?.(sentence)
  }

  /** Numbers of the messages whose source no longer matches its checksum. */
  readonly damagedSources = new Set<number>()
  onDamagedSource: ((message: number) => void) | null = null

  /** A damaged source does not make the store damaged: everything else continues. */
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
