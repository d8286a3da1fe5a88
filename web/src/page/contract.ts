import type { z } from 'zod'
import type { AppContract } from '../../../src/http/contract/table.ts'

type Route = AppContract[keyof AppContract]
export type Method = Route['method']

/** `/drafts/{id}` with any id in it. */
type Written<Path> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Written<After>}`
  : Path

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

type At<Each, Path, Verb> = Each extends { method: Verb; path: infer Pattern }
  ? Same<Path, Written<Pattern>> extends true
    ? Each
    : never
  : never

/** The route for a path; a union of routes if the path is a union. */
export type RouteAt<Verb, Path> = Path extends unknown ? At<Route, Path, Verb> : never

/** The path itself, or for an unknown path a type that no string matches. */
export type Known<Verb, Path> = Path extends unknown
  ? [At<Route, Path, Verb>] extends [never]
    ? { noSuchRoute: Path }
    : Path
  : never

export type AnswerOf<Each extends Route> = z.output<Each['answer']>

export type QueryOf<Each extends Route> = z.input<Each['query']>

/** Request bodies may be readonly. */
type Sent<Value> = Value extends object ? { readonly [Name in keyof Value]: Sent<Value[Name]> } : Value

type Body<Each extends Route> = Each['body'] extends 'bytes'
  ? Blob
  : Each['body'] extends null
    ? undefined
    : Sent<z.input<Each['body']>>

/** For several routes: a body that all of them accept. */
type BodyOf<Each extends Route> = (Each extends Route ? (body: Body<Each>) => void : never) extends (
  body: infer Common,
) => void
  ? Common
  : never

export interface AskOptions {
  /** Suppresses the sign-in dialog on a 401. */
  quiet?: boolean
}

/** The arguments besides the path; optional ones come last. */
export type GetArguments<Each extends Route> = [Each] extends [never]
  ? [options?: AskOptions & { query?: unknown }]
  : {} extends QueryOf<Each>
    ? [options?: AskOptions & { query?: QueryOf<Each> }]
    : [options: AskOptions & { query: QueryOf<Each> }]

export type AskArguments<Each extends Route> = [Each] extends [never]
  ? [body?: unknown, options?: AskOptions & { query?: unknown }]
  : {} extends QueryOf<Each>
    ? BodyOf<Each> extends undefined
      ? [body?: undefined, options?: AskOptions]
      : [body: BodyOf<Each>, options?: AskOptions]
    : [body: BodyOf<Each>, options: AskOptions & { query: QueryOf<Each> }]
