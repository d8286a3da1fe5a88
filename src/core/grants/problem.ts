import { SpoolError } from '../../model/errors.ts'

/** The error codes of RFC 6749, 7591 and 8707. */
export type OAuthWord =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

export function oauthError(error: OAuthWord, message: string): SpoolError {
  return new SpoolError('bad_request', message, { details: { error } })
}
