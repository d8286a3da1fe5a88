/** The PostgreSQL channel on which nodes announce commits. */
export const channel = 'spool'
