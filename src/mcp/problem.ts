import type { Draft } from '../model/draft.ts'
import { SpoolError } from '../model/errors.ts'
import { raiseFence } from './fence.ts'

/** An error for the model to read and act on, as the members of a tool's result. */
export function describeProblem(error: unknown, requestId: string): string {
  const sentence = explainProblem(error, requestId)
  return `"content":[{"type":"text","text":${JSON.stringify(sentence)}}],"isError":true`
}

export function explainProblem(error: unknown, requestId: string): string {
  return error instanceof SpoolError
    ? explainNextStep(error)
    : `Something went wrong on our side; include ${requestId} when you report it, and do not retry at once.`
}

/** Adds what the agent can do next, in terms of its tools. */
function explainNextStep({ code, message, details }: SpoolError): string {
  switch (code) {
    case 'not_found':
      return message.includes('draft')
        ? `${message} Call propose_draft to begin one.`
        : `${message} Call list_threads to see the threads of your view.`
    case 'bad_cursor':
      return `${message} Call again without cursor.`
    case 'store_unavailable':
      return `${message} Wait a few seconds, then call again.`
    case 'conflict':
      return explainConflict(message, details)
    case 'bad_parameter':
      return typeof details?.['given'] === 'string'
        ? explainAddress(String(details['field']), details['given'])
        : message
    case 'forbidden':
      return Array.isArray(details?.['allowed']) ? explainRecipients(details['allowed'] as string[]) : message
    default:
      return message
  }
}

function explainConflict(message: string, details: SpoolError['details']): string {
  if (details === null) return message
  const { draft } = details as { draft?: Draft }
  if (!draft) return `${message} Call get_draft to see how it stands.`
  if (draft.edited)
    return 'A person has edited this draft, so you can no longer revise it. Call get_draft to read it.'
  const isStale = draft.status === 'stale'
  const why = isStale
    ? ` It is stale because the thread changed at ${draft.updatedAt}: new mail arrived, or another thread was merged into it.`
    : ''
  const first = isStale ? 'get_thread' : 'get_draft'
  return `This draft is now at revision ${draft.revision}.${why} Call ${first}, then revise_draft with revision ${draft.revision}.`
}

/** The value was probably copied from a mail, so it is fenced. */
function explainAddress(field: string, given: string): string {
  return `${field}: ${raiseFence().wrap(given)} is not a mail address; leave it out, or call again without ${field}.`
}

/** The addresses come from the mail, so they are fenced. */
function explainRecipients(allowed: readonly string[]): string {
  const { wrap } = raiseFence()
  const list = allowed.length === 0 ? 'nobody' : allowed.map(wrap).join(', ')
  return `cc names someone who did not get the message that this draft answers; only a person can add them. Allowed in cc: ${list}. Call again with some of these, or without cc.`
}
