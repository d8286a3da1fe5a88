/** Answers why this node should get no requests now, as a sentence for people; null while all is well. */
export type ReadinessCheck = () => string | null | Promise<string | null>

/** What `/readyz` tells: each part of a node that can make it unfit adds a check. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = []

  add(check: ReadinessCheck): void {
    this.#checks.push(check)
  }

  /** The first reason, in the order the checks were added; null: ready. Rejects when the store does not answer. */
  async reason(): Promise<string | null> {
    for (const check of this.#checks) {
      const reason = await check()
      if (reason !== null) return reason
    }
    return null
  }
}
