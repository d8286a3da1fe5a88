import { z } from 'zod'
import { quoteInput, SpoolError } from '../model/errors.ts'

/** Unknown or invalid arguments are rejected by name: a mistyped filter must never return the whole inbox. */
export function readArguments<Input>(tool: string, schema: z.ZodType<Input>, given: unknown): Input {
  const result = schema.safeParse(given ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  if (issue.code !== 'unrecognized_keys')
    throw new SpoolError('bad_parameter', `${nameOf(issue.path)} ${issue.message}.`)
  const place = issue.path.length === 0 ? tool : nameOf(issue.path)
  throw new SpoolError(
    'bad_parameter',
    `There is no argument ${quoteInput(issue.keys[0]!)} in ${place}; leave it out or check its spelling.`,
  )
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : String(step)))
    .join('.')
    .replaceAll('.[', '[')
}

export const threadId = text('of a thread, such as thr_1k9v2c4xq7m3n5p8r0s')

export const limit = z
  .int('must be a whole number from 1 to 100')
  .min(1, 'must be a whole number from 1 to 100')
  .max(100, 'must be a whole number from 1 to 100')
  .default(50)
  .meta({ description: 'How many at most.' })

export const cursor = z
  .string('must be the nextCursor of an earlier answer')
  .min(1, 'is empty; leave it out to start at the beginning')
  .max(200, 'is not a cursor of this list')
  .nullable()
  .default(null)
  .meta({ description: "The previous page's next cursor; only with the same other arguments." })

/** An id. */
export function text(what: string) {
  return z
    .string(`must be the id ${what}`)
    .max(100, `must be the id ${what}`)
    .refine((id) => !id.includes('\0'), `must be the id ${what}`)
    .meta({ description: `The id ${what}.` })
}
