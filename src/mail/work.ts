/**
 * Counts what reading a mail costs, in steps of about a tenth of a microsecond. The count depends on the mail alone, not
 * on the clock, the machine or what was read before, so that the same mail always comes out the same.
 */

/** Thrown once a mail has used up its steps. */
export class TooMuchWork extends Error {
  constructor() {
    super('This mail takes too much work to read.')
  }
}

/** Reading is one synchronous step, so one counter serves. */
let left = Number.POSITIVE_INFINITY

/** Every loop whose length a sender decides pays here, before it runs. */
export function spend(steps: number): void {
  left -= steps
  if (left < 0) throw new TooMuchWork()
}

/** Runs `read` with at most that many steps; they count for whoever counts outside too. */
export function withSteps<T>(steps: number, read: () => T): T {
  const before = left
  left = steps
  try {
    const result = read()
    // Somebody may have caught it on the way.
    if (left < 0) throw new TooMuchWork()
    return result
  } finally {
    left = before - (steps - left)
  }
}

/** How many steps `read` takes, for measurements. */
export function countSteps(read: () => unknown): number {
  return withSteps(Number.MAX_SAFE_INTEGER, () => {
    read()
    return Number.MAX_SAFE_INTEGER - left
  })
}
