/** How much of the team's mail an answer held: threads that were opened, not those of a list. */
export interface Reads {
  threads: number
  messages: number
  notes: number
}
