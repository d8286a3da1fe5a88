import { z } from 'zod'

/**
 * The interface between page and server for one private route; its handler is in `routes/app`. Schemas use zod's core
 * type, which halves the compiler's work.
 */
export interface RouteContract {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/drafts/{id}`, below /app/api. */
  path: string
  query: z.core.$ZodType
  /** A schema for JSON, `bytes`, or null if there is no body. */
  body: z.core.$ZodType | 'bytes' | null
  /** A schema for JSON, `bytes`, or for a stream the schema of each event by name. */
  answer: z.core.$ZodType | 'bytes' | { events: Readonly<Record<string, z.core.$ZodType>> }
}

export const none = z.strictObject({})

/** A route that reads: path, query, answer. */
export const get = <
  const Path extends string,
  Query extends z.core.$ZodType,
  const Answer extends RouteContract['answer'],
>(
  path: Path,
  query: Query,
  answer: Answer,
) => ({ method: 'GET', path, query, body: null, answer }) as const

const sending =
  <const Method extends 'POST' | 'PUT' | 'PATCH'>(method: Method) =>
  <const Path extends string, const Body extends RouteContract['body'], Answer extends z.core.$ZodType>(
    path: Path,
    body: Body,
    answer: Answer,
  ) =>
    ({ method, path, query: none, body, answer }) as const

/** Routes that change something: path, body, answer. */
export const post = sending('POST')
export const put = sending('PUT')
export const patch = sending('PATCH')

/** A route that removes something, without a body: path, answer. */
export const remove = <const Path extends string, Answer extends z.core.$ZodType>(
  path: Path,
  answer: Answer,
) => ({ method: 'DELETE', path, query: none, body: null, answer }) as const

export const listOf = <Item extends z.core.$ZodType>(item: Item) => z.object({ data: z.array(item) })
