import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type JSONRPCMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { openTransport } from '../../src/mcp/transport.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const silence = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0D\xac\0\0\x88X\x01\0\x02\0\x10\0data\0\0\0\0',
  'latin1',
).toString('base64')

const say = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const

/** What the conformance suite calls by fixed names, none of which Spool has, on Spool's own transport. */
export async function startFixture(): Promise<{ url: string } & AsyncDisposable> {
  const live = new Set<McpServer>()
  const transport = openTransport<null>(
    () => {
      const server = makeServer()
      live.add(server)
      server.server.onclose = () => live.delete(server)
      return server
    },
    () => undefined,
  )
  const http = createServer(async (request, response) => {
    const body = await text(request)
    deliver(live, body)
    const gone = new AbortController()
    response.once('close', () => response.writableFinished || gone.abort())
    const { method = '', headers } = request
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? ''))
      return void response.writeHead(403).end()
    const reply = await transport.answer({ method, headers, body, whenGone: () => gone.signal }, null)
    response.writeHead(reply.status, reply.headers)
    if (!(reply.body instanceof ReadableStream)) return void response.end(reply.body)
    for await (const chunk of reply.body) response.write(chunk)
    response.end()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await transport.close()
    },
  }
}

/**
 * In the older revisions a server may ask its client something in the middle of a call, and the answer comes by another
 * request. Spool never asks, and keeps nothing between requests; so the fixture itself carries answers to who waits.
 */
function deliver(live: ReadonlySet<McpServer>, body: string): void {
  const message = body === '' ? null : (JSON.parse(body) as Record<string, unknown>)
  if (message === null || 'method' in message || !('id' in message)) return
  for (const { server } of live) server.transport?.onmessage?.(message as unknown as JSONRPCMessage)
}

function makeServer(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1' },
    { capabilities: { logging: {}, completions: {}, resources: { subscribe: true } } },
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  addContentTools(server)
  addTalkingTools(server)
  addResources(server)
  addPrompts(server)
  return server
}

function addContentTools(server: McpServer): void {
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
  const schema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  })
  server.registerTool('json_schema_2020_12_tool', { description: 'Schema', inputSchema: schema }, () =>
    say('Done.'),
  )
}

function addTalkingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async (context) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await sleep(50)
    }
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

function addResources(server: McpServer): void {
  const plain = { description: 'Static text', mimeType: 'text/plain' }
  server.registerResource('static-text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  const png = { description: 'Static picture', mimeType: 'image/png' }
  server.registerResource('static-binary', 'test://static-binary', png, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: pixel }],
  }))
  const watched = { description: 'Watched', mimeType: 'text/plain' }
  server.registerResource('watched', 'test://watched-resource', watched, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  const json = { description: 'By id', mimeType: 'application/json' }
  server.registerResource('template', template, json, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}

function addPrompts(server: McpServer): void {
  const user = 'user' as const
  const words = (text: string) => ({ role: user, content: { type: 'text' as const, text } })
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [words('This is a simple prompt for testing.')],
  }))
  const two = z.object({
    arg1: completable(z.string().describe('First test argument'), (value) => [`${value}is`]),
    arg2: z.string().describe('Second test argument'),
  })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two', argsSchema: two },
    ({ arg1, arg2 }) => ({
      messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  )
  const one = z.object({ resourceUri: z.string().describe('URI of the resource to embed') })
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embedded', argsSchema: one },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: user,
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        words('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({
    messages: [{ role: user, content: image }, words('Please analyze the image above.')],
  }))
}
