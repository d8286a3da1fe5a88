import { resolve, withoutNull, type ApiDocument, type Schema } from './document.ts'

/**
 * A plausible answer, put together from the examples in the schemas. Optional fields are included only if they have
 * one.
 */
export function makeExample(document: ApiDocument, given: Schema): unknown {
  const schema = resolve(document, withoutNull(resolve(document, given)).schema)
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.oneOf) return makeExample(document, schema.oneOf[0]!)
  if (schema.items) return [makeExample(document, schema.items)]
  if (schema.properties) return makeObject(document, schema)
  return { string: '…', integer: 1, number: 1, boolean: false }[String(schema.type)] ?? {}
}

function makeObject(document: ApiDocument, { properties = {}, required = [] }: Schema): unknown {
  const entries = Object.entries(properties)
    .filter(([name, field]) => required.includes(name) || field.examples)
    .map(([name, field]) => [name, makeExample(document, field)] as const)
  return Object.fromEntries(entries)
}
