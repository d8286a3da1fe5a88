/** Spool refused a request: `code` is stable, `message` says what to do. */
export class SpoolError extends Error {
  override readonly name = 'SpoolError'
  readonly status: number
  readonly code: string | null
  /** Identifies the request in Spool's log. */
  readonly requestId: string | null

  constructor(status: number, body: unknown) {
    const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    const text = (name: string): string | null => (typeof said[name] === 'string' ? said[name] : null)
    super(text('message') ?? `Spool answered ${status}.`)
    this.status = status
    this.code = text('code')
    this.requestId = text('requestId')
  }
}

/** Returns the data of an openapi-fetch result, or throws the refusal as a `SpoolError`. */
export function unwrap<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (answer.error !== undefined || !answer.response.ok)
    throw new SpoolError(answer.response.status, answer.error)
  return answer.data as Data
}
