/** Returns why this node should get no requests now, as a sentence for people; null if it may. */
export type ReadinessCheck = () => string | null | Promise<string | null>

/** What `/readyz` reports: each part of a node that can make it unready adds a check. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = []
  readonly #remarks: (() => string | null)[] = []

  add(check: ReadinessCheck): void {
    this.#checks.push(check)
  }

  /** Something worth knowing that does not make the node unready. */
  remark(read: () => string | null): void {
    this.#remarks.push(read)
  }

  remarks(): string[] {
    return this.#remarks.flatMap((read) => read() ?? [])
  }

  /** The first reason, in the order the checks were added; null: ready. Rejects if the store does not answer. */
  async reason(): Promise<string | null> {
    for (const check of this.#checks) {
      const reason = await check()
      if (reason !== null) return reason
    }
    return null
  }
}
