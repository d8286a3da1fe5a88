/** Where PostgreSQL tells the nodes of each other's commits. */
export const channel = 'spool'
