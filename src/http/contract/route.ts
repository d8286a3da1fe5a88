import { z } from 'zod'

/**
 * What page and server agree on about one private route. What it does stands in `routes/app`. Schemas are named by zod's
 * core type, which costs the compiler half as much.
 */
export interface RouteContract {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/drafts/{id}`, below /app/api. */
  path: string
  query: z.core.$ZodType
  /** A schema for JSON, `bytes`, or null where there is none. */
  body: z.core.$ZodType | 'bytes' | null
  /** A schema for JSON, `bytes`, or what a stream tells, by the name of the event. */
  answer: z.core.$ZodType | 'bytes' | { events: Readonly<Record<string, z.core.$ZodType>> }
}

export const none = z.strictObject({})

export const listOf = <Item extends z.core.$ZodType>(item: Item) => z.object({ data: z.array(item) })
