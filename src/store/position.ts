/** Where a page ends and the next begins, in a list by time; ties are ordered by id. */
export interface Position {
  timestamp: number
  id: string
}
