/** Wakes a waiter; if rung while nobody waits, the next wait returns at once. */
export class Bell {
  rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.rung = true
    this.#wake?.()
  }

  clear(): void {
    this.rung = false
  }

  async wait(milliseconds: number): Promise<void> {
    if (this.rung) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, milliseconds)
    await promise
    clearTimeout(timer)
    this.#wake = null
  }
}
