import { isLoopback } from '../../model/mail/server.ts'
import type { AgentConfigurations } from '../../model/settings.ts'
import type { Spool } from '../spool.ts'

type Bridge = Spool['bridge']

/** Ready to paste: nothing has to be filled in. docs/mcp.md shows the same. */
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
 * Claude Desktop only starts local commands and takes no token for a URL. On Spool's own machine it starts Spool's
 * bridge; elsewhere npm's mcp-remote.
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
    // No space after the colon, because some systems split there; the token is in an environment variable, to keep it
    // out of the process list.
    args: ['-y', 'mcp-remote', `${url}/mcp`, ...plain, '--header', 'Authorization:${SPOOL_AUTHORIZATION}'],
    env: { SPOOL_AUTHORIZATION: `Bearer ${token}` },
  }
}

function write(configuration: object): string {
  return JSON.stringify(configuration, null, 2)
}
