export interface Drill {
  name: string
  /** What must hold. */
  hold: string
  /** `short` is a form for the tests: the same steps, as few as tell anything. */
  run(scale: 'short' | 'whole'): Promise<Outcome>
}

export interface Outcome {
  held: boolean
  /** What was measured, in a line. */
  figure: string
}
