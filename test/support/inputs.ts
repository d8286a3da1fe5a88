/** The subset of JSON Schema that Spool's schemas use. */
export interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Meaningful values by field name. Other fields get a value made up from their type. */
export type Meanings = Readonly<Record<string, unknown>>

/** Inputs for the schema: one with every field, one with only required fields, and one with nonsense everywhere. */
export function inputsFor(schema: JsonSchema, meanings: Meanings): Record<string, unknown>[] {
  const variants = schema.anyOf ?? schema.oneOf ?? [schema]
  return variants.flatMap((variant) => [
    fill(variant, meanings, Object.keys(variant.properties ?? {})),
    fill(variant, meanings, variant.required ?? []),
    Object.fromEntries(
      Object.entries(variant.properties ?? {}).map(([name, each]) => [name, nonsense(each)]),
    ),
  ])
}

function fill(schema: JsonSchema, meanings: Meanings, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      const field = schema.properties![name]!
      return [name, field.const ?? (Object.hasOwn(meanings, name) ? meanings[name] : invent(field, meanings))]
    }),
  )
}

function invent(schema: JsonSchema, meanings: Meanings): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return invent(first, meanings)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return schema.items ? [invent(schema.items, meanings)] : []
    case 'object':
      return fill(schema, meanings, Object.keys(schema.properties ?? {}))
    default:
      return 'words'
  }
}

function nonsense(schema: JsonSchema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return -1
    case 'boolean':
      return 'maybe'
    case 'array':
      return ['a@b.example\r\nBcc: mallory@evil.example']
    default:
      return '\r\nDATA\r\n.\r\n'
  }
}
