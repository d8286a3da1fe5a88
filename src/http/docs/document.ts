/** The part of an OpenAPI document that the page uses. */
export interface ApiDocument {
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, { get: Operation }>
  webhooks: Record<string, { post: Webhook }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: { token: string[] }[]
  parameters: Parameter[]
  responses: Record<string, Response & { $ref?: string }>
}

interface Webhook {
  summary: string
  requestBody: { content: { 'application/json': { example: { data: Record<string, unknown> } } } }
}

interface Response {
  description: string
  content?: Record<string, { schema: Schema }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: Schema
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

export interface Endpoint extends Operation {
  path: string
  /** Its id on the page. */
  anchor: string
}

export function endpointsOf(document: ApiDocument): Endpoint[] {
  return Object.entries(document.paths).map(([path, { get }]) => ({
    ...get,
    responses: Object.fromEntries(
      Object.entries(get.responses).map(([status, response]) => [
        status,
        document.components.responses[nameOf(response) ?? ''] ?? response,
      ]),
    ),
    path,
    anchor: toAnchor(get.operationId),
  }))
}

/** `listThreads` becomes `list-threads`. */
function toAnchor(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}

export function objectAnchor(name: string): string {
  return `${toAnchor(name)}-object`
}

export function nameOf({ $ref }: { $ref?: string }): string | null {
  return $ref?.split('/').at(-1) ?? null
}

/** Follows a reference; keywords next to the reference override it. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = nameOf(schema)
  if (name === null) return withKinds(document, schema)
  const { $ref: _, ...own } = schema
  return withKinds(document, { ...document.components.schemas[name], ...own })
}

/** An open union is shown as its known kinds. */
function withKinds(document: ApiDocument, schema: Schema): Schema {
  const known = schema.anyOf?.map(nameOf).find((name) => name?.startsWith('Known'))
  if (!known) return schema
  const { anyOf: _, ...own } = schema
  return { ...own, oneOf: document.components.schemas[known]!.oneOf! }
}

/** Separates null from `A | null`. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const isNull = ({ type }: Schema): boolean => type === 'null'
  if (schema.anyOf?.some(isNull)) {
    const [only, ...others] = schema.anyOf.filter((one) => !isNull(one))
    const { anyOf: _, ...own } = schema
    return { schema: others.length === 0 ? { ...only, ...own } : schema, nullable: true }
  }
  if (!Array.isArray(schema.type) || !schema.type.includes('null')) return { schema, nullable: false }
  const types = schema.type.filter((type) => type !== 'null')
  return { schema: { ...schema, type: types.length === 1 ? types[0]! : types }, nullable: true }
}

/** Schemas with fields: not enums, list pages or members of a union. */
export function objectNames(document: ApiDocument): string[] {
  const { schemas } = document.components
  const unions = Object.values(schemas).filter((schema) => resolve(document, schema).oneOf)
  const parts = new Set(unions.flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf].map(nameOf)))
  return Object.entries(schemas)
    .filter(
      ([name, schema]) =>
        !parts.has(name) &&
        (resolve(document, schema).oneOf ?? (schema.properties && !schema.properties['nextCursor'])),
    )
    .map(([name]) => name)
}
