let turn: Promise<void> | null = null

/**
 * Resolves for all who wait in this turn of the event loop at its end, so that they go on together: the same code for one
 * after the other, which the processor then has at hand, costs much less than reading and answering in turns (door.ts).
 */
export function together(): Promise<void> {
  return (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null
      resolve()
    })
  }))
}
