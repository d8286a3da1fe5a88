import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Caller } from '../model/access.ts'
import { lacksScope } from './scope.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools/table.ts'

type JsonSchema = Record<string, unknown>

/** Omitted keywords: those only for the API reference, and those that would reject new fields or restrict times. */
const left = { input: ['example', 'id'], output: ['example', 'id', 'additionalProperties', 'pattern'] }

const listed = tools.map((tool) => ({ tool, description: describeTool(tool) }))

/** The tools this token may call; those whose scope it lacks are not listed. */
export function listToolsFor(caller: Caller): ListedTool[] {
  return listed.filter(({ tool }) => !lacksScope(caller, tool)).map(({ description }) => description)
}

function describeTool({ name, title, description, input, output, annotations }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: describeSchema(input, 'input') as ListedTool['inputSchema'],
    outputSchema: describeSchema(output, 'output') as NonNullable<ListedTool['outputSchema']>,
    annotations: { title, ...annotations },
  }
}

/** Without `$ref`, which several clients cannot follow. */
function describeSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  const definitions = $defs as Record<string, JsonSchema>

  const inline = ({ $ref, properties, ...members }: JsonSchema): JsonSchema => {
    const target = $ref === undefined ? {} : inline(definitions[String($ref).replace('#/$defs/', '')]!)
    const kept = Object.entries(members).filter(([key]) => !left[io].includes(key))
    return {
      ...target,
      ...Object.fromEntries(kept.map(([key, value]) => [key, inlineAll(value)])),
      ...(properties === undefined ? {} : { properties: mapValues(properties as JsonSchema) }),
    }
  }
  /** Property names are not keywords, whatever they are called. */
  const mapValues = (properties: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inlineAll(value)]))
  const inlineAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlineAll)
    return typeof value === 'object' && value !== null ? inline(value as JsonSchema) : value
  }
  return inline(rest)
}
