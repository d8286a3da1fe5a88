export interface Drill {
  name: string
  /** What must hold. */
  hold: string
  /** `short` is for the tests: the same steps, as few as still show anything. */
  run(scale: 'short' | 'whole'): Promise<Outcome>
}

export interface Outcome {
  held: boolean
  /** What was measured, in one line. */
  figure: string
}
