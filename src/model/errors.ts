/** Stable codes. Each door maps them to its own statuses. */
export type ErrorCode =
  | 'unauthorized'
  | 'insufficient_scope'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'bad_request'
  | 'bad_parameter'
  | 'bad_cursor'
  | 'conflict'
  | 'resync'
  | 'rate_limited'
  | 'too_large'
  | 'range_not_satisfiable'
  | 'store_unavailable'
  | 'not_ready'

export class SpoolError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | null

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { details?: Record<string, unknown> } = {},
  ) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.details = options.details ?? null
  }
}

export const tooMuchToDo = new SpoolError(
  'not_ready',
  'This server has too much to do right now; try again in a moment.',
)

/** Input repeated in an error message stays short and printable. */
export function quoteInput(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

/** What another server said, before it is shown, stored or logged: one short line of which nothing is displayed elsewhere. */
export function quoteServer(words: unknown, most = 300): string {
  if (typeof words !== 'string') return ''
  const line = words.slice(0, 10 * most).replaceAll(/[\s\p{Cc}]+/gu, ' ')
  return line
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .trim()
    .slice(0, most)
    .toWellFormed()
}

export class StoreUnavailable extends SpoolError {
  constructor(
    message = 'The database cannot be reached. Try again in a moment.',
    options: ErrorOptions = {},
  ) {
    super('store_unavailable', message, options)
  }
}

/** The disk is full, read-only or failing. */
export class StoreUnwritable extends StoreUnavailable {
  /** `fault`: the database's own error message. */
  constructor(fault: string, options: ErrorOptions = {}) {
    super(
      `The store cannot be written (${fault}): its disk is full, read-only or failing. Mail waits at its servers meanwhile.`,
      options,
    )
  }
}

/** Stored data can no longer be read. Clients see an unavailable store; operators see the damage. */
export class StoreDamaged extends StoreUnavailable {
  /** The database's own error message. */
  readonly damage: string

  constructor(damage: string) {
    super(
      `The store is damaged (${damage}). Stop Spool and restore the last good backup; docs/keep.md says how.`,
    )
    this.damage = damage
  }
}

/** The source of one message differs from what was stored. Everything else can still be read. */
export class SourceDamaged extends StoreUnavailable {
  constructor() {
    super(
      'The stored source of this message is damaged; "spool doctor --deep" lists all that are. Its text and everything else can still be read.',
    )
  }
}

/** A newer version migrated the store while this process had it open. What is stored can still be read. */
export class StoreNewer extends StoreUnavailable {
  /** `migration`: one that this process did not find when it opened the store. */
  constructor(migration: string) {
    super(
      `A newer version of Spool has migrated the store (${migration}): this process only reads until it is restarted with that version.`,
    )
  }
}

export class StoreEarlier extends SpoolError {
  constructor() {
    super(
      'conflict',
      'This store was made by an earlier version of Spool. Make a backup with "spool backup FILE", then restart the server with this version: "spool serve" migrates the store. Until then only "backup", "doctor" and "move" of this version open it.',
    )
  }
}

export class StoreAbsent extends SpoolError {
  /** `where`: the location that was searched. `variable`: the setting that names it. */
  constructor(where: string, variable: string) {
    super(
      'not_found',
      `There is no store in ${where}; check ${variable}. "spool serve", "inbox add", "user add" and "import" make one.`,
    )
  }
}
