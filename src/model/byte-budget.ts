/** Limits how many bytes all users of this budget may hold at the same time. */
export class ByteBudget {
  readonly size: number
  #left: number

  constructor(bytes: number) {
    this.size = bytes
    this.#left = bytes
  }

  open(): Disposable & { take(bytes: number): boolean } {
    let taken = 0
    return {
      take: (bytes) => {
        if (bytes > this.#left) return false
        this.#left -= bytes
        taken += bytes
        return true
      },
      [Symbol.dispose]: () => {
        this.#left += taken
        taken = 0
      },
    }
  }
}
