import { setTimeout as sleep } from 'node:timers/promises'
import {
  fromJsonSchema,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

type Schema = Parameters<typeof fromJsonSchema>[0]

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const silence = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0D\xac\0\0\x88X\x01\0\x02\0\x10\0data\0\0\0\0',
  'latin1',
).toString('base64')

export const say = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
export const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const

export function addContentTools(server: McpServer): void {
  const embedded = {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  }
  const mixed = {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: '{"test":"data","value":123}',
  }
  const results: Record<string, CallToolResult> = {
    test_simple_text: say('This is a simple text response for testing.'),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] },
    test_embedded_resource: { content: [{ type: 'resource', resource: embedded }] },
    test_multiple_content_types: {
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        { type: 'resource', resource: mixed },
      ],
    },
    test_error_handling: { ...say('This tool intentionally returns an error for testing'), isError: true },
  }
  for (const [name, result] of Object.entries(results))
    server.registerTool(name, { description: name }, () => result)
  server.registerTool('json_schema_2020_12_tool', { description: 'Schema', inputSchema: contact }, () =>
    say('Done.'),
  )
  server.registerTool('test_header_tool', { description: 'Header', inputSchema: region }, () => say('Done.'))
}

/** Has keywords that the server must preserve in the tool list. Written as JSON because one of them is `then`. */
const contact = fromJsonSchema(
  JSON.parse(`{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
      "address": {
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
      }
    },
    "properties": {
      "name": { "type": "string" },
      "address": { "$ref": "#/$defs/address" },
      "contactMethod": { "type": "string", "enum": ["phone", "email"] },
      "phone": { "type": "string" },
      "email": { "type": "string" }
    },
    "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
    "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
    "then": { "required": ["phone"] },
    "else": { "required": ["email"] },
    "additionalProperties": false
  }`) as Schema,
)

/** An argument that clients repeat in a custom header. */
const region = fromJsonSchema({
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as Schema)

export function addTalkingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async (context) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await sleep(50)
    }
    return say('Logged.')
  })
  server.registerTool('test_logging_tool', { description: 'Logs where asked to' }, async (context) => {
    await context.mcpReq.log('info', 'Tool execution started')
    return say('Logged.')
  })
  server.registerTool('test_tool_with_progress', { description: 'Progresses' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await sleep(50)
    }
    return say('Progressed.')
  })
  server.registerTool(
    'test_sampling',
    { description: 'Samples', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }]
      const result = await context.mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 },
      })
      return say(`LLM response: ${JSON.stringify(result)}`)
    },
  )
  const words = { type: 'string', description: 'An answer' } as const
  server.registerTool(
    'test_elicitation',
    { description: 'Elicits', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) =>
      elicit(context, message, { username: words, email: words }, ['username', 'email']),
  )
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Defaults' }, (context) =>
    elicit(context, 'Please check the defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  )
  const options = ['option1', 'option2', 'option3']
  const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: ['First', 'Second', 'Third'][n - 1]! }))
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Choices' }, (context) =>
    elicit(context, 'Please choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  )
}

async function elicit(
  context: ServerContext,
  message: string,
  properties: Record<string, unknown>,
  required: string[] = [],
): Promise<CallToolResult> {
  const requestedSchema = { type: 'object' as const, properties, required }
  const request = { method: 'elicitation/create' as const, params: { message, requestedSchema } }
  const { action, content } = await context.mcpReq.send(
    request as Parameters<typeof context.mcpReq.send>[0],
    z.looseObject({ action: z.string(), content: z.unknown() }),
  )
  return say(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
}
