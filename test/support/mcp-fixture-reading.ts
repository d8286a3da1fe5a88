import { completable, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { image, pixel } from './mcp-fixture-tools.ts'

export function addResources(server: McpServer): void {
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

export function addPrompts(server: McpServer): void {
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
