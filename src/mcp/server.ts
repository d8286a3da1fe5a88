import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server'
import packageJson from '../../package.json' with { type: 'json' }
import type { ToolRunner, CallContext } from './call.ts'
import { instructions } from './instructions.ts'
import { addResources, hasResources } from './resources.ts'
import { lacksScope, scopeProblem } from './scope.ts'
import { listToolsFor } from './tool-list.ts'
import { findTool } from './tools/table.ts'

export const serverInfo = { name: 'spool', title: 'Spool', version: packageJson.version }

/** One per request: the server is stateless. */
export function makeServer(runner: ToolRunner, context: CallContext): Server {
  const resources = hasResources(context) ? { resources: { subscribe: true, listChanged: true } } : {}
  const server = new Server(serverInfo, { capabilities: { tools: {}, ...resources }, instructions })
  if (hasResources(context)) addResources(server, runner, context)
  server.setRequestHandler('tools/list', () => ({ tools: listToolsFor(context.caller) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = findTool(params.name)
    if (!tool) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name.slice(0, 100))}; tools/list shows yours.`,
      )
    }
    if (lacksScope(context.caller, tool)) {
      const { code, message, data } = scopeProblem(tool)
      throw new ProtocolError(code, message, data)
    }
    const result = await runner.run(tool, params.arguments, context, ['{', '}'])
    return JSON.parse(result.toString()) as CallToolResult
  })
  return server
}
