/** A stable word and a sentence. Which status a word becomes is the door's matter. */
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
    this.name = 'SpoolError'
    this.code = code
    this.details = options.details ?? null
  }
}

export class StoreUnavailable extends SpoolError {
  constructor(message = 'The store is out of reach; try again shortly.', options: ErrorOptions = {}) {
    super('store_unavailable', message, options)
    this.name = 'StoreUnavailable'
  }
}
