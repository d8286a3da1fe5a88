/** The PostgreSQL channel on which nodes announce commits. */
export const channel = 'spool'

/** Name of the connection that listens to it, which every server keeps open, and no command. */
export const listenerName = 'spool listens'
