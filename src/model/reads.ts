/** How much mail a response contained: threads that were opened, not threads in a list. */
export interface Reads {
  threads: number
  messages: number
  notes: number
}
