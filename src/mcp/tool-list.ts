import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Caller } from '../model/access.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools/table.ts'

type JsonSchema = Record<string, unknown>

const listed = tools.map((tool) => ({ tool, description: describeTool(tool) }))

/** What this token may call; a tool whose scope it lacks is not there. */
export function listToolsFor({ token }: Caller): ListedTool[] {
  return listed.filter(({ tool }) => token.scopes.includes(tool.scope)).map(({ description }) => description)
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

/** Without references, which several clients cannot follow, and without what only the API reference shows. */
function describeSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $defs, $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, example, id, ...members } = value as JsonSchema & { $ref?: string }
    const target = $ref === undefined ? {} : (inline(definitions[$ref.replace('#/$defs/', '')]) as JsonSchema)
    // `id` and `example` are also names of properties: those hold a schema.
    const kept = { ...(isSchema(id) ? { id } : {}), ...(isSchema(example) ? { example } : {}), ...members }
    return {
      ...target,
      ...Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, inline(each)])),
    }
  }
  return { $schema, ...(inline(rest) as JsonSchema) }
}

function isSchema(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && ('type' in value || '$ref' in value || 'anyOf' in value)
  )
}
