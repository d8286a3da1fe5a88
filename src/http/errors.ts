import type { ErrorCode } from '../model/errors.ts'
import { SpoolError } from '../model/errors.ts'

/** The HTTP status of each error code; statuses are defined nowhere else. */
export const statusOf: Record<ErrorCode, number> = {
  bad_request: 400,
  bad_parameter: 400,
  bad_cursor: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  resync: 410,
  too_large: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  store_unavailable: 503,
  not_ready: 503,
}

/** The common shape of an error. */
export interface FailureBody {
  statusCode: number
  message: string
  code: string
  requestId: string
  details?: Record<string, unknown>
}

export interface Failure {
  status: number
  body: FailureBody
  headers: Record<string, string>
}

/** An unexpected error becomes a plain 500; the log has the details by request id. */
export function readFailure(error: unknown, requestId: string): Failure {
  const known = error instanceof SpoolError ? error : fromFramework(error)
  if (!known) {
    return failure(
      500,
      'internal',
      'Something went wrong on our side; include the request id when you report it.',
      requestId,
    )
  }
  const status = statusOf[known.code]
  const headers: Record<string, string> = {}
  if (status === 503) headers['Retry-After'] = '2'
  const { retryAfter } = known.details ?? {}
  if (typeof retryAfter === 'number') headers['Retry-After'] = String(retryAfter)
  return failure(status, known.code, known.message, requestId, known.details, headers)
}

/** Requests that Fastify rejects before any handler runs. */
function fromFramework(error: unknown): SpoolError | null {
  const { statusCode } = error as { statusCode?: unknown }
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return null
  if (statusCode === 413) return new SpoolError('too_large', 'The request body is too large.')
  return new SpoolError('bad_request', 'The request could not be read; check its URL, headers and body.')
}

export function failure(
  status: number,
  code: string,
  message: string,
  requestId: string,
  details: Record<string, unknown> | null = null,
  headers: Record<string, string> = {},
): Failure {
  return {
    status,
    body: { statusCode: status, message, code, requestId, ...(details && { details }) },
    headers,
  }
}
