import { z } from 'zod'
import type { Route } from './route.ts'
import { openSchemas } from './openapi-growth.ts'
import { describeWebhooks, WebhookPayload } from './openapi-webhooks.ts'
import { base, routes } from './routes/v1/table.ts'

type Json = Record<string, unknown>

const faults: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'A bad parameter or cursor; the message names it.' },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, malformed, unknown, expired or revoked.',
  },
  403: {
    name: 'InsufficientScope',
    description: 'The token lacks the scope, which `WWW-Authenticate` names.',
  },
  404: { name: 'NotFound', description: 'Not in your view, or there is no such thing.' },
  410: { name: 'Gone', description: 'The cursor is older than the log.' },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'There are no such bytes; `Content-Range` says how many there are.',
  },
  429: { name: 'TooManyRequests', description: 'Over the rate limit.' },
  500: { name: 'Fault', description: 'A fault on our side.' },
  503: { name: 'StoreUnavailable', description: 'The store is out of reach.' },
}

/** Every error response of the routes, defined once. */
function describeFaults(): Json {
  const content = { 'application/json': { schema: reference(ErrorShape) } }
  return Object.fromEntries(
    Object.entries(faults).map(([status, { name, description }]) => [
      name,
      { description, headers: faultHeaders(Number(status)), content },
    ]),
  )
}

const ErrorShape = z
  .object({
    statusCode: z.int().meta({ description: 'The status of the answer.', example: 400 }),
    message: z.string().meta({
      description: 'A sentence that says what to do.',
      example: 'limit must be a whole number from 1 to 100.',
    }),
    code: z.string().optional().meta({ description: 'A stable word.', example: 'bad_parameter' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'Names the request in the log; quote it.', example: 'req_8f3k2m9x00001a' }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'More, for programs.', example: { parameter: 'limit' } }),
  })
  .meta({ id: 'Error', description: 'Every fault has this shape, on every path.' })

/** The OpenAPI 3.1 document, generated from the route table. */
export function describeApi(version: string): Json {
  const paths = Object.fromEntries(routes.map((route) => [route.path, { get: describeRoute(route) }]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spool REST API',
      version,
      summary: 'Threads and their messages, for programs to read.',
      description:
        'Read-only: programs read, people answer. Every request needs a personal access token; what lies outside its view does not exist. A list answers `{data, nextCursor}`; `HEAD` works wherever `GET` does; `If-None-Match` with an `ETag` gives 304.',
      contact: { name: 'The admin of this Spool' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: base }],
    security: [{ token: [] }],
    tags: [
      { name: 'Events', description: 'What happened, in order.' },
      { name: 'Notes', description: "The team's chat beside a thread." },
      { name: 'Team', description: 'The inboxes and people of your view.' },
      { name: 'Threads', description: 'Conversations and their messages.' },
      { name: 'Token', description: 'Who you are.' },
      { name: 'Webhooks', description: 'What Spool sends to webhooks, by kind of event.' },
    ],
    paths,
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token: `spool_pat_…`.' },
      },
      headers: describeHeaders(),
      responses: describeFaults(),
      schemas: describeSchemas(),
    },
  }
}

/** Every named schema once; they refer to each other by name. */
function describeSchemas(): Json {
  const named = z.registry<{ id: string }>()
  for (const schema of [ErrorShape, WebhookPayload, ...routes.flatMap(({ answer }) => answer ?? [])])
    addNamed(named, schema)
  const uri = (id: string): string => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(named, { uri, io: 'input' })
  const tidied = Object.entries(schemas).map(([name, schema]) => [name, tidy(schema) as Json] as const)
  return Object.fromEntries(
    Object.entries(openSchemas(Object.fromEntries(tidied))).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function addNamed(named: z.core.$ZodRegistry<{ id: string }>, schema: z.ZodType): void {
  const id = schema.meta()?.id
  if (id) named.add(schema, { id })
  const { def, parent } = schema._zod
  const { shape, options, element, innerType, valueType } = def as unknown as Record<string, unknown>
  // A schema with its own description wraps its parent, and the parent has the name.
  const children = [shape ?? {}, options ?? [], [element, innerType, valueType, parent]]
  for (const child of children.flatMap((group) => Object.values(group as object))) {
    if (child instanceof z.ZodType) addNamed(named, child)
  }
}

/** Drops `id` (already the key) and the bounds of safe integers; OpenAPI 3.1 has `examples`, not `example`. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) =>
      !['$schema', '$id'].includes(key) &&
      !(key === 'id' && typeof inner === 'string') &&
      Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER,
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => (key === 'example' ? ['examples', [inner]] : [key, tidy(inner)])),
  )
}

function reference(schema: z.ZodType): Json {
  return { $ref: `#/components/schemas/${schema.meta()?.id}` }
}

function describeRoute(route: Route): Json {
  const { scope, answer, parameters, statuses = [] } = route
  const own = [...(scope ? [403] : []), ...(Object.keys(parameters).length > 0 ? [404] : []), ...statuses]
  const refused = [400, 401, 429, 500, 503, ...own, ...(answer ? [] : [416])].sort()
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    // OpenAPI 3.1 lists the required scopes of a bearer token here.
    security: [{ token: route.scope ? [route.scope] : [] }],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    responses: {
      200: {
        description: 'As asked.',
        headers: answerHeaders(route),
        content: route.answer
          ? {
              [route.contentType ?? 'application/json']: { schema: reference(route.answer) },
              ...streams(route),
            }
          : bytes(route),
      },
      ...(route.answer
        ? {}
        : {
            206: {
              description: 'The part that `Range` asks for.',
              headers: headerReferences('Content-Disposition', 'ETag', 'Accept-Ranges', 'Content-Range'),
              content: bytes(route),
            },
          }),
      ...(route.taggedBy || !route.answer
        ? { 304: { description: 'Not changed since the `ETag` in `If-None-Match`.' } }
        : {}),
      ...Object.fromEntries(
        refused.map((status) => [status, { $ref: `#/components/responses/${faults[status]!.name}` }]),
      ),
    },
  }
}

/** The additional content type of an endpoint that can also answer with a stream. */
function streams({ operationId }: Route): Json {
  if (operationId !== 'listEvents') return {}
  const description = 'Server-sent events: `id` is the `seq`, `data` an `Event`.'
  return { 'text/event-stream': { schema: { type: 'string', description } } }
}

function bytes({ contentType = '*/*' }: Route): Json {
  return { [contentType]: { schema: { type: 'string', format: 'binary' } } }
}

const headers = {
  'RateLimit-Policy': 'The limit: requests (q) in a window of seconds (w).',
  RateLimit: 'Requests left (r) and seconds until the window begins anew (t).',
  'X-Request-Id': 'Names the request in the log.',
  ETag: 'Changes with the answer; for `If-None-Match`.',
  Link: 'The next page, as `rel="next"`; absent on the last one.',
  'Content-Disposition': '`attachment`, with the file name.',
  'Content-Location': 'The thread the answer is about, where the id is that of one that was merged into it.',
  'Accept-Ranges': '`bytes`: `Range` is honoured.',
  'Content-Range': 'Which bytes, of how many.',
  'WWW-Authenticate': '`Bearer`, with what is wrong or missing.',
  'Retry-After': 'Seconds to wait.',
}

function describeHeaders(): Json {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

function headerReferences(...more: (keyof typeof headers)[]): Json {
  const names = ['RateLimit-Policy', 'RateLimit', 'X-Request-Id', ...more]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function answerHeaders({ path, taggedBy, answer, query }: Route): Json {
  if (answer === null) return headerReferences('Content-Disposition', 'ETag', 'Accept-Ranges')
  if (!taggedBy) return headerReferences()
  const located = path.startsWith('/threads/{id}') ? (['Content-Location'] as const) : []
  const linked = 'cursor' in shapeOf(query) ? (['Link'] as const) : []
  return headerReferences('ETag', ...linked, ...located)
}

function faultHeaders(status: number): Json {
  if (status === 416) return headerReferences('Content-Range')
  if (status === 401 || status === 403) return headerReferences('WWW-Authenticate')
  return status === 429 || status === 503 ? headerReferences('Retry-After') : headerReferences()
}

function pathParameters({ parameters }: Route): Json[] {
  return Object.entries(parameters).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

/** The public form of a parameter is in its `meta`; the schema itself parses strict text. */
function queryParameters({ query }: Route): Json[] {
  return Object.entries(shapeOf(query)).map(([name, schema]) => {
    const { description, parameter } = schema.meta() as { description: string; parameter: Json }
    // A list of values is one parameter with commas.
    const style = parameter['type'] === 'array' ? { style: 'form', explode: false } : {}
    return { name, in: 'query', required: false, description, ...style, schema: parameter }
  })
}

function shapeOf(query: z.ZodType): Record<string, z.ZodType> {
  return (query as unknown as z.ZodObject<Record<string, z.ZodType>>).shape
}
