import { isLoopback } from '../../model/mail/server.ts'
import type { AgentConfigurations } from '../../model/settings.ts'

/** A program that speaks MCP over its standard input, for clients that start their servers themselves. */
export interface Bridge {
  command: string
  script: string
}

/** Ready to paste: nothing in them has to be filled in. The guide (docs/mcp.md) shows the same. */
export function configureAgents(url: string, token: string, own: Bridge): AgentConfigurations {
  const isHere = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  const endpoint = `${url}/mcp`
  const headers = { Authorization: `Bearer ${token}` }
  return {
    claudeDesktop: write({ mcpServers: { spool: configureStdio(url, token, isHere ? own : null) } }),
    claudeCode: `claude mcp add --transport http spool ${endpoint} --header "Authorization: Bearer ${token}"`,
    cursor: write({ mcpServers: { spool: { url: endpoint, headers } } }),
    vscode: write({ servers: { spool: { type: 'http', url: endpoint, headers } } }),
    curl: `curl -H "Authorization: Bearer ${token}" "${url}/api/v1/threads?unread=1"`,
  }
}

/**
 * Claude Desktop starts what its file names and connects to nothing else with a token. On Spool's own machine that is
 * Spool's bridge; elsewhere there is no Spool to start, and npm's usual bridge takes its place.
 */
function configureStdio(url: string, token: string, bridge: Bridge | null): object {
  if (bridge)
    return {
      command: bridge.command,
      args: [bridge.script, 'mcp'],
      env: { SPOOL_URL: url, SPOOL_TOKEN: token },
    }
  const plain = url.startsWith('http:') ? ['--allow-http'] : []
  return {
    command: 'npx',
    // Without a space, which some systems would split it at; and out of the list of processes.
    args: ['-y', 'mcp-remote', `${url}/mcp`, ...plain, '--header', 'Authorization:${SPOOL_AUTHORIZATION}'],
    env: { SPOOL_AUTHORIZATION: `Bearer ${token}` },
  }
}

function write(configuration: object): string {
  return JSON.stringify(configuration, null, 2)
}
