import { SpoolError, type ErrorCode } from '../model/errors.ts'

/** What an agent can do about it, where the sentence of the error does not say so itself. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  not_found: 'Call list_threads to see the threads of your view.',
  bad_cursor: 'Call again without cursor.',
  store_unavailable: 'Wait a few seconds, then call again.',
}

/** A problem that the model itself should read and act on, as the members of a tool's result. */
export function describeProblem(error: unknown, requestId: string): string {
  const known = error instanceof SpoolError ? error : null
  const sentence =
    known?.message ??
    `Something went wrong on our side; quote ${requestId} when you report it. Do not retry at once.`
  const step = known ? nextSteps[known.code] : undefined
  const text = step === undefined || sentence.includes('Call ') ? sentence : `${sentence} ${step}`
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`
}
