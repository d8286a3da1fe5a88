import { z } from 'zod'
import { SpoolError } from '../model/errors.ts'

/**
 * Parses the query string strictly: an unknown parameter, a repeated one or a bad value is a 400 that names it,
 * because a mistyped filter must never return the whole inbox.
 */
export function readQuery<Query>(schema: z.core.$ZodType<Query>, text: string): Query {
  const result = z.safeParse(schema, readParameters(text))
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') {
    const [parameter = ''] = issue.keys
    throw badParameter(parameter, `There is no parameter ${quote(parameter)} here; check its spelling.`)
  }
  const parameter = String(issue?.path[0] ?? '')
  throw badParameter(parameter, `${parameter} ${issue?.message ?? 'is not valid'}.`)
}

/** As strict as a query: unknown fields are rejected, not dropped. */
export function readBody<Body>(schema: z.core.$ZodType<Body>, value: unknown): Body {
  const result = z.safeParse(schema, value)
  if (result.success) {
    if (holdsNul(result.data))
      throw new SpoolError('bad_parameter', 'The body contains a NUL character; remove it.')
    return result.data
  }
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') {
    const [field = ''] = issue.keys
    throw badParameter(field, `There is no field ${quote(field)} here; check its spelling.`)
  }
  const field = issue?.path.join('.') ?? ''
  throw badParameter(
    field,
    `${field === '' ? 'The body' : field} is not valid: ${issue?.message ?? 'check it'}.`,
  )
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
      throw badParameter(name, `${quote(name)} is not valid UTF-8 text without control characters.`)
    if (name in parameters) throw badParameter(name, `${quote(name)} is given more than once; give it once.`)
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

/** Input repeated in an error message stays short and printable. */
function quote(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
}

function badParameter(parameter: string, message: string): SpoolError {
  return new SpoolError('bad_parameter', message, { details: { parameter: parameter.slice(0, 100) } })
}
