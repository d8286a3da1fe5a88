import { z } from 'zod'
import { quoteInput, SpoolError } from '../model/errors.ts'

/**
 * Parses the query string strictly: an unknown parameter, a repeated one or a bad value is a 400 that names it,
 * because a mistyped filter must never return the whole inbox.
 */
export function readQuery<Query>(schema: z.core.$ZodType<Query>, text: string): Query {
  const result = z.safeParse(schema, readParameters(text))
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  refuseUnknown(issue, 'parameter')
  const parameter = String(issue.path[0] ?? '')
  throw badParameter(parameter, `${parameter} ${issue.message}.`)
}

/** As strict as a query: unknown fields are rejected, not dropped. */
export function readBody<Body>(schema: z.core.$ZodType<Body>, value: unknown): Body {
  const result = z.safeParse(schema, value)
  if (result.success) {
    if (holdsNul(result.data))
      throw new SpoolError('bad_parameter', 'The body contains a NUL character; remove it.')
    return result.data
  }
  const issue = result.error.issues[0]!
  refuseUnknown(issue, 'field')
  const field = issue.path.join('.')
  throw badParameter(field, `${field === '' ? 'The body' : field} is not valid: ${issue.message}.`)
}

function refuseUnknown(issue: z.core.$ZodIssue, noun: 'parameter' | 'field'): void {
  if (issue.code !== 'unrecognized_keys') return
  const name = issue.keys[0]!
  throw badParameter(name, `There is no ${noun} ${quoteInput(name)} here; check its spelling.`)
}

/** PostgreSQL cannot store NUL. Recursion is safe: the schema already bounds the depth. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNul)
}

function readParameters(text: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (name === null) throw new SpoolError('bad_parameter', 'A parameter name is not valid UTF-8 text.')
    if (value === null)
      throw badParameter(name, `${quoteInput(name)} is not valid UTF-8 text without control characters.`)
    if (name in parameters)
      throw badParameter(name, `${quoteInput(name)} is given more than once; give it once.`)
    parameters[name] = value
  }
  return parameters
}

function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\u0000') ? null : decoded
  } catch {
    return null
  }
}

function badParameter(parameter: string, message: string): SpoolError {
  return new SpoolError('bad_parameter', message, { details: { parameter: parameter.slice(0, 100) } })
}
