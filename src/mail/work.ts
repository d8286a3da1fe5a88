/**
 * Counts what reading a mail costs, in steps of about a tenth of a microsecond. The count depends on the mail alone,
 * not on the clock, the machine or what was read before, so the same mail always gives the same result.
 */

/** Thrown once a mail has used up its steps. */
export class TooMuchWork extends Error {
  constructor() {
    super('This mail takes too much work to read.')
  }
}

/** Reading is synchronous, so one shared counter is enough. */
let left = Number.POSITIVE_INFINITY

/** Every loop whose length a sender controls calls this before it runs. */
export function spend(steps: number): void {
  left -= steps
  if (left < 0) throw new TooMuchWork()
}

/** Runs `read` with at most `steps` steps; an enclosing `withSteps` counts them too. */
export function withSteps<T>(steps: number, read: () => T): T {
  const before = left
  left = steps
  try {
    const result = read()
    // `TooMuchWork` may have been caught inside `read`.
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
