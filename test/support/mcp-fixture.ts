import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  InMemoryServerEventBus,
  McpServer,
  type JSONRPCMessage,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { openTransport } from '../../src/mcp/transport.ts'
import { addAskingPrompt, addAskingTools, state } from './mcp-fixture-asking.ts'
import { addPrompts, addResources } from './mcp-fixture-reading.ts'
import { addContentTools, addTalkingTools, say } from './mcp-fixture-tools.ts'

/** Serves what the conformance suite calls by fixed names, which Spool lacks, over Spool's own transport. */
export async function startFixture(): Promise<{ url: string } & AsyncDisposable> {
  const live = new Set<McpServer>()
  const bus = new InMemoryServerEventBus()
  const transport = openTransport<null>(
    () => {
      const server = makeServer(bus)
      live.add(server)
      server.server.onclose = () => live.delete(server)
      return server
    },
    () => undefined,
    { bus },
  )
  const http = createServer(async (request, response) => {
    const body = await text(request)
    deliver(live, body)
    const gone = new AbortController()
    response.once('close', () => response.writableFinished || gone.abort())
    const { method = '', headers } = request
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? ''))
      return void response.writeHead(403).end()
    const reply = await transport.answer(
      { method, headers, body, whenGone: () => gone.signal, renew: async () => null },
      null,
    )
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
 * In older revisions a server may ask its client something during a call, and the answer arrives in another request.
 * Spool never asks and keeps no state between requests, so the fixture passes answers to the waiting servers.
 */
function deliver(live: ReadonlySet<McpServer>, body: string): void {
  const message = body === '' ? null : (JSON.parse(body) as Record<string, unknown>)
  if (message === null || 'method' in message || !('id' in message)) return
  for (const { server } of live) server.transport?.onmessage?.(message as unknown as JSONRPCMessage)
}

function makeServer(bus: ServerEventBus): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1' },
    {
      capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
      requestState: { verify: state.verify },
    },
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  addContentTools(server)
  addTalkingTools(server)
  addAskingTools(server)
  addAskingPrompt(server)
  addChangingTools(server, bus)
  addResources(server)
  addPrompts(server)
  return server
}

/** Their changes are announced on all subscribed streams, which other requests hold open. */
function addChangingTools(server: McpServer, bus: ServerEventBus): void {
  server.registerTool('test_trigger_tool_change', { description: 'Changes the tools' }, () => {
    bus.publish({ kind: 'tools_list_changed' })
    return say('Changed.')
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Changes the prompts' }, () => {
    bus.publish({ kind: 'prompts_list_changed' })
    return say('Changed.')
  })
}
